"""Many who decide at once: every decision is whole, and all stays in order."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

from graphmem import Memory, Reflection, Skill, Status
from graphmem.errors import InvalidInput
from tests.embedders import HashEmbedder
from tests.memories import NOW, won

VERSIONS = 6
Connect = Callable[..., Memory]


def clients(connect: Connect, n: int) -> list[Memory]:
    return [connect(embedder=HashEmbedder(name="bge-small-en-v1.5"), clock=lambda: NOW) for _ in range(n)]


def test_of_all_versions_approved_at_once_one_is_active(connect: Connect, damage: Callable[..., None]) -> None:
    first, *others = clients(connect, 1 + VERSIONS)
    for n in range(VERSIONS):
        first.record(Skill(id=f"s{n}", name="descale", steps=[f"step {n}"], version=n + 1))
        damage(f"s{n}", "SET m.family = 'f'")

    def approve(client: Memory, n: int) -> bool:
        try:
            return client.review(f"s{n}", approve=True, by=f"person {n}").changed
        except InvalidInput as refused:
            assert "newer version" in str(refused) or "superseded" in str(refused)  # noqa: PT017
            return False

    with ThreadPoolExecutor(VERSIONS) as pool:
        done = list(pool.map(approve, others, range(VERSIONS)))
    assert done[-1]
    statuses = [first.get(f"s{n}").status for n in range(VERSIONS)]
    assert statuses[-1] is Status.ACTIVE
    assert set(statuses[:-1]) <= {Status.SUPERSEDED, Status.CANDIDATE}
    assert [status is Status.SUPERSEDED for status in statuses[:-1]] == done[:-1]
    assert first.check() == ()


def test_opposite_verdicts_and_feedback_at_once(connect: Connect) -> None:
    first, *others = clients(connect, 9)
    first.record(Reflection(id="r", insight="Descale the boiler"))

    def act(client: Memory, n: int) -> Any:
        if n % 4 == 0:
            return client.review("r", approve=True, by=f"p{n}")
        if n % 4 == 1:
            return client.review("r", approve=False, by=f"p{n}")
        if n % 4 == 2:
            return client.retire("r", by=f"p{n}")
        return client.feedback(client.recall("descale the boiler"), outcome="success", used=["r"])

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(act, others * 3, range(24)))
    assert first.check() == ()
    told = first.history("r")
    assert told.memory.successes == 6
    last = [event.what for event in told.events][-1]
    assert told.memory.status is (Status.ACTIVE if last == "approved" else Status.RETIRED)


def test_several_runs_of_retention_at_once_do_everything_once(connect: Connect) -> None:
    first, *others = clients(connect, 4)
    first.record_many([won(f"e{n}", f"task {n}", expires_at=NOW - timedelta(days=1)) for n in range(300)])
    first.record_many([won(f"f{n}", f"job {n}", occurred_at=NOW - timedelta(days=900)) for n in range(300)])
    first.record_many([won(f"g{n}", f"act {n}") for n in range(20)])
    with ThreadPoolExecutor(3) as pool:
        runs = list(pool.map(lambda client: client.retention(budget=10, apply=True), others))
    totals = {name: sum(getattr(run, name) for run in runs) for name in ("expired", "faded", "excess")}
    assert totals == {"expired": 300, "faded": 300, "excess": 10}
    assert len(first.list(status="active", limit=1000)) == 10
    assert all(len(first.history(f"f{n}").events) == 1 for n in range(0, 300, 50))
    assert first.check() == ()
