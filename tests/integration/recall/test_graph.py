"""What is found through the graph, and what is not."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from graphmem import Memory
from tests.memories import NOW, Clock, ids, ranked, won

Connect = Callable[..., Memory]
Cypher = Callable[..., list[dict[str, Any]]]


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


@pytest.mark.parametrize(
    ("rules", "kept"), [({"fanout": 5}, 5), ({"neighbours": 4}, 4), ({"fanout": 5, "neighbours": 4}, 4), ({}, 8)]
)
def test_a_hub_is_cut_and_the_answer_says_so(make: Connect, rules: dict[str, int], kept: int) -> None:
    memory = graph_only(make, **rules)
    memory.record_many(
        [won("seed", "pump north:0.95")] + [won(f"n{n}", "lamp north:0.7", metadata={"n": n}) for n in range(8)]
    )
    for n in range(8):
        for kind in ("similar", "follows"):  # two links to one neighbour are one neighbour
            memory.link("seed", f"n{n}", kind=kind)
    recall = memory.recall("pump north:1", limit=1)
    assert recall.cut == bool(rules)
    assert ("\ncut: " in recall.explain()) == bool(rules)
    assert sum(candidate.hop == 1 for candidate in recall.candidates) == kept


def test_a_hub_of_many_thousand_neighbours_neither_floods_nor_hides(make: Connect, tenant: str, cypher: Cypher) -> None:
    """Most of its neighbours are closed, or another user's business: what may be seen is found, and cut."""
    memory = graph_only(make)
    memory.record_many([won("hub", "pump north:0.95"), won("best", "lamp north:0.9")])
    cypher(
        "MATCH (hub:Memory {tenant: $t, id: 'hub'}) UNWIND range(1, 20000) AS n "
        "CREATE (hub)-[:RELATES {kind: 'similar', scope: 'another', weight: 1.0}]->"
        "(:Memory {tenant: $t, scope: CASE WHEN n % 2 = 0 THEN hub.scope ELSE 'another' END, id: 'x' + n})",
        t=tenant,
    )
    memory.link("hub", "best")
    recall = memory.recall("pump north:1", limit=1)
    assert {candidate.id: candidate.hop for candidate in recall.candidates} == {"hub": 0, "best": 1}
    assert not recall.cut
    cypher("MATCH (:Memory {tenant: $t, id: 'hub'})-[e:RELATES]-(x) SET e.scope = x.scope", t=tenant)
    recall = memory.recall("pump north:1", limit=1)
    assert len(recall.candidates) <= 2
    assert recall.cut, "a thousand of them were looked at, though none may be recalled"
    cypher("MATCH (x:Memory {tenant: $t}) WHERE x.recall_key IS NULL DETACH DELETE x", t=tenant)


@pytest.mark.parametrize("layers", [3, 12])
def test_layers_of_corrections_lead_to_the_last_in_time(make: Connect, layers: int) -> None:
    """Each of two memories corrects both of the layer below: 2 to the power of the layers ways, one end."""
    memory = make()
    memory.record_many(won(f"{n:02}{side}", f"pump {n} {side} north:0.9") for n in range(layers) for side in "ab")
    memory.record(won("last", "pump last north:0.3"))
    below: tuple[str, ...] = ()
    for right in [*((f"{n:02}a", f"{n:02}b") for n in range(layers)), ("last",)]:
        for one in right:
            for wrong in below:
                memory.correct(wrong=wrong, right=one, reason="newer")
        below = right
    recall = memory.recall("north:1")
    assert ids(recall) == ["last"]
    assert recall.best == pytest.approx(0.9, abs=1e-6)
