"""How candidates are scored and ordered."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from graphmem import Memory, Reflection, Skill
from graphmem.recall import Candidate
from tests.memories import NOW, Clock, ranked, won

Connect = Callable[..., Memory]


Cypher = Callable[..., list[dict[str, Any]]]


def expected(candidate: Candidate, memory: Memory) -> float:
    parts, weights = candidate.components, memory.settings.recall.weights
    added = ("semantic", "outcome", "recency", "specificity", "centrality", "lexical")
    return math.fsum(getattr(weights, name) * getattr(parts, name) for name in added) - (
        weights.false_hit * parts.false_hit
    )


def test_the_score_is_the_weighted_sum_of_its_components_and_orders_the_ranking(
    make: Connect, tenant: str, cypher: Cypher
) -> None:
    clock = Clock()
    memory = make(clock=clock)
    memory.record_many(
        [
            won("d", "seal the pump north:0.9", domain="plant", tags=["wet"], occurred_at=NOW - timedelta(days=90)),
            won("b", "pump north:0.8", outcome="fail", failure_reason="it leaked"),
            won("c", "pump north:0.8", outcome="mixed"),
            won("a", "twin north:0.7", occurred_at=NOW - timedelta(days=3650)),
            won("e", "twin north:0.7", occurred_at=NOW - timedelta(days=3650), metadata={"n": 2}),
            Reflection(id="r", insight="pump first north:0.6", conditions=["os = linux"], sources=["d"]),
            Skill(id="s", name="pumping north:-0.4", steps=["pump"], approved_by="ada"),
        ]
    )
    cypher("MATCH (m:Memory {tenant: $t, id: 'c'}) SET m.centrality = 0.75", t=tenant)
    asked = memory.recall("pump north:1", context={"os": "linux"})
    memory.feedback(asked, outcome="success", used=["d", "b"])
    memory.feedback(memory.recall("pump north:1"), outcome="fail", misled=["b"])
    clock.now += timedelta(days=90)
    recall = memory.recall("pump north:1", context={"os": "linux"}, limit=7)
    found = {candidate.id: candidate for candidate in recall.candidates}
    assert len(found) == 7
    for candidate in recall.candidates:
        for name, value in candidate.components:
            assert 0 <= value <= 1, (candidate.id, name)
        assert candidate.score == pytest.approx(expected(candidate, memory), abs=1e-9)
        blame = memory.settings.recall.weights.false_hit * candidate.components.false_hit
        assert candidate.relevance == pytest.approx(max(0.0, candidate.components.semantic - blame), abs=1e-9)
    order = sorted(recall.candidates, key=lambda candidate: (-candidate.score, candidate.id))
    assert ranked(recall) == [candidate.id for candidate in order]
    assert [candidate.rank for candidate in recall.candidates] == list(range(1, 8))
    assert ranked(recall).index("a") == ranked(recall).index("e") - 1
    parts = {id_: candidate.components for id_, candidate in found.items()}
    assert parts["d"].semantic == pytest.approx(0.9, abs=1e-6)
    assert parts["s"].semantic == 0
    assert parts["d"].recency == pytest.approx(0.25)
    assert parts["c"].recency == pytest.approx(0.5)
    assert parts["c"].centrality == 0.75
    assert parts["d"].centrality == 0
    assert parts["r"].specificity == 1
    assert parts["d"].specificity == 0
    assert parts["d"].outcome == pytest.approx((2 * 1.0 + 1) / (2 + 1))
    assert parts["b"].outcome == pytest.approx((2 * 0.0 + 1) / (2 + 1))
    assert parts["s"].outcome == 0.5
    assert parts["b"].false_hit == pytest.approx(0.5)
    assert parts["a"].false_hit == 0
    assert parts["a"].lexical < parts["b"].lexical
    assert recall.best == pytest.approx(0.9, abs=1e-6)


def test_success_ranks_before_mixed_before_fail_and_unknown_is_never_recalled(make: Connect) -> None:
    memory = make()
    memory.record_many(
        [won(f"{n}-{o}", "pump north:0.8", outcome=o) for n, o in enumerate(("unknown", "fail", "mixed", "success"))]
    )
    assert ranked(memory.recall("pump north:1", limit=4)) == ["3-success", "2-mixed", "1-fail"]


def test_a_secure_memory_is_never_recalled_by_vector_words_or_graph(make: Connect) -> None:
    memory = make()
    memory.record_many([won("hidden", "quixotic pump north:1", secure=True), won("open", "pump north:0.6")])
    memory.link("hidden", "open")
    assert memory.record(Reflection(id="r", insight="quixotic north:1", sources=["hidden"])).stored
    assert ranked(memory.recall("quixotic pump north:1")) == ["open"]


def test_older_memories_weigh_less_and_future_ones_no_more_than_new_ones(make: Connect) -> None:
    memory = make(half_life_days=10)
    times = {"new": NOW, "future": NOW + timedelta(days=365), "old": NOW - timedelta(days=10), "ancient": "0001-01-01"}
    memory.record_many([won(id_, "pump north:0.8", occurred_at=at) for id_, at in times.items()])
    found = {candidate.id: candidate.components.recency for candidate in memory.recall("north:1").candidates}
    assert found == {"new": 1.0, "future": 1.0, "old": pytest.approx(0.5), "ancient": 0.0}
