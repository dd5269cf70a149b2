"""A server on which Graph Data Science is not loaded: the job is skipped and says why, and all else works."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from threading import Event

import pytest

from graphmem import Memory, Settings
from graphmem.jobs import centrality
from graphmem.schedule import Plan, Run, forever, once
from graphmem.scope import Scope
from graphmem.server import conf
from graphmem.server.doctor import doctor
from graphmem.server.halt import down
from graphmem.server.start import up
from graphmem.settings import connection, load_settings
from tests.adapters.serving import client, text
from tests.cli.shell import Inside, environment
from tests.memories import ids, won

REASON = "Graph Data Science is not installed on bolt://"


@pytest.fixture(scope="module")
def bare(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """A server of this module's own, on which no procedure of a plugin may be called."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(conf._FIXED, "dbms.security.procedures.allowlist", "db.*,dbms.*,tx.*")
        own = load_settings(
            home=tmp_path_factory.mktemp("bare"), cache=settings.cache, instance="plain", embedding={"model": "none"},
            schedule={"centrality": 1},
            server={"heap": "512m", "page_cache": "128m", "bolt_port": 0, "http_port": 0},
        )  # fmt: skip
        up(own)
        yield own
        down(own)


@pytest.fixture
def env(bare: Settings, tenant: str) -> dict[str, str]:
    """What a shell needs to work with it."""
    return {**environment(bare, connection(bare), tenant), "GRAPHMEM_EMBEDDING__MODEL": "none"}


@pytest.fixture
def memory(bare: Settings, tenant: str) -> Iterator[Memory]:
    """A client of this test's tenant, which keeps two linked memories."""
    with Memory(tenant, settings=bare) as made:
        made.record_many([won("a", "rotate the key of the mailer"), won("b", "rotate the key of the printer")])
        made.link("a", "b")
        yield made


def test_the_job_is_skipped_and_says_so(memory: Memory, bare: Settings, tenant: str) -> None:
    jobs = [centrality(bare, Scope(tenant)) for _ in range(2)]
    for job in jobs:
        assert (job.state, job.gds, job.written, job.error) == ("skipped", "", 0, "")
        assert job.impossible
        assert job.reason.startswith(REASON)
        assert "\n" not in job.reason
        assert job.neo4j
    assert memory.get("a").centrality is None


def test_the_command_ends_with_three(memory: Memory, env: dict[str, str]) -> None:
    inside = Inside(env)
    ran = inside("jobs", "centrality")
    assert (ran.code, ran.out) == (3, "")
    assert ran.err.startswith(f"graphmem: skipped: {REASON}")
    assert ran.err.count("\n") == 1
    told = inside("jobs", "centrality", "--json")
    assert (told.code, told.err) == (3, "")
    assert json.loads(told.out)["state"] == "skipped"
    assert "3 when Graph Data Science is not available" in " ".join(inside("jobs", "centrality", "--help").out.split())


def test_everything_else_works(memory: Memory, env: dict[str, str]) -> None:
    recall = memory.recall("rotate the key of the mailer")
    assert ids(recall)[0] == "a"
    assert {one.components.centrality for one in recall.candidates} == {0.0}
    memory.feedback(recall, outcome="success", used=["a"])
    memory.correct(wrong="b", right="a", reason="outdated")
    assert memory.consolidate().episodes == 2
    assert memory.check() == ()
    assert Inside(env)("check").code == 0
    missing = Inside(env)("doctor")
    assert missing.code == 1
    assert "FAIL  GDS        not installed" in missing.out


def test_doctor_says_what_is_missing(memory: Memory, bare: Settings) -> None:
    at = connection(bare)
    given = {"uri": at.uri, "user": at.user, "password": at.password}
    unwell = [check for check in doctor(load_settings(cache=bare.cache, neo4j=given)) if not check.ok]
    assert [(check.name, check.found) for check in unwell] == [("GDS", "not installed")]
    assert "install its plugin" in unwell[0].remedy


def test_the_schedule_tells_it_once_and_does_the_rest(memory: Memory, env: dict[str, str], tenant: str) -> None:
    ran = Inside(env)("jobs", "schedule", "--once", "--everything")
    assert ran.code == 0
    assert ran.err.startswith(f"graphmem: centrality is skipped: {REASON}")
    assert ran.err.count("\n") == 1
    assert [line.split()[2] for line in ran.out.splitlines()] == ["consolidation"]


def test_the_schedule_looks_again_at_each_interval_and_no_sooner(memory: Memory, bare: Settings, tenant: str) -> None:
    plan = Plan.of(bare, Scope(tenant))
    runs: list[Run] = []
    assert once(plan, runs.append)
    assert [(run.job.value, run.state.value, run.impossible) for run in runs if run.impossible] == [
        ("centrality", "skipped", True)
    ]
    looks: list[Run] = []

    def tell(run: Run) -> None:
        looks.extend([run] if run.impossible else [])
        if len(looks) == 3:
            stop.set()

    stop = Event()
    forever(plan, stop, tell, lambda said: None)
    assert all((later.started_at - sooner.started_at).total_seconds() > 0.8 for sooner, later in pairwise(looks))


async def test_the_mcp_server_starts_and_recalls(memory: Memory, env: dict[str, str], tmp_path: Path) -> None:
    async with client("stdio", env, tmp_path / "err") as one:
        answer = await one.call_tool("graphmem_recall", {"text": "rotate the key of the mailer"})
    assert not answer.is_error, text(answer)
    assert "rotate the key of the mailer" in text(answer)
