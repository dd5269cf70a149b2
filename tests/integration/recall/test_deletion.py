"""Deletions do not stop recall, whoever deleted, and whatever was written last."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from graphmem import Memory
from tests.memories import ids, won

Connect = Callable[..., Memory]
Cypher = Callable[..., list[dict[str, Any]]]


@pytest.mark.parametrize("kept", [1, 3])
def test_after_a_deletion_by_hand_everybody_recalls(
    connect: Connect, make: Connect, tenant: str, angles: Any, cypher: Cypher, kept: int
) -> None:
    """The newest vectors are deleted in part: the server's index fails until another is written."""
    other = connect(tenant=tenant + "-other", embedder=angles)
    other.record(won("a", "pump north:0.9"))
    memory = make()
    for _ in range(2):
        memory.record_many(won(f"k{n}", f"pump {n} north:0.9") for n in range(kept + 1))
        cypher("MATCH (m:Memory {tenant: $t, id: 'k0'}) DETACH DELETE m", t=tenant)
        assert ids(other.recall("north:1")) == ["a"]
        assert ids(memory.recall("north:1")) == [f"k{n + 1}" for n in range(kept)]


def test_after_an_erasure_others_recall(connect: Connect, tenant: str, angles: Any) -> None:
    other, gone = (connect(tenant=tenant + suffix, embedder=angles) for suffix in ("-other", "-gone"))
    other.record(won("a", "pump north:0.9"))
    gone.record_many(won(f"k{n}", f"pump {n} north:0.9") for n in range(300))
    gone.erase(everything=True)
    assert ids(other.recall("north:1")) == ["a"]
    assert gone.recall("north:1").candidates == ()
