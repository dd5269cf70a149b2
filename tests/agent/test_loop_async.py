"""The same story, awaited."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graphmem import AsyncMemory, Memory, Settings
from graphmem.agent import (
    Acted,
    AsyncLoop,
    Loop,
    Run,
    Task,
    View,
)
from graphmem.embed import Embedder
from graphmem.models import Outcome
from tests.agent.office import Office, tea
from tests.agent.shelf import Converter
from tests.agent.test_agent import shown

DOMAIN = "work"


@pytest.fixture
def converter(tmp_path: Path) -> Converter:
    return Converter(tmp_path)


class Places(Office):
    """An office that answers when it is awaited."""

    async def act(self, action: str) -> View:  # type: ignore[override]
        await asyncio.sleep(0)
        return super().act(action)


def told(run: Run) -> list[Any]:
    """The trace, without what differs from run to run."""
    return [
        (type(one).__name__, getattr(one, "action", None), getattr(one, "passed", None), getattr(one, "outcome", None))
        for one in run.trace
    ]


async def test_async_tells_the_same_story(
    settings: Settings, embedder: Embedder, connect: Callable[..., Memory], tenant: str, converter: Converter
) -> None:
    memory = connect(tenant=f"{tenant}-sync")
    loop = Loop(memory, domain=DOMAIN, gate=converter.gate, evaluate=converter.evaluate)

    async def gate(step: Acted) -> tuple[bool, str]:
        await asyncio.sleep(0)
        return converter.gate(step)

    async def evaluate(run: Run) -> tuple[Outcome, str]:
        await asyncio.sleep(0)
        return converter.evaluate(run)

    threads: set[int] = set()

    async def act(action: str) -> str:
        threads.add(threading.get_ident())
        return await asyncio.to_thread(converter.act, action)

    async with AsyncMemory(f"{tenant}-async", settings=settings, embedder=embedder) as other:
        awaited = AsyncLoop(other, domain=DOMAIN, gate=gate, evaluate=evaluate)
        for name in ("sales", "orders", "clients"):
            waited = await asyncio.to_thread(loop.solve, converter.task(name))
            plain = converter.task(name)
            options = plain.options

            async def ways(found: Any = options) -> Any:
                return found

            run = await awaited.solve(Task(plain.text, act=act, options=ways))
            assert told(run) == told(waited)
            assert (run.outcome, run.actions, run.attempts) == (waited.outcome, waited.actions, waited.attempts)
            assert run.evidence == waited.evidence
    assert threads == {threading.get_ident()}


async def test_a_world_of_places_is_played_from_a_thread(settings: Settings, embedder: Embedder, tenant: str) -> None:
    lesson = shown(tea(3), "tea", "walk to study", "heat kettle", "heat kettle", "heat kettle", "pour kettle")
    async with AsyncMemory(tenant, settings=settings, embedder=embedder) as memory:
        await memory.record(lesson)
        loop = AsyncLoop(memory, domain="office", budget=25)
        worlds = [Places(tea(heat).task, heat=heat) for heat in (2, 5, 4, 3, 6, 2, 3, 5)]
        runs = await asyncio.gather(*(loop.attempt(world) for world in worlds))
    assert all(world.poured for world in worlds)
    assert {run.used for run in runs} == {("tea",)}


async def test_a_run_that_is_cancelled_acts_no_more(settings: Settings, embedder: Embedder, tenant: str) -> None:
    begun, acted = asyncio.Event(), []

    async def act(action: str) -> str:
        acted.append(action)
        begun.set()
        await asyncio.sleep(60)
        return "hello"

    async with AsyncMemory(tenant, settings=settings, embedder=embedder) as memory:
        loop = AsyncLoop(memory, gate=lambda step: False)
        task = asyncio.create_task(loop.attempt(Task("Say hello", act=act, options=["say hello", "hello you"])))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.to_thread(lambda: [one.join(10) for one in threading.enumerate() if one.name == "graphmem-loop"])
    assert len(acted) == 1
