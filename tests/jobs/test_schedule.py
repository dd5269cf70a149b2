"""`graphmem jobs schedule`: what each job does, what it tells, and what it does while the store is away."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from graphmem import Memory, Settings
from graphmem.errors import ConfigurationError, InvalidInput, StoreUnavailable
from graphmem.policies import ScheduleSettings
from graphmem.schedule import JobName, Plan, Run, RunState, forever, once
from graphmem.scope import Scope
from graphmem.settings import Connection, load_settings
from tests.memories import won
from tests.outbox.relay import Relay

Cypher = Callable[..., list[dict[str, Any]]]
OFF = {"flush": "off", "consolidation": "off", "retention": "off", "centrality": "off"}


@pytest.fixture
def plain(settings: Settings) -> Settings:
    """Settings without an embedding model."""
    return settings.model_copy(update={"embedding": settings.embedding.model_copy(update={"model": "none"})})


@pytest.fixture
def filled(plain: Settings, tenant: str) -> None:
    """What the tenant shares and what two of its users keep: three linked episodes each."""
    for user in (None, "u7", "u8"):
        with Memory(tenant, user, settings=plain) as memory:
            memory.record_many([won(f"{id_}{user or ''}", f"descale the boiler {id_}") for id_ in "abc"])
            memory.link(f"a{user or ''}", f"b{user or ''}")


def planned(settings: Settings, tenant: str, **given: Any) -> Plan:
    return Plan.of(settings, Scope(tenant, given.pop("user", "")), **given)


def told(plan: Plan) -> tuple[bool, list[tuple[str, str, str]]]:
    """Whether all went well, and of each run the job, whose, and how it ended."""
    runs: list[Run] = []
    fine = once(plan, runs.append)
    assert all(run.tenant == plan.scope.tenant and run.started_at <= run.ended_at and run.told for run in runs)
    return fine, [(run.job.value, run.user, run.state.value) for run in runs]


@pytest.mark.usefixtures("filled")
def test_once_runs_each_job_once_in_their_order(plain: Settings, tenant: str, cypher: Cypher) -> None:
    plan = planned(plain, tenant)
    order = ["flush", "consolidation", "retention", "centrality"]
    fine, first = told(plan)
    assert fine
    assert first == list(zip(order, [""] * 4, ["skipped", "done", "skipped", "done"], strict=True))
    rows = cypher("MATCH (m:Memory {tenant: $t}) RETURN m.user AS user, count(m.centrality_at) AS central", t=tenant)
    assert {row["user"]: row["central"] > 0 for row in rows} == {"": True, "u7": False, "u8": False}
    assert told(plan)[1] == list(zip(order, [""] * 4, ["skipped"] * 4, strict=True))


@pytest.mark.usefixtures("filled")
def test_everything_is_the_tenant_with_all_its_users(plain: Settings, tenant: str, cypher: Cypher) -> None:
    fine, runs = told(planned(plain, tenant, everything=True))
    assert fine
    whose = ["", "u7", "u8"]
    assert runs == [
        ("flush", "", "skipped"),
        *(("consolidation", user, "done") for user in whose),
        ("retention", "", "skipped"),
        *(("centrality", user, "done") for user in whose),
    ]
    rows = cypher("MATCH (m:Memory {tenant: $t}) RETURN m.user AS user, count(m.centrality_at) AS central", t=tenant)
    assert all(row["central"] >= 3 for row in rows)
    (job,) = cypher("MATCH (j:Job {tenant: $t, kind: 'retention'}) RETURN j.scopes AS scopes", t=tenant)
    assert job["scopes"] == 3


@pytest.mark.usefixtures("filled")
def test_a_users_jobs_are_on_that_user_alone(plain: Settings, tenant: str, cypher: Cypher) -> None:
    _, runs = told(planned(plain, tenant, user="u7"))
    assert {user for _, user, _ in runs} == {"u7"}
    rows = cypher(
        "MATCH (m:Memory {tenant: $t}) WHERE m.centrality_at IS NOT NULL OR m.reflected_at IS NOT NULL "
        "RETURN DISTINCT m.user AS user",
        t=tenant,
    )
    assert [row["user"] for row in rows] == ["u7"]
    with pytest.raises(InvalidInput, match="name no user for everything"):
        planned(plain, tenant, user="u7", everything=True)


@pytest.mark.usefixtures("filled")
def test_what_waits_in_the_outbox_is_delivered(plain: Settings, at: Connection, tenant: str, tmp_path: Path) -> None:
    outbox = plain.outbox.model_copy(update={"path": tmp_path / "outbox.sqlite"})
    relay = Relay((at.uri.partition("//")[2].split(":")[0], int(at.uri.rpartition(":")[2])))
    through = {"uri": f"bolt://127.0.0.1:{relay.port}", "user": at.user, "password": at.password, "timeout": 1.0}
    here = plain.model_copy(update={"outbox": outbox, "neo4j": plain.neo4j.model_copy(update=through)})
    flushing = here.model_copy(update={"schedule": ScheduleSettings(**{**OFF, "flush": 60})})
    runs: list[Run] = []
    try:
        relay.cut()
        for user in (None, "u7"):
            with Memory(tenant, user, settings=here) as memory:
                assert memory.record(won(f"late{user or ''}", "descale the boiler late")).result == "queued"
        plan = planned(flushing, tenant, everything=True)
        with pytest.raises(StoreUnavailable):
            once(plan, runs.append)
        assert runs == []
        relay.mend()
        assert once(plan, runs.append)
        assert once(plan, runs.append)
    finally:
        relay.cut()
    assert [(run.state, run.told) for run in runs] == [
        ("done", "2 delivered, 0 wait, 0 dead letters"),
        ("skipped", "nothing waits"),
    ]


def test_a_job_that_fails_is_told_and_the_others_run(plain: Settings, tenant: str, cypher: Cypher) -> None:
    with Memory(tenant, settings=plain) as memory:
        memory.init()
    other = plain.model_copy(update={"fulltext": plain.fulltext.model_copy(update={"analyzer": "english"})})
    fine, runs = told(planned(other, tenant))
    assert not fine
    assert runs == [
        ("flush", "", "skipped"), ("consolidation", "", "failed"), ("retention", "", "failed"),
        ("centrality", "", "failed"),
    ]  # fmt: skip
    failed: list[Run] = []
    once(planned(other, tenant, everything=True), failed.append)
    assert [(run.job.value, run.state.value) for run in failed] == [(job, state) for job, _, state in runs]
    assert all("english" in run.told and "\n" not in run.told for run in failed[1:])


def test_what_is_told_of_a_failure_is_redacted(plain: Settings, tenant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*given: Any, **named: Any) -> None:
        raise RuntimeError("no luck with\nada@example.org")

    plan = planned(plain.model_copy(update={"schedule": ScheduleSettings(**{**OFF, "retention": 60})}), tenant)
    monkeypatch.setattr(Memory, "retention", fail)
    runs: list[Run] = []
    assert not once(plan, runs.append)
    assert [run.told for run in runs] == ["no luck with [email]"]


def test_a_job_runs_once_at_a_time_and_others_beside_it(
    plain: Settings, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    schedule = ScheduleSettings(**{**OFF, "retention": 1, "flush": 1})
    plan = planned(plain.model_copy(update={"schedule": schedule}), tenant)
    stop, guard, running, most, seen = threading.Event(), threading.Lock(), [0], [0], list[JobName]()

    def runs(self: Plan, name: JobName) -> Iterator[Run]:
        if name is JobName.RETENTION:
            with guard:
                running[0] += 1
                most[0] = max(most[0], running[0])
            stop.wait(2.5)  # two more times come meanwhile
            with guard:
                running[0] -= 1
        yield Run(
            job=name, tenant=tenant, user="", state=RunState.DONE, told="x", started_at=plan.clock(),
            ended_at=plan.clock(),
        )  # fmt: skip

    def tell(run: Run) -> None:
        seen.append(run.job)
        if seen.count(JobName.RETENTION) == 2:
            stop.set()

    monkeypatch.setattr(Plan, "runs", runs)
    notes: list[str] = []
    forever(plan, stop, tell, notes.append)
    assert most == [1]
    assert seen.count(JobName.FLUSH) >= 4
    assert running == [0]
    assert notes == ["stopping, once the running steps have ended"]


def test_the_step_that_runs_ends_before_the_schedule_does(
    plain: Settings, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = planned(plain.model_copy(update={"schedule": ScheduleSettings(**{**OFF, "retention": 60})}), tenant)
    stop, steps = threading.Event(), list[str]()

    def runs(self: Plan, name: JobName) -> Iterator[Run]:
        for step in ("first", "second"):
            stop.set()
            steps.append(f"{step} begun")
            threading.Event().wait(0.3)
            steps.append(f"{step} ended")
            yield Run(
                job=name, tenant=tenant, user=step, state=RunState.DONE, told="x", started_at=plan.clock(),
                ended_at=plan.clock(),
            )  # fmt: skip

    monkeypatch.setattr(Plan, "runs", runs)
    forever(plan, stop, lambda run: steps.append(f"{run.user} told"), lambda note: None)
    assert steps == ["first begun", "first ended", "first told"]


def test_waiting_for_a_store_ends_with_the_schedule(plain: Settings, tenant: str) -> None:
    gone = {"uri": "bolt://127.0.0.1:1", "timeout": 1.0}
    schedule = ScheduleSettings(**{**OFF, "retention": 60, "centrality": 60})
    here = plain.model_copy(update={"schedule": schedule, "neo4j": plain.neo4j.model_copy(update=gone)})
    stop, notes = threading.Event(), list[str]()

    def note(said: str) -> None:
        notes.append(said)
        stop.set()

    forever(planned(here, tenant), stop, lambda run: pytest.fail(f"{run}"), note)
    assert len(notes) == 2
    assert notes[0].endswith("; waiting for it")


@pytest.mark.parametrize("value", ["0", "0.5", "-60", "soon", "", "nan", "inf", "99999999"])
def test_an_interval_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("GRAPHMEM_SCHEDULE__RETENTION", value)
    with pytest.raises(ConfigurationError, match="GRAPHMEM_SCHEDULE__RETENTION"):
        load_settings()


def test_intervals_are_seconds_or_off(monkeypatch: pytest.MonkeyPatch, plain: Settings, tenant: str) -> None:
    monkeypatch.setenv("GRAPHMEM_SCHEDULE__RETENTION", "90.5")
    monkeypatch.setenv("GRAPHMEM_SCHEDULE__FLUSH", "off")
    given = load_settings().schedule
    assert (given.retention, given.flush) == (90.5, "off")
    plan = planned(plain.model_copy(update={"schedule": given}), tenant)
    assert [*plan.jobs] == [JobName.CONSOLIDATION, JobName.RETENTION, JobName.CENTRALITY]
    assert plan.jobs[JobName.RETENTION] == 90.5
    with pytest.raises(ValidationError):
        ScheduleSettings(flush="on")


def test_what_cannot_be_told_ends_the_schedule(plain: Settings, tenant: str) -> None:
    plan = planned(plain.model_copy(update={"schedule": ScheduleSettings(**{**OFF, "retention": 60})}), tenant)
    notes: list[str] = []

    def tell(run: Run) -> None:
        raise BrokenPipeError(run.told)

    with pytest.raises(BrokenPipeError):
        forever(plan, threading.Event(), tell, notes.append)
    assert notes == []
