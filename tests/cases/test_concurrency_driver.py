"""Many writers around the same memories lose and double nothing; clients survive threads and loops."""

from __future__ import annotations

import asyncio
import gc
import random
import threading
from collections import Counter
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations, permutations
from typing import Any

import pytest

from graphmem import AsyncMemory, Episode, Memory, Settings, Skill
from graphmem.embed import Embedder
from graphmem.errors import StoreUnavailable
from tests.angles import Angles

THREADS, OPERATIONS, NODES = 16, 50, 5


SKILLS = [f"s{n}" for n in range(NODES)]


Cypher = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def angles(embedder: Embedder) -> Angles:
    return Angles(embedder.name)


def skill(n: int) -> Skill:
    return Skill(id=f"s{n}", name=f"skill {n} north:0.9", steps=["go"], approved_by="ada")


def work(client: Any, thread: int, told: list[tuple[str, ...]]) -> None:
    """Every operation on the same five nodes, in an order of the thread's own."""
    dice = random.Random(thread)
    for n in range(OPERATIONS):
        a, b = dice.sample(SKILLS, 2)
        key = f"t{thread}-{n}"
        match n % 5:
            case 0:
                client.record(Episode(id=key, task=f"pump {key} north:0.5", outcome="success"))
            case 1:
                client.link(a, b, kind="similar")
                client.link(b, a, kind="follows")
                told += [("similar", *sorted((a, b))), ("follows", b, a)]
            case 2:
                client.correct(wrong=a, right=b, reason="better", context="east:1")
            case 3:
                client.update(a, metadata={key: n})
                told.append(("key", a, key))
            case _:
                recall = client.recall("north:1", limit=NODES)
                outcome = dice.choice(("success", "fail"))
                client.feedback(recall, outcome=outcome, used=[a], misled=[b])
                told += [(outcome, a), ("misled", b)]


def test_parallel_writers_lose_and_double_nothing(client: Any, tenant: str, cypher: Cypher, angles: Angles) -> None:
    client.init()
    getattr(client, "client", client)._verbs.embedder = angles
    client.record_many([skill(n) for n in range(NODES)])
    told: list[list[tuple[str, ...]]] = [[] for _ in range(THREADS)]
    with ThreadPoolExecutor(THREADS) as pool:
        running = [pool.submit(work, client, thread, told[thread]) for thread in range(THREADS)]
        for future in running:
            future.result()
    said = Counter(event for events in told for event in events)
    nodes = cypher("MATCH (m:Memory {tenant: $t}) RETURN m.kind AS kind, count(*) AS n", t=tenant)
    assert {row["kind"]: row["n"] for row in nodes} == {"skill": NODES, "episode": THREADS * OPERATIONS // 5}
    edges = cypher(
        "MATCH (a:Memory {tenant: $t})-[r:RELATES]->(b) RETURN r.kind AS kind, a.id AS a, b.id AS b, count(*) AS n",
        t=tenant,
    )
    assert {(row["kind"], row["a"], row["b"]): row["n"] for row in edges} == dict.fromkeys(
        [("similar", *pair) for pair in combinations(SKILLS, 2)]
        + [("follows", *pair) for pair in permutations(SKILLS, 2)],
        1,
    )
    pairs = cypher(
        "MATCH (a:Memory {tenant: $t})-[c:CORRECTS]->(b) RETURN a.id AS a, b.id AS b, count(*) AS n", t=tenant
    )
    assert all(row["n"] == 1 for row in pairs)
    counted = cypher(
        "MATCH (m:Skill {tenant: $t}) RETURN m.id AS id, m.successes AS successes, m.failures AS failures, "
        "m.misled AS misled, COUNT { (m)<-[:MISLED]-() } AS edges, m.counted IS NULL AS clean, "
        "COUNT { (m)<-[:MISLED]-(r:Recall) WHERE r.decision <> 'corrected' } AS blamed",
        t=tenant,
    )
    for row in counted:
        assert row["successes"] == said["success", row["id"]]
        assert row["failures"] == said["fail", row["id"]]
        assert row["blamed"] == said["misled", row["id"]]
        assert row["misled"] == row["edges"]
        assert row["clean"]
        metadata = client.get(row["id"]).memory.metadata
        assert set(metadata) == {key for kind, id_, *rest in said if kind == "key" and id_ == row["id"] for key in rest}


def test_the_same_item_recorded_by_many_at_once_is_created_once(connect: Callable[..., Memory], angles: Angles) -> None:
    memory = connect(embedder=angles)
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda _: memory.record(skill(0)).result.value, range(24)))
    assert Counter(results) == {"created": 1, "unchanged": 23}


