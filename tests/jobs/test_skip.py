"""A job in whose scope nothing changed is skipped; whatever changes the result, or leaves it in doubt, is not."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from graphmem import Memory, Settings
from graphmem.jobs import CentralityJob, centrality
from graphmem.policies import CentralitySettings
from graphmem.scope import Scope
from tests.memories import NOW, Clock, won

Connect = Callable[..., Memory]
Cypher = Callable[..., list[dict[str, Any]]]
Jobs = Callable[[], list[dict[str, Any]]]


class Ticking(Clock):
    """A clock that moves on whenever it is looked at."""

    def __call__(self) -> Any:
        self.now += timedelta(seconds=1)
        return self.now


@pytest.fixture
def clock() -> Ticking:
    return Ticking()


@pytest.fixture
def later(settings: Settings, tenant: str, clock: Ticking) -> Callable[..., CentralityJob]:
    """Run the job of this test's tenant at a later time than all before, by the settings or by others."""

    def run(user: str = "", by: Settings = settings, **given: Any) -> CentralityJob:
        return centrality(by, Scope(tenant, user), clock=clock, **given)

    return run


@pytest.fixture
def path(make: Connect) -> Memory:
    """Three memories in a row, and the client that recorded them."""
    memory = make()
    memory.record_many([won(id_, f"{id_} north:0.8") for id_ in "abc"])
    memory.link("a", "b")
    memory.link("b", "c")
    return memory


@pytest.mark.usefixtures("path")
def test_a_second_job_is_skipped_and_touches_nothing(
    later: Callable[..., CentralityJob], jobs: Jobs, cypher: Cypher, tenant: str
) -> None:
    first = later()
    told: list[str] = []
    second = later(progress=lambda doing, done, whole: told.append(doing))
    assert (second.state, second.reason) == ("skipped", "nothing changed since the last job")
    assert (second.nodes, second.edges, second.written, second.error) == (3, 2, 0, "")
    assert second.digest == first.digest
    assert not second.impossible
    assert set(told) == {"reading the graph"}
    rows = cypher("MATCH (m:Memory {tenant: $t}) RETURN DISTINCT m.centrality_at AS at", t=tenant)
    assert [row["at"].to_native() for row in rows] == [first.started_at]
    third = later()
    # Of those that were skipped the latest is kept: they would pile up with the hours.
    assert [(node["id"], node["state"]) for node in jobs()] == [(first.id, "done"), (third.id, "skipped")]
    assert jobs()[1]["reason"] == third.reason


@pytest.mark.usefixtures("path")
def test_force_computes_anyway(later: Callable[..., CentralityJob]) -> None:
    later()
    done = later(force=True)
    assert (done.state, done.written, done.reason) == ("done", 3, "")
    assert later().state == "skipped"


CHANGES: dict[str, Callable[[Memory, Cypher, str], object]] = {
    "a memory": lambda memory, cypher, tenant: memory.record(won("d", "d north:0.8")),
    "a link": lambda memory, cypher, tenant: memory.link("a", "c"),
    "a correction": lambda memory, cypher, tenant: memory.correct(wrong="a", right="c", reason="outdated"),
    "a memory retired": lambda memory, cypher, tenant: memory.retire("c"),
    "a memory erased": lambda memory, cypher, tenant: memory.erase(id="c"),
    "a memory taken for another": lambda memory, cypher, tenant: (
        memory.erase(id="c"), memory.record(won("d", "d north:0.8")), memory.link("b", "d")
    ),
    "a memory without a centrality": lambda memory, cypher, tenant: cypher(
        "MATCH (m:Memory {tenant: $t, id: 'c'}) REMOVE m.centrality, m.centrality_at", t=tenant
    ),
    "another version of the program": lambda memory, cypher, tenant: cypher(
        "MATCH (j:Job {tenant: $t}) SET j.digest = 'of another version'", t=tenant
    ),
    "a job that failed": lambda memory, cypher, tenant: _plant(cypher, tenant, state="failed", ended=2),
    "a job that was killed": lambda memory, cypher, tenant: _plant(cypher, tenant, state="killed", ended=2),
    "a job that seems to run elsewhere": lambda memory, cypher, tenant: _plant(cypher, tenant, state="running"),
    "a job beside the last": lambda memory, cypher, tenant: _plant(cypher, tenant, state="done", ended=-1),
}  # fmt: skip


