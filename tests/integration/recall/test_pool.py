"""What falls away does not take the place of what fits: all that the indexes fetch is judged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphmem import Decision, Reflection
from tests.memories import ids, won

Connect = Callable[..., Any]
NEAREST = 60
"""More than any answer shows, and fewer than the indexes fetch."""


def test_the_nearest_that_contradict_the_context_do_not_hide_what_fits(make: Connect) -> None:
    memory = make(vector_candidates=100, text_candidates=100)
    memory.record_many(
        Reflection(id=f"mac{n:02}", insight=f"pump north:{0.95 - n / 1000:.3f}", conditions=("os = mac",))
        for n in range(NEAREST)
    )
    memory.record(won("fits", "pump north:0.8"))
    recall = memory.recall("pump north:1", context={"os": "linux"})
    assert recall.decision is Decision.USE
    assert ids(recall) == ["fits"]
    assert recall.left.contradicted == NEAREST


def test_the_nearest_that_are_copies_do_not_hide_what_fits(make: Connect) -> None:
    memory = make(vector_candidates=100, text_candidates=100)
    memory.record_many(won(f"copy{n:02}", "pump north:0.95") for n in range(NEAREST))
    memory.record(won("other", "pump north:0.8"))
    recall = memory.recall("pump north:1")
    assert len(recall.hits) == 2
    assert "other" in ids(recall)
    assert recall.left.duplicates == NEAREST - 1


def test_as_many_hits_as_were_asked_for_where_there_are_as_many(make: Connect) -> None:
    memory = make()
    memory.record_many(won(f"e{n:03}", f"pump north:{0.95 - n / 1000:.3f}") for n in range(120))
    for limit in (40, 80, 100):
        assert len(memory.recall("pump north:1", limit=limit).hits) == limit
