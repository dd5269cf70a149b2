"""Jobs that are killed, that fail, that run beside others: the next one succeeds, and no projection of ours is left."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from graphmem import Memory, Settings
from graphmem.errors import StoreError
from graphmem.jobs import CentralityJob, centrality
from graphmem.scope import Scope
from graphmem.settings import Connection
from tests.cli.shell import ROOT, environment
from tests.embedders import HashEmbedder
from tests.memories import won

Cypher = Callable[..., list[dict[str, Any]]]
OURS = "graphmem-centrality-"
PROJECTED = "computing degree"

PROGRAM = """
import sys, time
from graphmem.jobs import centrality
from graphmem.scope import Scope
from graphmem.settings import load_settings

def stop(doing, done, whole):
    if doing == sys.argv[1]:
        print("here", flush=True)
        time.sleep(600)

centrality(load_settings(), Scope(load_settings().tenant), progress=stop)
"""


@pytest.fixture
def linked(settings: Settings, embedder: Any) -> Callable[[str], None]:
    """Give a tenant three memories in a row."""

    def fill(tenant: str) -> None:
        with Memory(tenant, settings=settings, embedder=HashEmbedder(name=embedder.name)) as memory:
            memory.record_many([won(id_, f"task {id_}") for id_ in "abc"])
            memory.link("a", "b")
            memory.link("b", "c")

    return fill


@pytest.fixture
def run(settings: Settings, tenant: str, linked: Callable[[str], None]) -> Callable[..., CentralityJob]:
    """Run the job of this test's tenant, whose memories are there."""
    linked(tenant)
    return lambda **given: centrality(settings, Scope(tenant), **given)


@pytest.fixture
def others(cypher: Cypher, tenant: str) -> Iterator[list[str]]:
    """Projections of others: one with a name like ours, one with a name quite its own."""
    names = [f"{OURS}of-somebody-else-{tenant}", f"theirs-{tenant}"]
    for name in names:
        cypher("UNWIND [[1, 2]] AS pair RETURN gds.graph.project($name, pair[0], pair[1])", name=name)
    yield names
    cypher("UNWIND $names AS name CALL gds.graph.drop(name, false) YIELD graphName RETURN graphName", names=names)


@pytest.fixture
def ours(cypher: Cypher, tenant: str) -> Callable[[], list[str]]:
    """The projections of this tenant's jobs."""
    prefix = f"{OURS}{Scope(tenant).shared}-"
    return lambda: [name for name in _all(cypher) if name.startswith(prefix)]


def _all(cypher: Cypher) -> list[str]:
    return [row["name"] for row in cypher("CALL gds.graph.list() YIELD graphName RETURN graphName AS name")]


def _states(cypher: Cypher, tenant: str) -> list[str]:
    rows = cypher("MATCH (j:Job {tenant: $t}) RETURN j.state AS state ORDER BY j.started_at", t=tenant)
    return [row["state"] for row in rows]


def _central(cypher: Cypher, tenant: str) -> dict[str, float]:
    rows = cypher("MATCH (m:Memory {tenant: $t}) RETURN m.id AS id, m.centrality AS c", t=tenant)
    return {row["id"]: row["c"] for row in rows}


@pytest.fixture
def killed(settings: Settings, at: Connection, tenant: str, tmp_path: Path) -> Callable[[str], None]:
    """Start this tenant's job in a process of its own, and kill it when it says that it does this."""

    def kill(doing: str) -> None:
        with subprocess.Popen(
            [sys.executable, "-c", PROGRAM, doing],
            env=environment(settings, at, tenant), cwd=ROOT, stdout=subprocess.PIPE, text=True,
        ) as process:  # fmt: skip
            assert process.stdout is not None
            try:
                assert process.stdout.readline() == "here\n"
            finally:
                process.kill()

    return kill


def test_a_job_killed_after_projecting_is_followed_by_one_that_cleans_up(
    run: Callable[..., CentralityJob],
    killed: Callable[[str], None],
    ours: Callable[[], list[str]],
    others: list[str],
    cypher: Cypher,
    tenant: str,
) -> None:
    killed(PROJECTED)
    (left,) = ours()
    assert _central(cypher, tenant) == dict.fromkeys("abc")
    done = run()
    assert left != f"{OURS}{Scope(tenant).shared}-{done.id}"
    assert ours() == []
    assert set(others) <= set(_all(cypher))
    assert _central(cypher, tenant) == {"a": 0.25, "b": 1, "c": 0.25}
    assert _states(cypher, tenant) == ["killed", "done"]


