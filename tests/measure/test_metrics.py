"""Metrics on the real server: decisions, false hits, conversion, failure modes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from importlib import import_module
from typing import Any

import pytest

from graphmem import Episode, Memory, Reflection
from graphmem.embed import Embedder
from graphmem.scope import Scope
from tests.angles import Angles
from tests.measure.planting import Planter
from tests.memories import NOW, Clock, won

Cypher = Callable[..., list[dict[str, Any]]]


def test_nothing_was_asked(client: Any) -> None:
    measured = client.metrics()
    assert measured.domains == ()
    assert measured.patterns == ()
    assert (measured.conversion.contexts, measured.conversion.days) == (0, None)


def test_decisions_and_false_hits_by_domain(client: Any, planter: Planter, boiler: str) -> None:
    wrong = [planter.edge(boiler), planter.edge(boiler, misled="x")]
    right = [planter.edge(boiler, used=True)]
    said = [
        ({"domain": "plant"}, right),
        ({"domain": "plant", "outcome": "fail"}, wrong),
        ({"domain": "plant", "outcome": "fail", "decision": "verify"}, wrong),
        ({"domain": "plant", "outcome": "fail", "decision": "novel"}, wrong),
        ({"domain": "plant", "outcome": None}, []),
        ({"domain": "plant", "outcome": None, "decision": "policy_only"}, []),
        ({"domain": "plant", "decision": "corrected", "best": None}, wrong),
        ({"domain": "plant", "expires_at": datetime(2020, 1, 1, tzinfo=UTC)}, wrong),
        ({"lexical_only": True, "outcome": "fail"}, wrong),
        ({"decision": "novel", "outcome": None}, []),
    ]
    planter.plant([(planter.receipt(number, **about), edges) for number, (about, edges) in enumerate(said)])
    first, plant = client.metrics().domains
    assert plant.model_dump() == {
        "domain": "plant", "asked": 6, "use": 3, "verify": 1, "novel": 1, "policy_only": 1,
        "labelled": 4, "false_hits": 2, "false_hit_rate": 0.5, "judged": 0, "precision_at_3": None,
    }  # fmt: skip
    assert (first.domain, first.asked, first.labelled, first.false_hits) == ("", 2, 1, 1)
    assert client.metrics(domain="plant").domains == (plant,)
    assert client.metrics(domain="").domains == (first,)
    assert client.metrics(domain="nowhere").domains == ()


UNRANKED = {"rank": None, "hit": False, "semantic": None}
LABELS: dict[str, tuple[list[dict[str, Any]], bool | None]] = {
    "the first hit was relevant": ([{"relevant": True}, {"rank": 2, "relevant": False}], True),
    "the first hit was not": ([{"relevant": False}, {"rank": 2, "relevant": True}], False),
    "only of the second hit anything was said": ([{}, {"rank": 2, "relevant": True}], None),
    "what ranks before the first hit is below the bar": (
        [{"hit": False, "relevant": False}, {"rank": 2, "relevant": True}], True,
    ),
    "only of what is below the bar anything was said": ([{"hit": False, "relevant": False}, {"rank": 2}], None),
    "without hits, the best ranked candidate was not": ([{"hit": False, "relevant": False}], False),
    "without hits, only of the second anything was said": ([{"hit": False, "rank": 2, "relevant": True}], None),
    "the receipt does not know the rank": ([{**UNRANKED, "relevant": True}], None),
    "a hit, and one whose rank is not known": ([{"rank": 2, "relevant": True}, {**UNRANKED, "relevant": False}], True),
    "what misled was the first hit": ([{}, {"misled": "x"}], False),
    "what misled was not a candidate": ([{}, {"at": 1, "misled": "x"}], None),
}  # fmt: skip


@pytest.mark.parametrize(("edges", "label"), LABELS.values(), ids=LABELS)
def test_a_recall_is_labelled_by_a_word_on_its_first_memory(
    client: Any, planter: Planter, edges: list[dict[str, Any]], label: bool | None
) -> None:
    client.record_many([won("m0"), won("m1", "lamp"), won("m2", "pump")])
    told = [{**edge} for edge in edges]
    places = [edge.pop("at", 0 if "misled" in edge else number) for number, edge in enumerate(told)]
    edged = [planter.edge(f"m{place}", **edge) for place, edge in zip(places, told, strict=True)]
    planter.plant([(planter.receipt(1, outcome="fail"), edged)])
    (found,) = client.metrics().domains
    assert (found.labelled, found.false_hits) == (label is not None, label is False)


def test_labels_of_real_recalls_are_those_of_the_first_memory(connect: Callable[..., Memory]) -> None:
    memory = connect(embedder=Angles("bge-small-en-v1.5"))
    memory.record_many([won(f"e{n}", f"pump {n} north:0.{9 - n}") for n in range(6)])
    answered, novel = memory.recall("north:1"), memory.recall("east:1")
    assert [answered.decision.value, novel.decision.value] == ["use", "novel"]
    for recall in (answered, novel):
        memory.judge(recall, irrelevant=[found.id for found in recall.candidates[1:]])
        (found,) = memory.metrics().domains
        assert found.labelled == 0, "nothing was said of the first"
    memory.feedback(answered, outcome="fail", misled=[answered.hits[0].id])
    memory.judge(novel.to_json(), relevant=[novel.candidates[0].id])
    (found,) = memory.metrics().domains
    assert (found.labelled, found.false_hits) == (2, 1)


def test_precision_counts_what_a_person_judged_among_the_first_three(
    client: Any, planter: Planter, boiler: str
) -> None:
    client.record_many([won("m1", "lamp"), won("m2", "pump"), won("m3", "hose"), won("m4", "door")])
    planter.plant([
        (planter.receipt(1, domain="plant"), [
            planter.edge(boiler, relevant=True), planter.edge("m1", 2, relevant=False),
            planter.edge("m2", 3, used=True), planter.edge("m3", 4, relevant=False),
            planter.edge("m4", **UNRANKED, relevant=False),
        ]),
        (planter.receipt(2, domain="plant"), [planter.edge(boiler, 3, hit=False, relevant=True)]),
        (planter.receipt(3), [planter.edge(boiler, used=True)]),
    ])  # fmt: skip
    none, plant = client.metrics().domains
    assert (plant.judged, plant.precision_at_3) == (3, pytest.approx(2 / 3))
    assert (none.judged, none.precision_at_3) == (0, None)


def test_of_very_many_recalls_and_memories_the_newest_and_best_are_read(
    client: Any, planter: Planter, boiler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.record(won("second", "lamp"))
    new = {"context_hash": "h", "outcome": None}
    planter.plant([
        (planter.receipt(1, **new, decision="novel"), []),
        (planter.receipt(2, **new, decision="novel"), []),
        (planter.receipt(3, **new), [planter.edge(boiler), planter.edge("second", 2, relevant=False)]),
    ])  # fmt: skip
    for looked, asked in ((3, 3), (2, 2), (1, 0)):
        monkeypatch.setattr(import_module("graphmem.measure.metrics"), "MOST", looked)
        found = client.metrics().conversion
        assert (found.contexts, found.zero_shot.unknown, found.converted) == (asked > 0, max(0, asked - 1), asked > 0)
    for words, judged in ((2, 1), (1, 0)):
        monkeypatch.setattr(import_module("graphmem.measure.receipts"), "WORDS", words)
        assert [one.judged for one in client.metrics().domains] == [judged]


def test_what_is_kept_and_what_waits_is_counted_in_the_own_scope(connect: Callable[..., Memory]) -> None:
    clock = Clock()
    memory = connect(clock=clock)
    memory.record(won("a", "lamp"))
    clock.now += timedelta(hours=10)
    memory.record_many([won("b", "pump"), won("c", "door", outcome="unknown"), won("d", "hose", expires_at=NOW)])
    found = memory.metrics()
    assert [(one.kind.value, one.status.value, one.memories) for one in found.stock] == [
        ("episode", "active", 2),
        ("episode", "audit", 1),
    ]
    assert (found.lag.waiting, found.lag.oldest, found.lag.waited) == (2, NOW, None)
    clock.now += timedelta(hours=2)
    memory.consolidate()
    found = memory.metrics()
    assert (found.lag.waiting, found.lag.oldest) == (0, None)
    assert found.lag.waited is not None
    assert (found.lag.waited.lower, found.lag.waited.median, found.lag.waited.upper) == (
        4.5 * 3600,
        7 * 3600,
        9.5 * 3600,
    )
    other = connect(user="u7").metrics()
    assert (other.stock, other.lag.waiting) == ((), 0)


def test_another_scope_is_not_measured(client: Any, planter: Planter, boiler: str, cypher: Cypher, tenant: str) -> None:
    planter.labelled(10, boiler)
    foreign = Planter(cypher, Scope(f"{tenant}-x"))
    foreign.plant([(foreign.receipt(1), [])])
    mine = Planter(cypher, Scope(tenant, "u7"))
    mine.plant([(mine.receipt(1), [])])
    assert sum(one.asked for one in client.metrics().domains) == 10


def test_a_context_is_followed_from_novel_to_answered(connect: Callable[..., Memory], embedder: Embedder) -> None:
    clock = Clock()
    memory = connect(embedder=Angles(embedder.name), clock=clock)

    def ask(**given: Any) -> str:
        clock.now += timedelta(days=1)
        about = {"domain": "plant", "task_type": "repair", **given}
        recall = memory.recall("north:1", receipt=True, **about)
        if "outcome" not in given and recall.decision.value == "novel":
            memory.feedback(recall, outcome="success")
        return recall.decision.value

    assert [ask(), ask(task_type="other")] == ["novel", "novel"]
    memory.record(won("far", "pump east:1", domain="plant", task_type="repair"))
    assert ask() == "novel"
    memory.record(won("near", "pump north:0.9", domain="plant", task_type="repair"))
    assert [ask(), ask()] == ["use", "use"]
    found = memory.metrics().conversion
    assert (found.contexts, found.asked_again, found.one_shot, found.few_shot, found.converted) == (2, 1, 1, 1, 1)
    assert found.days == pytest.approx(3.0)
    assert found.zero_shot.success == 3
    assert memory.metrics(domain="lab").conversion.contexts == 0


def test_failures_that_recur_are_listed_by_domain(connect: Callable[..., Memory], embedder: Embedder) -> None:
    memory = connect(embedder=Angles(embedder.name), clock=Clock())

    def failed(id_: str, reason: str, domain: str = "plant", **fields: Any) -> Episode:
        return Episode(id=id_, task=f"pump {id_}", outcome="fail", failure_reason=reason, domain=domain, **fields)

    memory.record_many([
        failed("a", "Timeout after 30 s", occurred_at=NOW - timedelta(days=3)),
        failed("b", "timeout after 45 s.", occurred_at=NOW - timedelta(days=1)),
        failed("c", "no access", domain="lab"),
        failed("d", "no access"),
        failed("hidden", "secret reason", secure=True),
        failed("hidden2", "secret reason", secure=True),
        failed("silent", ""),
        failed("silent2", ""),
        failed("gone", "no access", expires_at=NOW),
        won("fine", failure_reason="no access"),
        Reflection(id="r", insight="retry", failure_mode="TIMEOUT after 1 s", domain="plant", occurred_at="2025-05-30"),
        won("m", "pump north:0.9", domain="plant"),
    ])  # fmt: skip
    for _ in range(2):
        memory.feedback(memory.recall("north:1"), outcome="fail", misled=["m"], reason="wrong valve")
    memory.correct(wrong="m", right="fine", reason="Wrong valve", context="north:0.9 east:0.1")
    valve, timeout = memory.metrics().patterns
    assert timeout.model_dump() == {
        "domain": "plant", "mode": "timeout after 45 s.", "count": 3, "last_seen": NOW - timedelta(days=1),
        "examples": ("b", "r", "a"),
    }  # fmt: skip
    assert (valve.domain, valve.mode.casefold(), valve.count, valve.examples) == ("plant", "wrong valve", 3, ("m",))
    assert memory.metrics(domain="lab").patterns == ()


def test_why_an_expired_memory_misled_is_not_quoted(connect: Callable[..., Memory], embedder: Embedder) -> None:
    clock = Clock()
    memory = connect(embedder=Angles(embedder.name), clock=clock)
    memory.record(won("m", "pump north:0.9", domain="plant", expires_at=NOW + timedelta(days=1)))
    for _ in range(2):
        memory.feedback(memory.recall("north:1"), outcome="fail", misled=["m"], reason="wrong valve")
    assert [found.examples for found in memory.metrics().patterns] == [("m",)]
    clock.now += timedelta(days=1)
    assert memory.metrics().patterns == ()


def test_what_a_secure_memory_corrects_in_a_context_is_not_quoted(
    connect: Callable[..., Memory], embedder: Embedder
) -> None:
    memory = connect(embedder=Angles(embedder.name), clock=Clock())
    memory.record_many(
        [won("m", "pump north:0.9"), won("open", "pump east:1"), won("hidden", "pump west:1", secure=True)]
    )
    for context in ("north:1", "north:0.95 east:0.05"):
        memory.correct(wrong="m", right="open", reason="wrong valve", context=context)
        memory.correct(wrong="m", right="hidden", reason="of hidden", context=f"{context} again")
    assert [(found.mode, found.count) for found in memory.metrics().patterns] == [("wrong valve", 2)]
