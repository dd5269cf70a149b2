"""Corrections: who takes whose place."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from graphmem import Memory
from graphmem.errors import InvalidInput, NotFound
from tests.memories import NOW, Clock, ids, ranked, won

Connect = Callable[..., Memory]


Cypher = Callable[..., list[dict[str, Any]]]


def test_a_correction_everywhere_takes_the_place_of_the_wrong_one(memory: Memory) -> None:
    memory.record_many([won("wrong", "pump north:0.9"), won("right", "lamp north:0.1")])
    first = memory.recall("north:1")
    assert ids(first) == ["wrong"]
    for _ in range(2):
        told = memory.correct(wrong="wrong", right="right", reason="it floods")
        assert (told.everywhere, told.contexts, told.warnings) == (True, (), ())
        recall = memory.recall("north:1")
        assert ranked(recall) == ["right"]
        assert ids(recall) == ["right"]
        assert recall.hits[0].replaces == "wrong"
        assert recall.hits[0].relevance == pytest.approx(0.9)
    assert memory.get("wrong").id == "wrong"


def test_a_correction_in_a_context_holds_there_and_only_there(memory: Memory, cypher: Cypher, tenant: str) -> None:
    memory.record_many([won("wrong", "pump north:0.7 east:0.7"), won("right", "lamp")])
    for _ in range(2):
        told = memory.correct(wrong="wrong", right="right", reason="it floods", context="north:1")
        assert (told.everywhere, told.contexts) == (False, ("north:1",))
        assert cypher("MATCH (:Memory {tenant: $t})<-[x:MISLED]-() RETURN count(x) AS n", t=tenant) == [{"n": 1}]
        assert ids(memory.recall("north:1")) == ["right"]
        assert ids(memory.recall("north:0.95")) == ["right"]
        assert ids(memory.recall("east:1")) == ["wrong"]
        assert ids(memory.recall("north:0.84 east:0.5")) == ["wrong"]
    assert memory.correct(wrong="wrong", right="right", reason="it floods", context="east:1").contexts == (
        "north:1",
        "east:1",
    )
    assert ids(memory.recall("east:1")) == ["right"]


def test_blame_in_another_context_does_not_spread_a_correction(memory: Memory) -> None:
    memory.record_many([won("wrong", "pump north:0.7 east:0.7"), won("right", "lamp")])
    memory.correct(wrong="wrong", right="right", reason="it floods", context="north:1")
    memory.feedback(memory.recall("east:1"), outcome="fail", misled=["wrong"])
    assert "right" not in [hit.id for hit in memory.recall("east:1").hits]
    assert memory.recall("east:1").candidates[0].replaces is None


@pytest.mark.parametrize("length", [2, 3, 8])
def test_a_chain_of_corrections_leads_to_its_end(memory: Memory, length: int) -> None:
    memory.record_many([won("c0", "pump north:0.9")] + [won(f"c{n}", f"lamp {n}") for n in range(1, length + 1)])
    for n in range(length):
        memory.correct(wrong=f"c{n}", right=f"c{n + 1}", reason="better")
    recall = memory.recall("north:1")
    assert ids(recall) == [f"c{length}"]
    assert ranked(recall) == [f"c{length}"]
    assert recall.hits[0].relevance == pytest.approx(0.9)


def test_a_correction_may_be_reversed(memory: Memory, cypher: Cypher, tenant: str) -> None:
    memory.record_many([won("a", "pump north:0.9"), won("b", "lamp north:0.6")])
    for wrong, right in (("a", "b"), ("b", "a"), ("a", "b")):
        memory.correct(wrong=wrong, right=right, reason="tried again")
        assert ranked(memory.recall("north:1")) == [right]
    assert cypher("MATCH (:Memory {tenant: $t})-[c:CORRECTS]->() RETURN count(c) AS n", t=tenant) == [{"n": 2}]


def test_a_cycle_of_three_ends_at_the_last_word(memory: Memory) -> None:
    memory.record_many([won("a", "pump north:0.9"), won("b", "lamp north:0.8"), won("c", "lime north:0.7")])
    for wrong, right in (("a", "b"), ("b", "c"), ("c", "a")):
        memory.correct(wrong=wrong, right=right, reason="better")
    assert ranked(memory.recall("north:1")) == ["a"]


def test_two_wrong_ones_have_one_right_one(memory: Memory) -> None:
    memory.record_many([won("a", "pump north:0.9"), won("b", "pump north:0.8"), won("c", "lamp")])
    memory.correct(wrong="a", right="c", reason="better")
    memory.correct(wrong="b", right="c", reason="better")
    recall = memory.recall("north:1")
    assert ranked(recall) == ["c"]
    assert recall.hits[0].relevance == pytest.approx(0.9)
    assert recall.hits[0].replaces in ("a", "b")


@pytest.mark.parametrize(
    "fields", [{"secure": True}, {"expires_at": NOW + timedelta(days=1)}, {"outcome": "unknown"}], ids=str
)
def test_a_wrong_memory_stays_away_when_the_right_one_may_not_be_recalled(
    memory: Memory, clock: Clock, fields: dict[str, Any]
) -> None:
    memory.record_many([won("wrong", "pump north:0.9"), won("right", "lamp north:0.9", **fields)])
    memory.correct(wrong="wrong", right="right", reason="it floods")
    clock.now += timedelta(days=2)
    assert ranked(memory.recall("north:1")) == []


def test_an_expired_wrong_memory_calls_nobody(memory: Memory, clock: Clock) -> None:
    memory.record_many([won("wrong", "quixotic", expires_at=NOW + timedelta(days=1)), won("right", "lamp")])
    memory.correct(wrong="wrong", right="right", reason="better")
    clock.now += timedelta(days=2)
    assert [candidate.replaces for candidate in memory.recall("quixotic").candidates] == [None]


def test_a_users_correction_of_a_shared_memory_is_the_users_own(make: Connect) -> None:
    shared, ann, bob = make(), make(user="ann"), make(user="bob")
    shared.record_many([won("s1", "pump north:0.9"), won("s2", "lamp")])
    ann.record(won("mine", "lime"))
    ann.correct(wrong="s1", right="mine", reason="for me")
    assert ids(ann.recall("north:1")) == ["mine"]
    assert ids(bob.recall("north:1")) == ids(shared.recall("north:1")) == ["s1"]
    shared.correct(wrong="s1", right="s2", reason="for all")
    ann.correct(wrong="s2", right="mine", reason="for me")
    assert ids(bob.recall("north:1")) == ids(shared.recall("north:1")) == ["s2"]
    assert ids(ann.recall("north:1")) == ["mine"]


@pytest.mark.parametrize(
    ("said", "error"),
    [
        ({"wrong": "a", "right": "nobody"}, NotFound),
        ({"wrong": "nobody", "right": "a"}, NotFound),
        ({"wrong": "a", "right": "a"}, InvalidInput),
        ({"wrong": "a", "right": "b", "reason": "  "}, InvalidInput),
        ({"wrong": "a", "right": "b", "reason": None}, InvalidInput),
        ({"wrong": "a", "right": "b", "context": ""}, InvalidInput),
        ({"wrong": "a", "right": "b", "context": "\u200b"}, InvalidInput),
        ({"wrong": None, "right": "b"}, (InvalidInput, NotFound)),
    ],
)
def test_a_correction_that_cannot_be_is_refused(
    memory: Memory, cypher: Cypher, tenant: str, said: dict[str, Any], error: Any
) -> None:
    memory.record_many([won("a", "pump north:0.9"), won("b", "lamp")])
    with pytest.raises(error):
        memory.correct(**{"reason": "because", **said})
    assert cypher("MATCH (n {tenant: $t})-[e]-() RETURN e", t=tenant) == []
    assert cypher("MATCH (n:Recall {tenant: $t}) RETURN n", t=tenant) == []


def test_both_drivers_tell_the_same_story(client: Any) -> None:
    client.record_many([won("a", "Descale the coffee machine with vinegar"), won("b", "Use citric acid")])
    recall = client.recall("descale the coffee machine", limit=1)
    client.feedback(recall.to_json(), outcome="fail", misled=["a"], reason="vinegar smells")
    client.correct(wrong="a", right="b", reason="vinegar smells", context="descale the coffee machine")
    assert ids(client.recall("descale the coffee machine")) == ["b"]
