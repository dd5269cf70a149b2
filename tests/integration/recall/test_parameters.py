"""What was calibrated is read in the same statement, for this scope and domain, and decides."""

from __future__ import annotations

import math
from collections.abc import Callable
from operator import mul
from typing import Any

import pytest

from graphmem import Decision, Memory
from graphmem.errors import StoreError
from graphmem.scope import scope
from graphmem.settings import Weights
from tests.angles import Angles
from tests.memories import ids, won

Connect = Callable[..., Memory]
Cypher = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def calibrated(cypher: Cypher, tenant: str, angles: Angles) -> Callable[..., None]:
    """Write a version of the parameters as it lies in the graph."""

    def write(user: str | None = None, of: str = "", domain: str = "", version: int = 1, **given: Any) -> None:
        plain = {"threshold": 0.5, "band": 0.0, "agreement": 0.0, "contrast": 0.0, "reference": 0.0}
        own = {"scope": scope(tenant + of, user).own, "domain": domain, "version": version, "active": True}
        cypher("CREATE (p:Parameters) SET p = $p", p={**plain, **own, "embedding_model": angles.name, **given})

    return write


def test_the_most_specific_active_parameters_of_the_scope_decide(
    make: Connect, calibrated: Callable[..., None]
) -> None:
    tenant, ann = make(), make(user="ann")
    for client, domain in ((tenant, ""), (tenant, "plant"), (ann, ""), (ann, "plant")):
        assert client.recall("north:1", domain=domain or None).parameters.version == 0
    calibrated(version=1, threshold=0.9, active=False)
    calibrated(version=2, threshold=0.2)
    calibrated(version=3, threshold=0.1, domain="plant")
    calibrated(version=4, threshold=0.1, embedding_model="another")
    calibrated(version=5, threshold=0.1, of="-other")
    calibrated(version=6, threshold=0.3, user="ann")
    calibrated(version=7, threshold=0.1, user="bob", domain="plant")
    asked = ((tenant, None), (tenant, "plant"), (tenant, "lab"), (ann, None), (ann, "plant"), (make(user="eve"), None))
    used = [client.recall("north:1", domain=domain).parameters for client, domain in asked]
    assert [(one.version, one.threshold) for one in used] == [
        (2, 0.2),
        (3, 0.1),
        (2, 0.2),
        (6, 0.3),
        (6, 0.3),
        (2, 0.2),
    ]
    assert make(threshold=0.8).recall("north:1").parameters.version == 0, "who sets θ has the last word"


def test_disagreement_and_crowded_surroundings_raise_the_bar(make: Connect, calibrated: Callable[..., None]) -> None:
    memory = make()
    memory.record_many([won("a", "north:0.9"), won("b", "north:0.6"), won("c", "north:0.3")])
    before = memory.recall("north:1")
    assert before.evidence.best == pytest.approx(0.9, abs=1e-6)
    assert before.evidence.agreed == pytest.approx(0.6, abs=1e-6)
    # Each of a, b, c lies on an axis of its own besides north: their cosines are the products of their norths.
    crowd = (0.54 + 0.27 + 0.54 + 0.18 + 0.27 + 0.18) / 20 / 3
    assert before.evidence.surroundings == pytest.approx(crowd / 2, abs=1e-6)
    assert (before.decision, before.evidence.bar) == (Decision.USE, before.threshold)
    calibrated(threshold=0.7, agreement=0.5, contrast=1.0, reference=0.01)
    after = memory.recall("north:1")
    raised = 0.5 * 0.3 + crowd / 2 - 0.01
    assert after.evidence.bar == pytest.approx(0.7 + raised, abs=1e-6)
    assert after.novelty == pytest.approx(1 - (0.9 - raised), abs=1e-6)
    assert (after.decision, ids(after)) == (Decision.USE, ["a"]), "0.9 is above 0.7 + 0.15 + 0.0065"
    calibrated(domain="d", threshold=0.75, agreement=0.75)
    assert memory.recall("north:1", domain="d").decision is Decision.NOVEL, "of that domain there is nothing"
    calibrated(version=2, user=None, domain="x", threshold=0.75, agreement=0.75)
    memory.record_many(won(f"x{id_}", f"north:{north}", domain="x") for id_, north in (("a", 0.9), ("b", 0.6)))
    judged = memory.recall("north:1", domain="x")
    assert judged.evidence.bar == pytest.approx(0.75 + 0.75 * 0.15, abs=1e-6)
    assert judged.decision is Decision.USE
    assert ids(judged) == ["xa"]


