"""Corrections in a context that are reversed or continued there: the newest word holds, there and only there."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from graphmem import Memory
from tests.memories import Clock, ids, ranked, won

HERE = "north:1"
# Questions that ask in another context than HERE, and in one with which it is still one.
ELSEWHERE, CLOSE_BY = "east:1", "north:0.95"

Say = Callable[..., None]
Cypher = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def say(memory: Memory, clock: Clock) -> Say:
    """Write a correction, later than the one before."""

    def said(right: str, wrong: str, context: str | None = None) -> None:
        clock.now += timedelta(seconds=1)
        memory.correct(wrong=wrong, right=right, reason="better", context=context)

    return said


@pytest.mark.parametrize("back", [HERE, CLOSE_BY])
@pytest.mark.parametrize(("first", "second"), [("a", "b"), ("b", "a")])
def test_a_reversal_in_a_context_holds_there(memory: Memory, say: Say, first: str, second: str, back: str) -> None:
    memory.record_many([won("a", "pump north:0.90"), won("b", "lamp north:0.88"), won("u", "lime east:0.9")])
    for right, wrong, context in ((second, first, HERE), (first, second, back), (second, first, HERE)):
        say(right, wrong, context)
        assert ids(memory.recall(HERE)) == [right]
        assert ranked(memory.recall(HERE))[0] == right
        assert ids(memory.recall(ELSEWHERE)) == ["u"]


def test_a_reversal_in_one_context_leaves_the_other(memory: Memory, say: Say) -> None:
    memory.record_many([won("a", "pump north:0.7 east:0.7"), won("b", "lamp")])
    say("b", "a", HERE)
    say("b", "a", ELSEWHERE)
    say("a", "b", HERE)
    assert ids(memory.recall(HERE)) == ["a"]
    assert ids(memory.recall(ELSEWHERE)) == ["b"]


@pytest.mark.parametrize("texts", [("lamp north:0.88", "lime north:0.86"), ("lamp", "lime")], ids=["near", "far"])
def test_a_chain_in_a_context_leads_to_its_end(
    memory: Memory, say: Say, cypher: Cypher, tenant: str, texts: tuple[str, str]
) -> None:
    memory.record_many([won("a", "pump north:0.9"), won("b", texts[0]), won("c", texts[1]), won("u", "east:0.9")])
    say("b", "a", HERE)
    for _ in range(2):
        say("c", "b", HERE)
        assert ids(memory.recall(HERE)) == ids(memory.recall(CLOSE_BY)) == ["c"]
        assert ids(memory.recall(ELSEWHERE)) == ["u"]
    wrong = cypher("MATCH (m:Memory {tenant: $t})<-[:MISLED]-() RETURN m.id AS id, m.misled AS n ORDER BY id", t=tenant)
    assert wrong == [{"id": "a", "n": 1}, {"id": "b", "n": 1}]
    say("a", "c", HERE)
    assert ids(memory.recall(HERE)) == ["a"]


def test_a_context_continues_a_correction_everywhere(memory: Memory, say: Say) -> None:
    memory.record_many([won("a", "pump north:0.7 east:0.7"), won("b", "lamp"), won("c", "lime")])
    say("b", "a")
    say("c", "b", HERE)
    assert ranked(memory.recall(HERE))[0] == "c"
    assert ids(memory.recall(HERE)) == ["c"]
    assert ids(memory.recall(ELSEWHERE)) == ["b"]


def test_a_context_continues_a_long_chain_everywhere(memory: Memory, say: Say) -> None:
    memory.record_many([won("c0", "pump north:0.7 east:0.7"), *(won(f"c{n}", f"lamp {n}") for n in range(1, 6))])
    for n in range(4):
        say(f"c{n + 1}", f"c{n}")
    say("c5", "c4", HERE)
    assert ids(memory.recall(HERE)) == ["c5"]
    assert ids(memory.recall(ELSEWHERE)) == ["c4"]


@pytest.mark.parametrize(("first", "second"), [("a", "b"), ("b", "a")])
def test_a_context_is_an_exception_from_a_correction_everywhere(
    memory: Memory, say: Say, first: str, second: str
) -> None:
    memory.record_many([won("a", "pump north:0.7 east:0.7"), won("b", "lamp north:0.68 east:0.68")])
    say(second, first)
    say(first, second, HERE)
    assert ids(memory.recall(HERE)) == [first]
    assert ids(memory.recall(ELSEWHERE)) == [second]
    say(second, first, HERE)
    assert ids(memory.recall(HERE)) == [second]
    say(second, first)
    say(first, second)
    assert ids(memory.recall(HERE)) == ids(memory.recall(ELSEWHERE)) == [first]


@pytest.mark.parametrize("where", [HERE, None], ids=["there", "everywhere"])
def test_a_chain_that_was_said_from_its_end_leads_to_its_end(memory: Memory, say: Say, where: str | None) -> None:
    memory.record_many([won("a", "pump north:0.9"), won("b", "lamp"), won("c", "lime"), won("d", "zinc")])
    say("d", "c", HERE)
    say("c", "b", where)
    say("b", "a", HERE)
    assert ids(memory.recall(HERE)) == ids(memory.recall(CLOSE_BY)) == ["d"]


def test_a_ring_in_a_context_ends_at_the_last_word(memory: Memory, say: Say) -> None:
    memory.record_many([won("a", "pump north:0.9"), won("b", "lamp north:0.88"), won("c", "lime north:0.86")])
    for right, wrong in (("a", "b"), ("b", "c"), ("c", "a")):
        say(right, wrong, HERE)
    assert ids(memory.recall(HERE)) == ["c"]
