"""Runs of retention beside others, and what is told of them: pins in between, Jobs that were killed or are old."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from graphmem import Memory, Status
from graphmem.govern import retention as letting_go
from graphmem.govern.retention import LEASE, Order, Retention
from graphmem.policies import RetentionSettings
from graphmem.scope import Scope
from graphmem.settings import load_settings
from graphmem.steps import Read, Step, run
from tests.embedders import HashEmbedder
from tests.memories import NOW, Clock, won

Make = Callable[..., Any]
Cypher = Callable[..., list[dict[str, Any]]]
DAY = timedelta(days=1)


@pytest.fixture
def plant(cypher: Cypher, tenant: str) -> Callable[..., None]:
    """A Job of this test's tenant, or of one of its users."""

    def planted(id_: str, user: str = "", tenant: str = tenant, **properties: Any) -> None:
        given = {
            "kind": "retention",
            "tenant": tenant,
            "user": user,
            "state": "running",
            "started_at": NOW,
            **properties,
        }
        cypher("CREATE (j:Job {scope: $s, id: $id}) SET j += $p", s=Scope(tenant, user).own, id=id_, p=given)

    return planted


@pytest.fixture
def jobs(cypher: Cypher, tenant: str) -> Callable[[], dict[str, dict[str, Any]]]:
    """The Jobs of this test's tenant and of its users, by id."""

    def found() -> dict[str, dict[str, Any]]:
        rows = cypher("MATCH (j:Job {tenant: $t}) RETURN properties(j) AS j", t=tenant)
        return {row["j"]["id"]: row["j"] for row in rows}

    return found


def test_what_is_pinned_after_it_was_weighed_is_spared(connect: Callable[..., Memory], tenant: str) -> None:
    memory = connect(embedder=HashEmbedder(name="bge-small-en-v1.5"), clock=lambda: NOW)
    memory.record_many([won(id_, f"task {id_}", occurred_at=NOW - 900 * DAY) for id_ in ("dear", "old")])

    def answer(step: Step) -> Any:
        rows = memory._answer(step)
        if isinstance(step, Read) and step.call.statement.name == "govern/retention_least":
            memory.pin("dear")
        return rows

    stage = letting_go(
        Order(apply=True), Scope(tenant), RetentionSettings(), NOW, memory._verbs._dimensions, lambda: NOW
    )
    assert run(stage, answer).faded == 1
    assert memory.get("dear").status is Status.ACTIVE
    assert memory.get("old").status is Status.RETIRED


@pytest.mark.parametrize("fails", [False, True])
def test_a_job_ends_when_the_run_does(
    connect: Callable[..., Memory], tenant: str, jobs: Callable[[], Any], fails: bool
) -> None:
    memory, clock = connect(embedder=HashEmbedder(name="bge-small-en-v1.5")), Clock()
    memory.record(won("old", occurred_at=NOW - 900 * DAY))

    def answer(step: Step) -> Any:
        clock.now += timedelta(seconds=7)
        if fails and isinstance(step, Read):
            raise OSError("the disk is full")
        return memory._answer(step)

    def go() -> Retention:
        order, rules = Order(apply=True), RetentionSettings()
        return run(letting_go(order, Scope(tenant), rules, NOW, memory._verbs._dimensions, clock), answer)

    if fails:
        with pytest.raises(OSError, match="disk"):
            go()
    else:
        assert go().faded == 1
    (job,) = jobs().values()
    assert job["state"] == ("failed" if fails else "done")
    assert job["started_at"].to_native() == NOW
    # the answer to the last step comes seven seconds after it was asked for
    assert job["ended_at"].to_native() == clock.now - timedelta(seconds=7)
    assert job["ended_at"].to_native() > NOW


def test_runs_that_never_ended_are_said_to_be_killed(
    make: Make, clock: Clock, plant: Callable[..., None], jobs: Callable[[], Any]
) -> None:
    clock.now = NOW + DAY
    plant("no end")
    plant("over", until=clock.now)
    plant("alive", until=clock.now + timedelta(seconds=1))
    plant("ended", state="done", ended_at=NOW)
    plant("ranking", kind="centrality")
    plant("ann's", user="ann")
    before = jobs()
    make().retention()
    assert jobs() == before, "nothing is written without apply"
    done = make().retention(apply=True)
    after = jobs()
    killed = {id_ for id_ in before if after[id_] != before[id_]}
    assert killed == {"no end", "over"}
    assert {after[id_]["state"] for id_ in killed} == {"killed"}
    assert {after[id_]["ended_at"].to_native() for id_ in killed} == {clock.now}
    assert after[done.job]["until"].to_native() == clock.now + LEASE


def test_old_jobs_go_and_young_running_and_foreign_ones_stay(
    make: Make, clock: Clock, plant: Callable[..., None], jobs: Callable[[], Any], tenant: str, cypher: Cypher
) -> None:
    ended: datetime = NOW - 30 * DAY
    for kind in ("consolidation", "retention", "centrality"):
        for state in ("done", "failed", "killed"):
            plant(f"{kind} {state}", kind=kind, state=state, started_at=ended - 9 * DAY, ended_at=ended)
    plant("unsaid", state="killed", started_at=ended)
    young = {"started_at": ended - DAY, "ended_at": ended + timedelta(seconds=1)}
    plant("young", state="done", **young)
    plant("running", kind="consolidation", started_at=ended - 900 * DAY)
    plant("other", kind="import", state="done", ended_at=ended)
    plant("ann's", user="ann", state="done", ended_at=ended)
    plant("theirs", tenant=f"{tenant}-other", state="done", ended_at=ended)
    stay = {"young", "running", "other", "ann's"}
    before = jobs()
    assert make().retention().jobs == make().retention(apply=True).jobs == 0, "the setting is 90 days"
    client = make(job_days=30)
    assert client.retention().jobs == 10
    assert before.keys() <= jobs().keys()
    done = client.retention(apply=True)
    assert done.jobs == 10
    assert jobs()[done.job]["jobs"] == 10
    assert jobs().keys() & before.keys() == stay
    assert client.retention(apply=True).jobs == 0
    assert client.retention(apply=True, everything=True).jobs == 1
    assert jobs().keys() & before.keys() == stay - {"ann's"}
    assert len(cypher("MATCH (j:Job {tenant: $t}) RETURN j", t=f"{tenant}-other")) == 1
    clock.now = NOW + 31 * DAY
    assert client.retention().jobs == 5, "four runs, and the young one"


def test_old_jobs_go_in_batches(
    make: Make, plant: Callable[..., None], jobs: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(letting_go.__globals__, "BATCH", 2)
    for n in range(5):
        plant(f"j{n}", state="done", ended_at=NOW - 100 * DAY)
    done = make().retention(apply=True)
    assert (done.jobs, list(jobs())) == (5, [done.job])


def test_how_long_jobs_are_kept_is_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load_settings().retention.job_days == 90
    monkeypatch.setenv("GRAPHMEM_RETENTION__JOB_DAYS", "7")
    assert load_settings().retention.job_days == 7
