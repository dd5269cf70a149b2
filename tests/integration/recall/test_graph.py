"""What is found through the graph, and what is not."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from graphmem import Memory
from tests.memories import NOW, Clock, ids, ranked, won

Connect = Callable[..., Memory]


def graph_only(make: Connect, **rules: Any) -> Memory:
    """With limit 1, one seed by vector and one by words: everything else is reached through the graph alone."""
    return make(**{"vector_candidates": 1, "text_candidates": 1, **rules})


def test_neighbours_within_two_hops_are_found_through_the_graph_alone(make: Connect) -> None:
    memory = graph_only(make)
    memory.record_many(
        [won("seed", "pump north:0.95")] + [won(f"h{n}", "lamp north:0.7", metadata={"n": n}) for n in (1, 2, 3)]
    )
    for pair in (("seed", "h1"), ("h1", "h2"), ("h2", "h3")):
        memory.link(*pair)
    recall = memory.recall("pump north:1", limit=1)
    assert {candidate.id: candidate.hop for candidate in recall.candidates} == {"seed": 0, "h1": 1, "h2": 2}
    assert ids(recall) == ["seed"]
    assert not recall.cut


def test_a_neighbour_in_the_graph_may_be_the_best_answer(make: Connect) -> None:
    memory = graph_only(make)
    memory.record_many([won("seed", "pump north:0.75", outcome="fail"), won("better", "lamp north:0.72")])
    assert ids(memory.recall("pump north:1", limit=1)) == ["seed"]
    memory.link("seed", "better")
    recall = memory.recall("pump north:1", limit=1)
    assert [(hit.id, hit.hop) for hit in recall.hits] == [("better", 1)]


@pytest.mark.parametrize(
    "fields", [{"outcome": "unknown"}, {"secure": True}, {"expires_at": NOW}, {"expires_at": NOW - timedelta(days=1)}]
)
def test_a_neighbour_that_may_not_be_recalled_is_not_found_nor_passed(make: Connect, fields: dict[str, Any]) -> None:
    past = Clock()
    past.now = NOW - timedelta(days=2)
    memory = graph_only(make, clock=past)
    memory.record_many(
        [won("seed", "pump north:0.95"), won("shut", "lamp north:0.7", **fields), won("far", "lime north:0.7")]
    )
    memory.link("seed", "shut")
    memory.link("shut", "far")
    past.now = NOW
    assert ranked(memory.recall("pump north:1", limit=1)) == ["seed"]


def test_an_expired_memory_is_no_way_to_its_neighbours_either(make: Connect) -> None:
    clock = Clock()
    memory = graph_only(make, clock=clock)
    memory.record_many(
        [
            won("seed", "pump north:0.95"),
            won("gone", "quixotic", expires_at=NOW + timedelta(days=1)),
            won("far", "lime"),
        ]
    )
    memory.link("gone", "far")
    assert set(ranked(memory.recall("quixotic north:1", limit=1))) == {"seed", "gone", "far"}
    clock.now += timedelta(days=2)
    assert ranked(memory.recall("quixotic north:1", limit=1)) == ["seed"]


def test_a_hub_is_cut_and_the_answer_says_so(make: Connect) -> None:
    memory = graph_only(make, fanout=5, neighbours=4)
    memory.record_many(
        [won("seed", "pump north:0.95")] + [won(f"n{n}", "lamp north:0.7", metadata={"n": n}) for n in range(12)]
    )
    for n in range(12):
        memory.link("seed", f"n{n}")
    recall = memory.recall("pump north:1", limit=1)
    assert recall.cut
    assert "left out" in recall.explain()
    assert sum(candidate.hop == 1 for candidate in recall.candidates) == 4
