"""`metrics --prometheus`: what Prometheus' own parser reads, against figures counted by hand."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from prometheus_client.parser import text_string_to_metric_families

from graphmem.measure import Metrics
from graphmem.measure.conversion import Conversion
from graphmem.measure.metrics import DomainMetrics
from graphmem.measure.stock import Lag, Stock
from graphmem.models import Kind, Status
from graphmem.report.prometheus import exposition
from graphmem.scope import Scope
from graphmem.settings import Settings
from tests.cli.shell import Inside, environment
from tests.measure.planting import Planter
from tests.memories import won

NOW = datetime(2025, 6, 1, tzinfo=UTC)
NASTY = 'a "quoted" \\ back\nslash, {label="x"} 名'
LABELS = ("domain", "decision", "kind", "status")
Samples = dict[tuple[str, ...], float]


def read(text: str) -> dict[str, Samples]:
    """The samples of each name, by the values of their labels but tenant and user."""
    assert text.endswith("\n")
    found: dict[str, Samples] = {}
    for family in text_string_to_metric_families(text):
        assert family.documentation
        assert family.type in ("counter", "gauge")
        for sample in family.samples:
            assert {*sample.labels} >= {"tenant", "user"}
            labels = tuple(sample.labels[name] for name in LABELS if name in sample.labels)
            assert len(labels) == len(sample.labels) - 2
            found.setdefault(sample.name, {})[labels] = sample.value
    return found


def test_what_was_measured_is_what_the_parser_reads() -> None:
    plant = DomainMetrics(
        domain=NASTY, asked=10, use=4, verify=3, novel=2, policy_only=1, labelled=5, false_hits=2,
        false_hit_rate=0.4, judged=0, precision_at_3=None,
    )  # fmt: skip
    measured = Metrics(
        domains=(plant,),
        conversion=Conversion(contexts=3, converted=2),
        patterns=(),
        stock=(
            Stock(kind=Kind.EPISODE, status=Status.ACTIVE, memories=7),
            Stock(kind=Kind.SKILL, status=Status.CANDIDATE, memories=1),
        ),
        lag=Lag(waiting=4, oldest=NOW - timedelta(hours=2), dead=1),
    )
    text = exposition(Scope("acme", "u7"), measured, 6, 2, NOW)
    assert read(text) == {
        "graphmem_recalls_total": {
            (NASTY, "use"): 4, (NASTY, "verify"): 3, (NASTY, "novel"): 2, (NASTY, "policy_only"): 1,
        },
        "graphmem_labelled_recalls_total": {(NASTY,): 5},
        "graphmem_false_hits_total": {(NASTY,): 2},
        "graphmem_memories": {("episode", "active"): 7, ("skill", "candidate"): 1},
        "graphmem_waiting_episodes": {(): 4},
        "graphmem_dead_episodes": {(): 1},
        "graphmem_oldest_waiting_seconds": {(): 7200},
        "graphmem_novel_contexts": {(): 3},
        "graphmem_converted_contexts": {(): 2},
        "graphmem_outbox_waiting": {(): 6},
        "graphmem_outbox_dead": {(): 2},
    }  # fmt: skip
    lines = text.splitlines()
    for name in read(text):
        about = [line.split(" ")[1] for line in lines if line.startswith("#") and line.split(" ")[2] == name]
        assert about == ["HELP", "TYPE"], name
        assert name.endswith("_total") == (f"# TYPE {name} counter" in lines)
    (family,) = [one for one in text_string_to_metric_families(text) if one.name == "graphmem_waiting_episodes"]
    assert family.samples[0].labels == {"tenant": "acme", "user": "u7"}


def test_the_command_prints_it_for_its_scope(
    planter: Planter, client: Any, boiler: str, settings: Settings, at: Any, tenant: str
) -> None:
    client.record_many([won("lamp", "Mend the lamp"), won("hose", "Coil the hose", outcome="unknown")])
    wrong = [planter.edge(boiler), planter.edge(boiler, misled="x")]
    planter.plant([
        (planter.receipt(1, domain="plant"), [planter.edge(boiler, used=True)]),
        (planter.receipt(2, domain="plant", outcome="fail"), wrong),
        (planter.receipt(3, domain="plant", decision="policy_only", outcome=None), []),
        (planter.receipt(4, decision="novel", outcome=None), []),
    ])  # fmt: skip
    graphmem = Inside(environment(settings, at, tenant))
    ran = graphmem("metrics", "--prometheus")
    assert (ran.code, ran.err) == (0, "")
    found = read(ran.out)
    asked = {labels: count for labels, count in found["graphmem_recalls_total"].items() if count}
    assert asked == {("plant", "use"): 2, ("plant", "policy_only"): 1, ("", "novel"): 1}
    assert found["graphmem_false_hits_total"] == {("",): 0, ("plant",): 1}
    assert found["graphmem_memories"] == {("episode", "active"): 2, ("episode", "audit"): 1}
    assert found["graphmem_waiting_episodes"] == {(): 2}
    assert found["graphmem_outbox_waiting"] == {(): 0}
    assert "graphmem_consolidation_lag_seconds" not in found, "nothing was reflected yet"
    client.consolidate()
    later = read(graphmem("metrics", "--prometheus", "--domain", "plant").out)
    assert later["graphmem_waiting_episodes"] == {(): 0}
    assert "graphmem_oldest_waiting_seconds" not in later
    assert 0 <= later["graphmem_consolidation_lag_seconds"][()] < 3600
    assert {labels[0] for labels in later["graphmem_recalls_total"]} == {"plant"}


def test_what_cannot_be_measured_is_an_error_and_no_output(graphmem_at: Callable[..., Inside]) -> None:
    away = graphmem_at("bolt://127.0.0.1:9")("metrics", "--prometheus")
    assert (away.code, away.out) == (1, "")
    assert graphmem_at("bolt://127.0.0.1:9")("metrics", "--prometheus", "--json").code == 2
