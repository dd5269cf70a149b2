"""Calibration on the real server: what it learns from, what it writes, how it is taken back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphmem import Memory
from graphmem.errors import ConfigurationError, InvalidInput
from graphmem.measure.conformal import Labelled, fit
from graphmem.settings import Settings
from tests.measure.planting import PLAIN, Planter
from tests.memories import won

Connect = Callable[..., Memory]
Cypher = Callable[..., list[dict[str, Any]]]
Versions = Callable[[], list[tuple[str, int, bool]]]


def test_it_fits_what_the_receipts_say_and_recall_goes_by_it(
    client: Any, planter: Planter, boiler: str, versions: Versions
) -> None:
    labels = planter.labelled(90, boiler, domain="plant")
    done = client.calibrate(domain="plant", false_hit_rate=0.1, by="ada")
    wanted = fit(labels, 0.1)
    assert done.fit == wanted
    assert (done.domain, done.version, done.labelled, done.false_hit_rate) == ("plant", 1, 90, 0.1)
    assert (done.fit.chosen_on, done.fit.fitted_on) == (30, 60)
    assert done.trial.reason == "0 recalls have right and wrong memories, at least 30 are needed"
    assert done.warnings == ()
    assert versions() == [("plant", 1, True)]
    (found,) = client.parameters(domain="plant")
    assert found.parameters == done.parameters
    assert (found.active, found.by, found.embedding_model, found.labelled) == (True, "ada", "bge-small-en-v1.5", 90)
    recall = client.recall("Descale the boiler", domain="plant", receipt=True)
    assert recall.parameters == done.parameters.model_copy(update=PLAIN)
    assert recall.threshold == wanted.threshold
    assert client.recall("Descale the boiler", domain="other").parameters.version == 0
    assert client.recall("Descale the boiler").parameters.version == 0


def test_a_receipt_names_the_version_that_decided(
    client: Any, planter: Planter, boiler: str, cypher: Cypher, tenant: str
) -> None:
    planter.labelled(60, boiler)
    client.calibrate()
    client.record_many([won(f"e{number}", f"Descale the kettle of room {number}") for number in range(30)])
    form = {"agreement": 0.5, "contrast": 0.75, "reference": 0.1}
    cypher("MATCH (p:Parameters {tenant: $t, version: 1}) SET p += $form", t=tenant, form=form)
    recall = client.recall("Descale the boiler", receipt=True)
    (row,) = cypher("MATCH (r:Recall {tenant: $t, id: $i}) RETURN r {.*} AS receipt", t=tenant, i=recall.id)
    receipt = row["receipt"]
    assert receipt["parameters"] == 1
    again = Labelled(**{name: receipt[name] for name in ("id", "best", "agreed", "surroundings")}, right=True)
    assert again.best > again.agreed > again.surroundings > 0.1
    assert again.confidence(**form) == pytest.approx(receipt["confidence"])
    assert again.confidence(**form) == pytest.approx(recall.evidence.confidence(recall.threshold))


def test_too_few_labels_change_nothing(client: Any, planter: Planter, boiler: str, versions: Versions) -> None:
    planter.labelled(49, boiler)
    with pytest.raises(
        InvalidInput, match=r"^49 labelled recalls are too few to keep false hits at 0\.05: 50 are needed"
    ):
        client.calibrate()
    planter.labelled(10, boiler, first=49)
    with pytest.raises(InvalidInput, match=r"^59 labelled recalls .*148 are needed"):
        client.calibrate(false_hit_rate=0.01)
    assert versions() == []


@pytest.mark.parametrize("rate", [0, 1, -0.1, float("nan"), 5])
def test_a_target_outside_0_and_1_is_refused(client: Any, rate: float) -> None:
    with pytest.raises(InvalidInput, match="false_hit_rate"):
        client.calibrate(false_hit_rate=rate)


NOW = datetime.now(UTC)
NO_LABELS: dict[str, dict[str, Any]] = {
    "another domain": {"domain": "lab"},
    "another model": {"embedding_model": "other"},
    "by words alone": {"lexical_only": True},
    "expired": {"expires_at": NOW - timedelta(days=1)},
    "a correction": {"best": None, "decision": "corrected"},
    "from before surroundings were noted": {"surroundings": None},
    "unknown outcome": {"outcome": "unknown"},
    "a failed use": {"outcome": "fail"},
    "nothing was said": {"outcome": None},
}


@pytest.mark.parametrize("given", NO_LABELS.values(), ids=NO_LABELS)
def test_what_is_no_label_is_not_counted(client: Any, planter: Planter, boiler: str, given: dict[str, Any]) -> None:
    planter.plant(
        [(planter.receipt(n, **{"domain": "plant", **given}), [planter.edge(boiler, used=True)]) for n in range(60)]
    )
    with pytest.raises(InvalidInput, match=r"^0 labelled recalls"):
        client.calibrate(domain="plant")


def test_a_word_on_the_first_memory_labels_a_recall(client: Any, planter: Planter, boiler: str) -> None:
    client.record_many([won("second", "lamp"), won("third", "pump")])
    told: list[tuple[dict[str, Any], list[dict[str, Any]], bool | None]] = [
        ({}, [planter.edge(boiler, used=True), planter.edge("second", 2)], True),
        ({}, [planter.edge(boiler), planter.edge("second", 2, used=True)], None),
        ({"outcome": "mixed"}, [planter.edge(boiler, used=True), planter.edge("second", 2, misled="x")], True),
        ({}, [planter.edge(boiler, 1), planter.edge(boiler, misled="x"), planter.edge("second", 2, used=True)], False),
        ({"outcome": None}, [planter.edge(boiler, relevant=True), planter.edge("second", 2, relevant=False)], True),
        ({"outcome": None}, [planter.edge(boiler, relevant=False), planter.edge("second", 2, relevant=True)], False),
        ({"outcome": "fail"}, [planter.edge(boiler, used=True), planter.edge("second", 2, relevant=False)], None),
        ({"outcome": "fail"}, [planter.edge(boiler), planter.edge("third", misled="named, was no candidate")], None),
    ]
    rows, labels = [], []
    for number in range(12 * len(told)):
        about, edges, right = told[number % len(told)]
        rows.append((planter.receipt(number, best=0.9 if right else 0.5, agreed=0.5, **about), edges))
        labels.append(right)
    planter.plant(rows)
    done = client.calibrate(false_hit_rate=0.1)
    assert done.labelled == len([right for right in labels if right is not None]) == 60
    assert 0.5 <= done.parameters.threshold < 0.9
    assert done.fit.right_answers == pytest.approx(0.6, abs=0.15)


def test_without_a_domain_every_recall_counts_and_every_question_goes_by_it(
    client: Any, planter: Planter, boiler: str
) -> None:
    planter.labelled(40, boiler, domain="plant")
    planter.labelled(40, boiler, domain="lab", first=40)
    assert client.calibrate().labelled == 80
    assert client.recall("Descale the boiler", domain="plant").parameters.version == 1
    planter.labelled(40, boiler, domain="plant", first=80)
    own = client.calibrate(domain="plant", false_hit_rate=0.2)
    assert own.version == 1
    assert client.recall("Descale the boiler", domain="plant").parameters == own.parameters.model_copy(update=PLAIN)
    assert client.recall("Descale the boiler", domain="lab").parameters.domain == ""


def test_weights_are_fitted_kept_and_used(client: Any, planter: Planter, boiler: str) -> None:
    client.record(won("lamp", "Mend the lamp"))
    rows = []
    for n in range(90):
        good, bad = ({"semantic": 0.80 - 0.001 * (n % 9), "outcome": 1.0}, {"semantic": 0.85, "outcome": 0.0})
        edges = [
            planter.edge("lamp", 1, misled="x"),
            planter.edge("lamp", 1, **bad),
            planter.edge(boiler, 2, used=True, **good),
        ]
        rows.append(
            (planter.receipt(n, best=0.5, agreed=0.5), edges if n % 2 else [planter.edge(boiler, 1, used=True)])
        )
    planter.plant(rows)
    done = client.calibrate(false_hit_rate=0.6)
    assert done.trial.weights is None, "with the defaults these are in the right order"
    planter.plant([
        (planter.receipt(n, best=0.5, agreed=0.5), [
            planter.edge("lamp", 1, relevant=False, semantic=0.95, outcome=0.5),
            planter.edge(boiler, 2, relevant=True, semantic=0.8, outcome=1.0),
        ]) for n in range(100, 200)
    ])  # fmt: skip
    done = client.calibrate(false_hit_rate=0.8)
    assert done.trial.weights is not None, done.trial.reason
    assert done.trial.weights.outcome > 0.3
    assert done.parameters.weights == done.trial.weights
    recall = client.recall("Descale the boiler")
    assert recall.parameters.weights == done.trial.weights
    (first, *_) = recall.candidates
    parts, weights = first.components.model_dump(), done.trial.weights.model_dump()
    signs = {"false_hit": -1}
    assert first.score == pytest.approx(sum(signs.get(name, 1) * weights[name] * parts[name] for name in parts))
    again = client.calibrate(false_hit_rate=0.8)
    assert again.trial.weights is None
    assert again.parameters.weights == done.trial.weights
    client.rollback(version=1)
    assert client.recall("Descale the boiler").parameters.weights == PLAIN["weights"]


def test_settings_outrank_and_say_so(connect: Connect, planter: Planter, settings: Settings) -> None:
    strict = settings.model_copy(update={"recall": settings.recall.model_copy(update={"threshold": 0.9})})
    memory = connect(settings=strict)
    memory.record(won("boiler"))
    planter.labelled(60, "boiler")
    assert memory.calibrate().warnings == ("GRAPHMEM_RECALL__THRESHOLD is set, and outranks what was calibrated",)
    assert memory.recall("Descale the boiler").threshold == 0.9


def test_without_an_embedding_model_there_is_nothing_to_calibrate(settings: Settings, tenant: str) -> None:
    none = settings.model_copy(update={"embedding": settings.embedding.model_copy(update={"model": "none"})})
    with Memory(tenant, settings=none) as memory, pytest.raises(ConfigurationError, match="no embedding model"):
        memory.calibrate()
