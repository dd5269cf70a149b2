"""Memories that correct each other many times over: each is looked at once, whatever the number of ways to it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from graphmem import Memory
from tests.memories import Clock, ids, won

LAYERS, WIDTH = 10, 4

EVERY_PAIR = """
MATCH (a:Memory {tenant: $t}), (b:Memory {tenant: $t}) WHERE a <> b AND ($ring OR a.layer = b.layer + 1)
MERGE (a)-[c:CORRECTS {scope: a.scope}]->(b)
SET b.corrected = true,
    c += {at: $at, everywhere: true, contexts: [], receipts: [], reason: 'dense', by: 'dense'}
"""


def _layers(memory: Memory, cypher: Callable[..., list[dict[str, Any]]], tenant: str) -> None:
    """Layers of memories, the first nearest to the question; no more corrections than are followed."""
    memory.record_many(
        won(f"{layer}-{n}", f"pump {layer} {n} north:{0.99 - layer / 100}", domain="dense")
        for layer in range(LAYERS)
        for n in range(WIDTH)
    )
    cypher("MATCH (m:Memory {tenant: $t}) SET m.layer = toInteger(split(m.id, '-')[0])", t=tenant)


def test_layers_that_all_correct_the_one_below_lead_to_the_top(
    memory: Memory, clock: Clock, cypher: Callable[..., list[dict[str, Any]]], tenant: str
) -> None:
    """There are 4^9 ways from the bottom to the top."""
    _layers(memory, cypher, tenant)
    cypher(EVERY_PAIR, t=tenant, ring=False, at=clock.now)
    top = {f"{LAYERS - 1}-{n}" for n in range(WIDTH)}
    assert set(ids(memory.recall("north:1", limit=50))) == top
    clock.now += timedelta(seconds=1)
    memory.correct(wrong=f"{LAYERS - 1}-0", right="0-0", reason="the first was right", context="north:1")
    assert set(ids(memory.recall("north:1", limit=50))) == top - {f"{LAYERS - 1}-0"}


def test_where_every_memory_corrects_every_other_an_answer_comes_and_says_what_it_left(
    memory: Memory, clock: Clock, cypher: Callable[..., list[dict[str, Any]]], tenant: str
) -> None:
    _layers(memory, cypher, tenant)
    cypher(EVERY_PAIR, t=tenant, ring=True, at=clock.now)
    clock.now += timedelta(seconds=1)
    memory.correct(wrong="0-0", right="5-3", reason="the last word")
    answer = memory.recall("north:1", limit=50)
    assert answer.hits
    assert answer.cut