def test_only_ranks_21_to_40_and_the_twenty_nearest_count_as_surroundings(make: Connect, angles: Angles) -> None:
    memory = make(vector_candidates=100)
    texts = [f"north:{0.95 - n / 100:.2f}" for n in range(50)]
    texts[0] += " east:0.3"
    texts[45] += " east:0.85"  # the nearest to the best, but not among the forty nearest to the question
    memory.record_many(won(f"e{n:02}", text) for n, text in enumerate(texts))
    evidence = memory.recall("north:1").evidence
    vectors = angles.embed(texts)
    tail = sum(vector[0] for vector in vectors[20:40]) / 20
    crowd = 0.0
    for a in range(3):
        cosines = [math.fsum(map(mul, vectors[a], other)) for b, other in enumerate(vectors[:40]) if b != a]
        crowd += sum(sorted(cosines, reverse=True)[:20]) / 20 / 3
    assert evidence.surroundings == pytest.approx((tail + crowd) / 2, abs=1e-5)


@pytest.mark.parametrize("others", [0, 1, 2, 30])
def test_other_memories_never_lift_an_unrelated_one(
    make: Connect, calibrated: Callable[..., None], others: int
) -> None:
    memory = make()
    calibrated(threshold=0.5, agreement=1.0, contrast=0.75, reference=0.3)
    memory.record_many([won("far", "north:0.45"), *(won(f"e{n}", f"lamp {n} north:0.4") for n in range(others))])
    recall = memory.recall("north:1")
    assert recall.decision is Decision.NOVEL
    assert recall.evidence.confidence(recall.threshold) <= recall.best


def test_company_is_counted_among_all_that_is_near(make: Connect, calibrated: Callable[..., None]) -> None:
    """In a full store some of the nearest are copies; a θ below that of the settings still holds there."""
    memory = make(vector_candidates=100, band=0.0)
    calibrated(threshold=0.3, contrast=0.1, reference=1.0)
    memory.record_many(won(f"e{n:02}", f"pump north:{0.4 - n / 1000:.3f}") for n in range(50))
    memory.record_many(won(f"copy{n}", "pump north:0.400") for n in range(5))
    recall = memory.recall("pump north:1")
    assert recall.evidence.bar == 0.3
    assert recall.hits


def test_less_company_than_calibrated_on_makes_no_hit(make: Connect, calibrated: Callable[..., None]) -> None:
    """What is novel among many stays so where a filter leaves it alone."""
    memory = make(band=0.0)
    calibrated(threshold=0.3, agreement=0.9)
    far = [won(f"e{n}", f"lamp {n} north:0.1") for n in range(3)]
    memory.record_many([won("odd", "north:0.45", domain="d", tags=["t"]), *far])
    for filters in ({}, {"domain": "d"}, {"tags": ["t"]}):
        assert memory.recall("north:1", **filters).decision is Decision.NOVEL, filters


@pytest.mark.parametrize(
    "damage",
    [{"threshold": None}, {"threshold": -1.0}, {"agreement": -5.0}, {"band": None}, {"weight_semantic": 1.0}],
)
def test_damaged_parameters_are_told_and_lift_nothing(
    make: Connect, calibrated: Callable[..., None], damage: dict[str, Any]
) -> None:
    memory = make()
    memory.record(won("far", "north:0.2"))
    calibrated(**damage)
    if "weight_semantic" in damage:
        assert memory.recall("north:1").decision is Decision.NOVEL
    else:
        with pytest.raises(StoreError, match=r"^version 1 of the parameters of domain '' is damaged at \w+; roll back"):
            memory.recall("north:1")


def test_fitted_weights_order_the_ranking_unless_the_settings_name_theirs(
    make: Connect, calibrated: Callable[..., None]
) -> None:
    memory = make()
    memory.record_many([won("near", "north:0.85", outcome="fail"), won("good", "north:0.8")])
    fitted = Weights(
        semantic=1.0, outcome=0.0, recency=0.2, specificity=0.0, false_hit=0.5, centrality=0.0, lexical=0.0
    )
    assert ids(memory.recall("north:1")) == ["good", "near"]
    calibrated(**{f"weight_{name}": value for name, value in fitted})
    recall = memory.recall("north:1")
    assert ids(recall) == ["near", "good"]
    assert recall.parameters.weights == fitted
    for hit in recall.hits:
        parts = hit.components
        assert math.isclose(hit.score, parts.semantic + 0.2 * parts.recency, abs_tol=1e-9)
    named = make(weights=Weights(outcome=0.5))
    assert ids(named.recall("north:1")) == ["good", "near"]
