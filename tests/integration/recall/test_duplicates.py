"""One memory for each group of duplicates, and how each candidate was come upon."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from graphmem import Decision, Memory
from graphmem.settings import Weights
from tests.memories import ids, ranked, won

Connect = Callable[..., Memory]
Cypher = Callable[..., list[dict[str, Any]]]


def test_of_equal_memories_the_best_is_given(make: Connect) -> None:
    shared, ann = make(), make(user="ann")
    for client, id_ in ((shared, "b"), (shared, "c"), (ann, "a")):
        client.record(won(id_, "pump north:0.9"))
    shared.record(won("other", "pump north:0.8"))
    recall = shared.recall("north:1")
    assert (ids(recall), recall.left.duplicates) == (["b", "other"], 1)
    assert ids(ann.recall("north:1")) == ["a", "other"]
    shared.feedback(recall.model_copy(update={"id": "again"}), outcome="fail", used=["b"])
    assert ids(shared.recall("north:1")) == ["c", "other"]


def test_of_linked_duplicates_the_best_is_given_through_any_chain(make: Connect) -> None:
    memory = make()
    memory.record_many(won(f"e{n}", f"pump {n} north:{0.7 + n / 20}") for n in range(5))
    memory.link("e0", "e1", kind="duplicate")
    memory.link("e2", "e1", kind="duplicate")
    memory.link("e4", "e3", kind="similar")
    recall = memory.recall("north:1", limit=10)
    assert ids(recall) == ["e4", "e3", "e2"]
    assert recall.left.duplicates == 2
    assert [candidate.rank for candidate in recall.candidates] == [1, 2, 3]


def test_what_one_user_calls_a_duplicate_is_none_for_others(make: Connect) -> None:
    shared, ann, bob = make(), make(user="ann"), make(user="bob")
    shared.record_many([won("a", "pump 1 north:0.9"), won("b", "pump 2 north:0.8")])
    ann.link("a", "b", kind="duplicate")
    assert ids(ann.recall("north:1")) == ["a"]
    assert ids(bob.recall("north:1")) == ids(shared.recall("north:1")) == ["a", "b"]


@pytest.mark.parametrize("weights", [{}, {"centrality": 1000.0}, {"outcome": 1000.0}])
def test_the_most_relevant_of_a_group_decides_whichever_ranks_first(
    make: Connect, tenant: str, cypher: Cypher, weights: dict[str, float]
) -> None:
    memory = make(weights=Weights(**weights), threshold=0.7, band=0.0)
    memory.record_many([won("a", "pump 1 north:0.71", outcome="fail"), won("b", "pump 2 north:0.69")])
    memory.link("a", "b", kind="duplicate")
    cypher("MATCH (m:Memory {tenant: $t, id: 'b'}) SET m.centrality = 1.0", t=tenant)
    recall = memory.recall("north:1")
    assert (recall.decision, ids(recall)) == (Decision.USE, ["a"])
    assert recall.best == pytest.approx(0.71, abs=1e-6)


@pytest.mark.parametrize("limit", [1, 3])
def test_duplicates_take_no_place_from_others(make: Connect, limit: int) -> None:
    memory = make()
    memory.record_many([won(f"d{n}", "pump north:0.95") for n in range(20)] + [won("x", "valve north:0.7")])
    assert ids(memory.recall("pump north:1", limit=limit)) == ["d0", "x"][:limit]


def test_each_candidate_says_how_it_was_come_upon(make: Connect) -> None:
    memory = make(vector_candidates=1, text_candidates=1)
    memory.record_many(
        [
            won("v", "valve north:0.95"),
            won("w", "pump west north:0.2"),
            *(won(id_, f"lamp {id_} north:0.6") for id_ in "nmr"),
        ]
    )
    memory.link("v", "n")
    memory.link("n", "m", kind="follows")
    memory.correct(wrong="m", right="r", reason="outdated")
    recall = memory.recall("pump north:1", limit=1)
    assert {candidate.id: (candidate.path, candidate.replaces) for candidate in recall.candidates} == {
        "v": (("vector",), None),
        "w": (("text",), None),
        "n": (("v", "similar"), None),
        "r": (("v", "similar", "n", "follows"), "m"),
    }
    assert set(ranked(memory.recall("valve north:1", limit=1))) >= {"v"}
    (both,) = (found for found in memory.recall("valve north:1", limit=1).candidates if found.id == "v")
    assert both.path == ("vector", "text")