def test_a_job_killed_before_projecting_is_known_to_be_dead(
    run: Callable[..., CentralityJob], killed: Callable[[str], None], cypher: Cypher, tenant: str
) -> None:
    killed("reading the graph")
    run()
    assert _states(cypher, tenant) == ["killed", "done"]


def test_a_projection_of_a_living_job_is_left_alone(
    run: Callable[..., CentralityJob], ours: Callable[[], list[str]], cypher: Cypher, tenant: str
) -> None:
    inner: list[CentralityJob] = []

    def meanwhile(doing: str, done: int, whole: int) -> None:
        if doing == PROJECTED:
            inner.append(run())
            assert len(ours()) == 1

    outer = run(progress=meanwhile)
    assert [job.state for job in (*inner, outer)] == ["done", "done"]
    assert ours() == []
    assert _states(cypher, tenant) == ["done", "done"]


def test_a_projection_that_no_job_stands_behind_is_dropped(
    run: Callable[..., CentralityJob], ours: Callable[[], list[str]], cypher: Cypher, tenant: str
) -> None:
    name = f"{OURS}{Scope(tenant).shared}-0123456789abcdef0123456789abcdef"
    cypher("UNWIND [[1, 2]] AS pair RETURN gds.graph.project($name, pair[0], pair[1])", name=name)
    assert ours() == [name]
    assert run().written == 3
    assert ours() == []


def test_jobs_of_two_tenants_and_two_of_one_run_at_once(
    settings: Settings, tenant: str, linked: Callable[[str], None], others: list[str], cypher: Cypher
) -> None:
    tenants = [tenant, tenant, f"{tenant}-two"]
    for name in set(tenants):
        linked(name)
    together = threading.Barrier(len(tenants), timeout=60)
    ended: list[CentralityJob | BaseException] = []

    def meet(doing: str, done: int, whole: int) -> None:
        if doing == PROJECTED:
            together.wait()  # all are projected now, none is done

    def work(name: str) -> None:
        try:
            ended.append(centrality(settings, Scope(name), progress=meet))
        except BaseException as error:
            ended.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in tenants]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [getattr(one, "written", one) for one in ended] == [3, 3, 3]
    for name in tenants:
        assert _central(cypher, name) == {"a": 0.25, "b": 1, "c": 0.25}
        assert not [found for found in _all(cypher) if Scope(name).shared in found]
    assert set(others) <= set(_all(cypher))


@pytest.mark.parametrize("doing", [PROJECTED, "computing betweenness"])
def test_an_algorithm_that_raises_leaves_nothing_and_is_told(
    run: Callable[..., CentralityJob],
    ours: Callable[[], list[str]],
    others: list[str],
    cypher: Cypher,
    tenant: str,
    doing: str,
) -> None:
    def sabotage(said: str, done: int, whole: int) -> None:
        if said == doing:
            for name in ours():
                cypher("CALL gds.graph.drop($name) YIELD graphName RETURN graphName", name=name)

    with pytest.raises(StoreError, match="does not exist"):
        run(progress=sabotage)
    assert ours() == []
    assert set(others) <= set(_all(cypher))
    assert _central(cypher, tenant) == dict.fromkeys("abc")
    (row,) = cypher("MATCH (j:Job {tenant: $t}) RETURN j.state AS state, j.error AS error, j.ended_at AS at", t=tenant)
    assert row["state"] == "failed"
    assert "does not exist" in row["error"]
    assert row["at"] is not None


@pytest.mark.parametrize("error", [KeyboardInterrupt(), RuntimeError("stop")])
def test_a_job_stopped_while_projected_leaves_nothing(
    run: Callable[..., CentralityJob], ours: Callable[[], list[str]], cypher: Cypher, tenant: str, error: BaseException
) -> None:
    def stop(said: str, done: int, whole: int) -> None:
        if said == "computing betweenness":
            assert len(ours()) == 1
            raise error

    with pytest.raises(type(error)):
        run(progress=stop)
    assert ours() == []
    assert _states(cypher, tenant) == ["failed"]
    assert run().written == 3