def _plant(cypher: Cypher, tenant: str, state: str, ended: int | None = None) -> None:
    """A job that ended so many minutes after the last one ended (before: while it ran), or that did not end."""
    cypher(
        "MATCH (last:Job {tenant: $t, state: 'done'}) CREATE (j:Job) SET j = last {.*, id: 'planted', state: $state, "
        "digest: 'another', ended_at: CASE WHEN $ended IS NOT NULL THEN CASE WHEN $ended < 0 THEN last.started_at "
        "ELSE last.ended_at + duration({minutes: $ended}) END END}",
        t=tenant, state=state, ended=ended,
    )  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_what_changed_is_computed(
    path: Memory, later: Callable[..., CentralityJob], cypher: Cypher, tenant: str, change: str
) -> None:
    later()
    assert later().state == "skipped"
    CHANGES[change](path, cypher, tenant)
    done = later()
    assert (done.state, done.reason) == ("done", "")
    assert done.written == done.nodes > 0


@pytest.mark.parametrize("rules", [{"relates": 0.9}, {"exact_up_to": 1, "samples": 2}])
@pytest.mark.usefixtures("path")
def test_other_settings_are_computed(
    later: Callable[..., CentralityJob], settings: Settings, rules: dict[str, Any]
) -> None:
    later()
    by = settings.model_copy(update={"centrality": CentralitySettings(**rules)})
    done = later(by=by)
    assert (done.state, done.samples) == ("done", rules.get("samples", 0))
    assert later(by=by).state == "skipped"


def test_an_empty_scope_and_one_memory_alone_are_skipped_the_second_time(
    make: Connect, later: Callable[..., CentralityJob]
) -> None:
    make().init()
    assert [(job.state, job.nodes) for job in (later(), later())] == [("done", 0), ("skipped", 0)]
    make().record(won("a", "a north:0.8"))
    assert [(job.state, job.written) for job in (later(), later())] == [("done", 1), ("skipped", 0)]


def test_what_the_tenant_shares_counts_for_a_user_and_not_the_other_way_round(
    path: Memory, make: Connect, later: Callable[..., CentralityJob]
) -> None:
    mine = make(user="u7")
    mine.record(won("m", "m north:0.8"))
    assert [later(user).state for user in ("", "u7", "", "u7")] == ["done", "done", "skipped", "skipped"]
    mine.link("m", "a")
    assert [later(user).state for user in ("", "u7")] == ["skipped", "done"]
    path.link("a", "c")
    assert [later(user).state for user in ("", "u7")] == ["done", "done"]


def test_what_was_skipped_moves_with_the_other_jobs_and_goes_with_old_ones(
    path: Memory, later: Callable[..., CentralityJob], make: Connect, jobs: Jobs, tmp_path: Path
) -> None:
    later()
    skipped = later()
    path.export(tmp_path / "all.jsonl")
    path.erase(everything=True)
    path.load(tmp_path / "all.jsonl")
    moved = {node["id"]: node for node in jobs() if node["kind"] == "centrality"}
    assert {node["state"] for node in moved.values()} == {"done", "skipped"}
    assert moved[skipped.id]["reason"] == skipped.reason
    assert later().state == "done"  # what stands here was not written by a job of this database
    old = make(clock=lambda: NOW + timedelta(days=365))
    old.retention(apply=True)
    assert [node["kind"] for node in jobs()] == ["retention"]