def test_eight_threads_share_a_fresh_client(connect: Callable[..., Memory], angles: Angles) -> None:
    memory = connect(embedder=angles)
    gate = threading.Barrier(8)

    def one(n: int) -> int:
        gate.wait()
        memory.record(Episode(id=f"e{n}", task=f"pump {n} north:0.9", outcome="success"))
        return len(memory.recall("north:1", limit=20).hits)

    with ThreadPoolExecutor(8) as pool:
        seen = list(pool.map(one, range(8)))
    assert max(seen) <= 8
    assert len(memory.list()) == 8
    memory.close()
    gc.collect()  # a connection that nobody closed would warn here


def test_one_async_client_serves_several_event_loops(settings: Settings, tenant: str, angles: Angles) -> None:
    client = AsyncMemory(tenant, settings=settings, embedder=angles)
    asyncio.run(_of(client.record(skill(0))))
    assert [hit.id for hit in asyncio.run(_of(client.recall("north:1"))).hits] == ["s0"]
    asyncio.run(client.close())
    asyncio.run(client.close())
    gc.collect()


def test_eight_threads_with_loops_of_their_own_share_a_fresh_async_client(
    settings: Settings, tenant: str, angles: Angles
) -> None:
    client = AsyncMemory(tenant, settings=settings, embedder=angles)
    gate = threading.Barrier(8)

    def one(n: int) -> str:
        gate.wait()
        return str(asyncio.run(_of(client.record(Episode(id=f"e{n}", task="pump", outcome="success")))).result)

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(one, range(8))) == ["created"] * 8
    asyncio.run(client.close())
    gc.collect()


async def test_the_sync_client_works_inside_a_running_loop(connect: Callable[..., Memory], angles: Angles) -> None:
    with connect(embedder=angles) as memory:
        memory.record(skill(0))
        assert [hit.id for hit in memory.recall("north:1").hits] == ["s0"]


async def test_many_awaits_at_once(settings: Settings, tenant: str, angles: Angles) -> None:
    async with AsyncMemory(tenant, settings=settings, embedder=angles) as client:
        episodes = [Episode(id=f"e{n}", task=f"pump {n} north:0.9", outcome="success") for n in range(40)]
        answers = await asyncio.gather(*(client.record(episode) for episode in episodes))
        assert {answer.result for answer in answers} == {"created"}
        recalls = await asyncio.gather(*(client.recall(f"pump {n} north:1", limit=100) for n in range(40)))
        assert {len(recall.hits) for recall in recalls} == {40}


async def test_a_cancelled_await_leaves_the_client_usable(settings: Settings, tenant: str, angles: Angles) -> None:
    async with AsyncMemory(tenant, settings=settings, embedder=angles) as client:
        await client.record(skill(0))
        for wait in (0.0, 0.001, 0.003, 0.006, 0.01, 0.02, 0.05):
            tasks = [
                asyncio.ensure_future(client.recall("north:1")),
                asyncio.ensure_future(client.record(Episode(id=f"e{wait}", task="pump", outcome="success"))),
                asyncio.ensure_future(client.update("s0", metadata={f"k{wait}": 1})),
            ]
            await asyncio.sleep(wait)
            for task in tasks:
                task.cancel()
            ended = await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), 10)
            assert all(not isinstance(end, Exception) for end in ended), ended
            assert [hit.id for hit in (await client.recall("north:1")).hits] == ["s0"]
        assert len(await client.list(kind="skill")) == 1


async def test_closing_while_others_wait_leaves_nobody_hanging(settings: Settings, tenant: str, angles: Angles) -> None:
    client = AsyncMemory(tenant, settings=settings, embedder=angles)
    await client.init()
    writes = [
        asyncio.ensure_future(client.record(Episode(id=f"e{n}", task="pump", outcome="success"))) for n in range(60)
    ]
    await asyncio.sleep(0.02)
    await asyncio.wait_for(client.close(), 10)
    ended = await asyncio.wait_for(asyncio.gather(*writes, return_exceptions=True), 10)
    stored = {end.id for end in ended if not isinstance(end, BaseException)}
    assert all(isinstance(end, StoreUnavailable) for end in ended if isinstance(end, BaseException)), ended
    async with AsyncMemory(tenant, settings=settings, embedder=angles) as again:
        assert stored <= {found.id for found in await again.list(limit=100)}


async def _of(verb: Awaitable[Any]) -> Any:
    return await verb
