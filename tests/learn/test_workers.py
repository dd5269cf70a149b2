"""Many workers on one queue, one killed every few seconds: every episode is reflected once, no skill is there twice."""

from __future__ import annotations

import random
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from graphmem import Episode, Memory, Settings
from graphmem.settings import Connection
from tests.cli.shell import COMMAND, environment
from tests.learn.test_consolidation import STEPS, descaled, steps

Cypher = Callable[..., list[dict[str, Any]]]
FAMILIES = ("boiler", "kettle", "radiator", "heat pump", "still", "samovar", "autoclave", "geyser")
WORKERS, PAUSE = 4, 2.0


def episodes(many: int) -> Iterator[Episode]:
    """Attempts at tasks of eight families, several at each task, a third of them failed."""
    for n in range(many):
        family = FAMILIES[n % len(FAMILIES)]
        failed = n % 3 == 0
        yield descaled(
            n,
            "fail" if failed else "success",
            id=f"e{n}",
            task=f"Descale the {family} of house {n // 20}",
            task_type=f"descaling a {family}",
            trajectory=steps(f"open the {family}", "pour in the acid" if failed else STEPS[2], f"rinse the {family}"),
            failure_reason=f"the {family} foamed over" if failed else "",
        )


@pytest.mark.parametrize(
    ("many", "kills"), [(240, 4), pytest.param(2000, 60, marks=pytest.mark.evaluation)], ids=["some", "many"]
)
def test_killed_workers_reflect_every_episode_once_and_make_no_skill_twice(
    connect: Callable[..., Memory],
    settings: Settings,
    at: Connection,
    tenant: str,
    cypher: Cypher,
    many: int,
    kills: int,
) -> None:
    memory = connect()
    assert all(answer.stored for answer in memory.record_many(episodes(many)))
    env = environment(settings, at, tenant) | {
        "GRAPHMEM_CONSOLIDATION__LEASE_SECONDS": "3",
        "GRAPHMEM_CONSOLIDATION__BATCH": "4",
        "GRAPHMEM_CONSOLIDATION__TRIES": "1000",
    }
    dice = random.Random(0)
    with _workers(env) as running:
        for _ in range(kills):
            time.sleep(PAUSE)
            victim = dice.randrange(WORKERS)
            running[victim].send_signal(signal.SIGKILL)
            running[victim].wait()
            running[victim] = _started(env)
        deadline = time.monotonic() + 300
        while _left(cypher, tenant):
            assert time.monotonic() < deadline, _left(cypher, tenant)
            time.sleep(0.5)
    derived = cypher(
        "MATCH (e:Episode {tenant: $t}) RETURN COUNT { (e)-[:DERIVES]->() } AS lessons, "
        "COUNT { (e)-[:DERIVES {by: 'rules-1'}]->() } AS own, e.reflected_at IS NOT NULL AS done, count(*) AS n",
        t=tenant,
    )
    assert derived == [{"lessons": 1, "own": 1, "done": True, "n": many}]
    skills = cypher(
        "MATCH (s:Skill {tenant: $t}) RETURN s.task_type AS type, s.family AS family, s.version AS v", t=tenant
    )
    assert {row["type"] for row in skills} == {f"descaling a {family}" for family in FAMILIES}
    assert len({(row["family"], row["v"]) for row in skills}) == len(skills)
    practices = cypher(
        "MATCH (s:Skill {tenant: $t}) RETURN s.task_type AS type, s.name AS name, s.steps AS steps, count(*) AS n",
        t=tenant,
    )
    assert [row for row in practices if row["n"] > 1] == []
    states = cypher("MATCH (j:Job {tenant: $t, kind: 'consolidation'}) RETURN j.state AS s, count(*) AS n", t=tenant)
    assert {row["s"] for row in states} <= {"done", "killed", "running"}


@contextmanager
def _workers(env: dict[str, str]) -> Iterator[list[subprocess.Popen[bytes]]]:
    running = [_started(env) for _ in range(WORKERS)]
    try:
        yield running
    finally:
        for worker in running:
            worker.kill()
            worker.wait()


def _started(env: dict[str, str]) -> subprocess.Popen[bytes]:
    command = [*COMMAND, "consolidate", "--watch", "--every", "0.2", "--json"]
    return subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _left(cypher: Cypher, tenant: str) -> list[dict[str, Any]]:
    return cypher(
        "MATCH (m:Memory {tenant: $t}) WHERE m.awaits IS NOT NULL RETURN m.awaits AS w, count(*) AS n", t=tenant
    )
