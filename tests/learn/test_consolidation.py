"""From episodes to lessons to skills on the real server: once each, by any number of runs, by what is proven."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from graphmem import Episode, Memory
from graphmem.learn.drafts import Case, Distilled, Group, Reflected
from graphmem.learn.rules import RuleReflector
from graphmem.models import Step
from graphmem.steps import Stage
from tests.memories import Clock, ids

Cypher = Callable[..., list[dict[str, Any]]]
STEPS = ("close the inlet valve", "drain the boiler", "dissolve the scale with citric acid", "rinse the boiler")


def steps(*actions: str) -> tuple[Step, ...]:
    return tuple(Step(action=action) for action in actions)


def descaled(number: int, outcome: str = "success", **fields: Any) -> Episode:
    """An attempt at one of many boilers: the same steps, another task each time."""
    given = {
        "id": f"boiler-{number}",
        "task": f"Descale the boiler of house {number}",
        "domain": "plant",
        "task_type": "descaling",
        "trajectory": steps(*STEPS[:2], f"note the number {number} on the sheet", *STEPS[2:]),
        "outcome": outcome,
        "trace_id": f"trace-{number}",
    }
    return Episode(**{**given, **fields})


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def memory(connect: Callable[..., Memory], clock: Clock) -> Memory:
    return connect(clock=clock)


def written(cypher: Cypher, tenant: str) -> list[dict[str, Any]]:
    """Everything in the scope that a run could have changed."""
    return cypher(
        "MATCH (m:Memory {tenant: $t}) OPTIONAL MATCH (m)-[e]->(o:Memory) "
        "RETURN m {.*, embedding: null} AS node, collect([type(e), properties(e), o.id]) AS edges ORDER BY node.id",
        t=tenant,
    )


def test_what_worked_several_times_becomes_a_skill_that_is_recalled(client: Any, tenant: str, cypher: Cypher) -> None:
    client.record_many([descaled(n) for n in range(4)])
    done = client.consolidate()
    assert (done.episodes, done.failed, done.dead, done.warnings) == (4, 0, 0, ())
    assert done.queue.waiting == done.queue.grouping == done.queue.distilling == 0
    (skill,) = cypher("MATCH (s:Skill {tenant: $t}) RETURN s {.*} AS s", t=tenant)
    assert (skill["s"]["status"], skill["s"]["support"], skill["s"]["version"]) == ("active", 4, 1)
    assert [step.casefold() for step in skill["s"]["steps"]] == list(STEPS)
    (change,) = done.decided
    assert (change.id, change.change) == (skill["s"]["id"], "candidate → active")
    assert "4 distinct successful attempts" in change.reason
    recall = client.recall("Descale the boiler of house 77", kind="skill")
    assert ids(recall) == [skill["s"]["id"]]
    sources = cypher(
        "MATCH (e:Episode {tenant: $t})-[d:DERIVES]->(:Reflection)-[:GENERALIZES]->(:Skill) "
        "RETURN e.id AS id, count(*) AS n, collect(DISTINCT d.by) AS by ORDER BY id",
        t=tenant,
    )
    assert sources == [{"id": f"boiler-{n}", "n": 1, "by": ["rules-1"]} for n in range(4)]
    before = written(cypher, tenant)
    again = client.consolidate()
    assert (again.episodes, again.lessons, again.skills, again.decided) == (0, 0, 0, ())
    assert written(cypher, tenant) == before


def test_a_dry_run_says_what_would_be_and_writes_nothing(memory: Memory, tenant: str, cypher: Cypher) -> None:
    memory.record_many([descaled(n) for n in range(3)])
    before = written(cypher, tenant)
    told = memory.consolidate(dry_run=True)
    assert told.dry_run
    assert (told.episodes, told.queue.waiting) == (3, 3)
    assert sorted(id_ for draft in told.drafts for id_ in draft.sources) == [f"boiler-{n}" for n in range(3)]
    assert written(cypher, tenant) == before
    assert cypher("MATCH (j:Job {tenant: $t}) RETURN j.id AS id", t=tenant) == []


def test_failures_become_lessons_of_what_to_avoid_and_no_skill(memory: Memory, tenant: str, cypher: Cypher) -> None:
    memory.record_many(
        [
            descaled(
                n, "fail", trajectory=steps("heat the boiler", "pour in the acid"), failure_reason="it foamed over"
            )
            for n in range(5)
        ]
    )
    assert memory.consolidate().episodes == 5
    lessons = cypher("MATCH (r:Reflection {tenant: $t}) RETURN r.failure_mode AS mode, r.recallable AS open", t=tenant)
    assert lessons
    assert {(row["mode"], row["open"]) for row in lessons} == {("it foamed over", True)}
    assert cypher("MATCH (s:Skill {tenant: $t}) RETURN s.id AS id", t=tenant) == []


@pytest.mark.parametrize(
    "same", [{"trace_id": "one call"}, {"task": "Descale it", "trajectory": steps(*STEPS), "trace_id": ""}]
)
def test_one_call_that_was_retried_and_one_episode_that_was_copied_prove_nothing(
    memory: Memory, tenant: str, cypher: Cypher, same: dict[str, Any]
) -> None:
    memory.record_many([descaled(n, **same) for n in range(5)])
    done = memory.consolidate()
    skills = cypher("MATCH (s:Skill {tenant: $t}) RETURN s.status AS status, s.support AS support", t=tenant)
    assert skills == [{"status": "candidate", "support": 1}]
    assert done.decided == ()


def test_secure_episodes_teach_in_secret_and_are_shown_to_rules_alone(
    memory: Memory, tenant: str, cypher: Cypher
) -> None:
    memory.record_many([descaled(n, secure=True) for n in range(4)])

    class Talkative:
        name = "talkative"

        def reflect(self, case: Case) -> Stage[Reflected]:
            raise AssertionError("it was shown a secure episode")

        def distil(self, group: Group) -> Stage[Distilled]:
            raise AssertionError("it was shown a lesson of secure episodes")

    assert memory.consolidate(reflector=Talkative()).episodes == 4
    derived = cypher(
        "MATCH (m:Memory {tenant: $t}) WHERE m.kind <> 'episode' RETURN m.secure AS secure, m.recallable AS open",
        t=tenant,
    )
    assert {(row["secure"], row["open"]) for row in derived} == {(True, False)}
    assert memory.recall("Descale the boiler of house 1").hits == ()


def test_each_scope_learns_from_its_own(connect: Callable[..., Memory], tenant: str, cypher: Cypher) -> None:
    shared, ann = connect(), connect(user="ann")
    shared.record_many([descaled(n) for n in range(2)])
    ann.record_many([descaled(n) for n in range(2, 4)])
    assert shared.consolidate().episodes == 2
    assert ann.consolidate().episodes == 2
    joined = cypher(
        "MATCH (a:Memory {tenant: $t})-[e:DERIVES|GENERALIZES|RELATES]->(b) "
        "WHERE a.scope <> b.scope RETURN type(e) AS e",
        t=tenant,
    )
    assert joined == []
    assert {row["user"] for row in cypher("MATCH (r:Reflection {tenant: $t}) RETURN r.user AS user", t=tenant)} == {
        "",
        "ann",
    }


def test_episodes_of_novel_situations_go_first(memory: Memory, clock: Clock) -> None:
    seen: list[str] = []

    class Watching(RuleReflector):
        def reflect(self, case: Case) -> Stage[Reflected]:
            seen.extend(attempt.id for attempt in case.new)
            return (yield from super().reflect(case))

    memory.record_many([descaled(n) for n in range(3)])
    clock.now += timedelta(minutes=1)
    novel = memory.recall("Fold a paper crane", trace_id="new-trace")
    assert novel.hits == ()
    memory.record(descaled(9, task="Fold a paper crane", trace_id="new-trace"))
    memory.consolidate(reflector=Watching())
    assert seen[0] == "boiler-9"
    assert sorted(seen) == ["boiler-0", "boiler-1", "boiler-2", "boiler-9"]
