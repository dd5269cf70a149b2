"""A server killed in the middle of writing: what was acknowledged is there, and nothing is there twice."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from pathlib import Path

import pytest

from graphmem import AsyncMemory, Episode, Memory, Settings
from graphmem.errors import StoreUnavailable
from graphmem.record import Recorded, Result
from graphmem.server.halt import down
from graphmem.server.start import up
from graphmem.server.status import status
from graphmem.settings import load_settings
from tests.embedders import HashEmbedder

ITEMS = [Episode(id=f"e{n}", task=f"case {n} of the nightly ledger", outcome="success") for n in range(20_000)]


def test_kill_9_in_the_middle_of_record_many_loses_and_doubles_nothing(settings: Settings, tmp_path: Path) -> None:
    own = load_settings(
        home=tmp_path, cache=settings.cache, instance="crash",
        neo4j={"timeout": 3}, outbox={"enabled": False},
        server={"heap": "512m", "page_cache": "128m", "bolt_port": 27987, "http_port": 27774},
    )  # fmt: skip
    up(own)
    try:
        stayed = AsyncMemory("acme", settings=own, embedder=HashEmbedder(name="hash"))
        asyncio.run(_seen(stayed))
        with Memory("acme", settings=own, embedder=HashEmbedder(name="hash")) as memory:
            acknowledged = _killed_midway(own, memory)
            assert memory.recall("nightly ledger").decision == "policy_only"
            up(own)
            kept = _all_ids(memory)
            assert acknowledged <= set(kept)
            assert len(kept) == len(set(kept)) < len(ITEMS)
            rest = ITEMS[: len(kept) + 100]
            again = memory.record_many(rest)
            assert sum(answer.result is Result.UNCHANGED for answer in again) == len(kept)
            assert set(_all_ids(memory)) == {item.id for item in rest} | set(kept)
            assert len(_all_ids(memory)) == len(rest)
        # A client that stayed connected over all this goes on by itself.
        assert asyncio.run(_seen(stayed)) == "e0"
        asyncio.run(stayed.close())
    finally:
        down(own)


async def _seen(client: AsyncMemory) -> str | None:
    hits = (await client.recall("case 0 of the nightly ledger", limit=1)).hits
    return hits[0].id if hits else None


def _killed_midway(own: Settings, memory: Memory) -> set[str | None]:
    """The ids that were acknowledged before the server was killed."""
    acknowledged: set[str | None] = set()
    some = threading.Event()

    def note(answers: tuple[Recorded, ...]) -> None:
        acknowledged.update(answer.id for answer in answers if answer.stored)
        if len(acknowledged) >= 512:
            some.set()

    def kill() -> None:
        assert some.wait(120)
        pid = status(own).pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    with pytest.raises(StoreUnavailable):
        memory.record_many(ITEMS, progress=note)
    killer.join()
    return acknowledged


def _all_ids(memory: Memory) -> list[str]:
    ids: list[str] = []
    while page := memory.list(limit=1000, skip=len(ids)):
        ids += [stored.id for stored in page]
    return ids
