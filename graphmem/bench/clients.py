"""Throughput: many recalls at once, by threads that share a client and by tasks of one event loop."""

from __future__ import annotations

import asyncio
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import neo4j

from graphmem.bench import floor
from graphmem.bench.load import Loaded, Say
from graphmem.bench.recalls import request
from graphmem.bench.result import Result
from graphmem.bench.timing import interleaved, ratio
from graphmem.settings import connection

if TYPE_CHECKING:
    from graphmem.memory import AsyncMemory

CLIENTS = (1, 8, 32)
ASKED = 128  # recalls of one turn


def concurrent(loaded: Loaded, asynchronous: type[AsyncMemory], rounds: int, result: Result, say: Say) -> None:
    """The time that so many recalls take at once, beside the same of raw searches; both by the same means."""
    asked = (loaded.questions["small"] * 2)[:ASKED]
    requests = [request(one) for one in asked]
    scope = loaded.scope("small")
    with loaded.driver() as driver, loaded.memory("small") as memory:
        for clients in CLIENTS:
            say(f"{clients} clients at once, threads")
            with ThreadPoolExecutor(clients) as pool:
                taken = interleaved(
                    {
                        "floor": lambda _: list(pool.map(lambda one: floor.search(driver, one, scope), asked)),
                        "recall": lambda _: list(pool.map(lambda one: memory.recall_many([one]), requests)),
                    },
                    rounds,
                    2,
                )
            name = "concurrent" if clients == CLIENTS[-1] else f"concurrent_{clients}"
            result.ratios[name] = ratio(taken["floor"], taken["recall"])
            result.figures[f"{clients} threads recalls per s"] = ASKED / statistics.median(taken["recall"])
    for clients in CLIENTS:
        say(f"{clients} clients at once, one event loop")
        slow, fast = asyncio.run(_tasks(loaded, asynchronous, clients, rounds))
        result.ratios[f"concurrent_async_{clients}"] = ratio(fast, slow)
        result.figures[f"{clients} tasks recalls per s"] = ASKED / statistics.median(slow)


async def _tasks(
    loaded: Loaded, asynchronous: type[AsyncMemory], clients: int, rounds: int
) -> tuple[list[float], list[float]]:
    asked = (loaded.questions["small"] * 2)[:ASKED]
    at = connection(loaded.settings)
    password = at.password.get_secret_value() if at.password is not None else ""
    slow, fast = [], []
    tenant = loaded.data.tenant("small")
    async with (
        neo4j.AsyncGraphDatabase.driver(at.uri, auth=(at.user, password), notifications_min_severity="OFF") as driver,
        asynchronous(tenant, settings=loaded.settings, embedder=loaded.embedder) as memory,
    ):

        async def recalls() -> None:
            left = iter([request(one) for one in asked])

            async def worker() -> None:
                for one in left:
                    await memory.recall_many([one])

            await asyncio.gather(*(worker() for _ in range(clients)))

        for number in range(2 + rounds):
            start = time.perf_counter()
            await floor.searches(driver, asked, loaded.scope("small"), clients)
            between = time.perf_counter()
            await recalls()
            if number >= 2:
                fast.append(between - start)
                slow.append(time.perf_counter() - between)
    return slow, fast
