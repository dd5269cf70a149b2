"""Consolidation that is killed, slow, overtaken, or meets what was damaged, taken back or has expired meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from graphmem import Memory
from graphmem.errors import InvalidInput, ReflectionError
from graphmem.learn.drafts import Case, Distilled, Group, Reflected
from graphmem.learn.rules import RuleReflector
from graphmem.steps import Stage
from tests.learn.test_consolidation import descaled
from tests.memories import Clock

Cypher = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def memory(connect: Callable[..., Memory], clock: Clock) -> Memory:
    return connect(clock=clock)


def test_what_a_dead_run_held_returns_when_its_lease_ends(
    memory: Memory, clock: Clock, tenant: str, cypher: Cypher
) -> None:
    memory.record_many([descaled(n) for n in range(3)])

    class Dying(RuleReflector):
        def reflect(self, case: Case) -> Stage[Reflected]:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        memory.consolidate(reflector=Dying())
    assert memory.consolidate().episodes == 0
    clock.now += timedelta(seconds=601)
    assert memory.consolidate().episodes == 3
    states = cypher("MATCH (j:Job {tenant: $t, kind: 'consolidation'}) RETURN j.state AS s ORDER BY s", t=tenant)
    assert [row["s"] for row in states] == ["done", "done", "killed"]
    assert memory.consolidate().episodes == 0
    assert len(cypher("MATCH (j:Job {tenant: $t, kind: 'consolidation'}) RETURN j", t=tenant)) == 3, "nothing was to do"


def test_what_cannot_be_reflected_is_given_back_and_dead_in_the_end(
    memory: Memory, clock: Clock, tenant: str, cypher: Cypher
) -> None:
    class Picky(RuleReflector):
        def reflect(self, case: Case) -> Stage[Reflected]:
            if any(attempt.id == "boiler-1" for attempt in case.new):
                raise ReflectionError("no words for that")
            return (yield from super().reflect(case))

    memory.record_many([descaled(n) for n in range(3)])
    first = memory.consolidate(reflector=Picky())
    assert (first.episodes, first.failed, first.dead) == (2, 1, 0)
    for _ in range(4):
        assert memory.consolidate(reflector=Picky()).failed == 0  # it is tried again later, not at once
        clock.now += timedelta(seconds=61)
        last = memory.consolidate(reflector=Picky())
    assert (last.failed, last.dead, last.queue.dead, last.queue.waiting) == (1, 1, 1, 0)
    dead = cypher("MATCH (m:Memory {tenant: $t, awaits: 'dead'}) RETURN m.id AS id, m.problem AS why", t=tenant)
    assert dead == [{"id": "boiler-1", "why": "no words for that"}]


def test_a_slow_reflector_keeps_its_claims_and_loses_nothing_that_is_done(
    memory: Memory, connect: Callable[..., Memory], clock: Clock, tenant: str, cypher: Cypher
) -> None:
    """Each task takes a third of a lease; another run looks for work all the while."""
    memory.record_many([descaled(n) for n in range(6)])
    other, stolen = connect(clock=clock), []

    class Slow(RuleReflector):
        def reflect(self, case: Case) -> Stage[Reflected]:
            clock.now += timedelta(seconds=200)
            stolen.append(other.consolidate().episodes)
            return (yield from super().reflect(case))

    assert memory.consolidate(reflector=Slow()).episodes == 6
    assert sum(stolen) == 0
    derived = cypher("MATCH (e:Episode {tenant: $t}) RETURN COUNT { (e)-[:DERIVES]->() } AS n", t=tenant)
    assert [row["n"] for row in derived] == [1] * 6


def test_what_was_taken_back_while_it_was_reflected_teaches_nothing(
    memory: Memory, connect: Callable[..., Memory], tenant: str, cypher: Cypher
) -> None:
    memory.record_many([descaled(n) for n in range(2)])
    person = connect()

    class Watched(RuleReflector):
        def reflect(self, case: Case) -> Stage[Reflected]:
            if case.new[0].id == "boiler-1":
                person.retire("boiler-1", by="ada")
            return (yield from super().reflect(case))

    assert memory.consolidate(reflector=Watched()).episodes == 1
    sources = cypher("MATCH (e:Episode {tenant: $t})-[:DERIVES]->() RETURN e.id AS id", t=tenant)
    assert sources == [{"id": "boiler-0"}]


def test_what_was_claimed_with_something_that_was_taken_back_returns_soon(
    memory: Memory, connect: Callable[..., Memory], clock: Clock
) -> None:
    """Two attempts at one task: one is retired while both are reflected."""
    memory.record_many([descaled(n, task="Descale it") for n in range(2)])
    person = connect()

    class Watched(RuleReflector):
        def reflect(self, case: Case) -> Stage[Reflected]:
            person.retire("boiler-1", by="ada")
            return (yield from super().reflect(case))

    assert memory.consolidate(reflector=Watched()).episodes == 0
    clock.now += timedelta(seconds=61)
    assert memory.consolidate().episodes == 1


def test_a_group_whose_first_lesson_is_gone_goes_on(memory: Memory, clock: Clock, tenant: str, cypher: Cypher) -> None:
    memory.record_many([descaled(n) for n in range(3)])
    memory.consolidate()
    cypher("MATCH (r:Reflection {tenant: $t}) WHERE r.id = r.group DETACH DELETE r", t=tenant)
    cypher("MATCH (r:Reflection {tenant: $t}) SET r.awaits = 'grouping'", t=tenant)
    memory.record_many([descaled(n) for n in range(3, 6)])
    done = memory.consolidate()
    assert (done.queue.grouping, done.queue.distilling) == (0, 0)
    orphans = cypher(
        "MATCH (r:Reflection {tenant: $t}) WHERE NOT EXISTS { (:Reflection {tenant: $t, id: r.group}) } RETURN r.id",
        t=tenant,
    )
    assert orphans == []


def test_a_group_of_which_all_was_taken_back_makes_no_skill(memory: Memory, tenant: str, cypher: Cypher) -> None:
    memory.record_many([descaled(n) for n in range(3)])
    memory.consolidate()
    cypher(
        "MATCH (r:Reflection {tenant: $t}) SET r.status = 'retired', r.recallable = false, r.recall_key = '', "
        "r.awaits = CASE WHEN r.id = r.group THEN 'distilling' END",
        t=tenant,
    )
    done = memory.consolidate()
    assert (done.skills, done.queue.distilling, done.warnings) == (0, 0, ())


def test_a_damaged_memory_spoils_nothing_but_itself(memory: Memory, clock: Clock, tenant: str, cypher: Cypher) -> None:
    memory.record_many([descaled(n) for n in range(3)])
    memory.consolidate()
    cypher("MATCH (r:Reflection {tenant: $t}) WITH r ORDER BY r.id LIMIT 1 SET r.metadata = '{'", t=tenant)
    memory.record_many([descaled(n) for n in range(3, 6)])
    cypher("MATCH (e:Episode {tenant: $t, id: 'boiler-4'}) SET e.trajectory = '['", t=tenant)
    cypher("MATCH (e:Episode {tenant: $t, id: 'boiler-3'}) REMOVE e.happened_at", t=tenant)
    memory.record(descaled(6))
    cypher("MATCH (e:Episode {tenant: $t, id: 'boiler-6'}) REMOVE e.task_key", t=tenant)
    done = memory.consolidate()
    assert (done.episodes, done.failed) == (1, 2)
    assert all(id_ in str(done.warnings) for id_ in ("boiler-3", "boiler-4"))
    dead = cypher("MATCH (e:Episode {tenant: $t, awaits: 'dead'}) RETURN e.id AS id", t=tenant)
    assert dead == [{"id": "boiler-6"}]


def test_a_run_that_fails_gives_everything_back_at_once(
    memory: Memory, clock: Clock, tenant: str, cypher: Cypher
) -> None:
    memory.record_many([descaled(n) for n in range(3)])

    class Broken(RuleReflector):
        def distil(self, group: Group) -> Stage[Distilled]:
            raise RuntimeError("a fault of its own")

    for _ in range(7):
        with pytest.raises(RuntimeError):
            memory.consolidate(reflector=Broken())
        clock.now += timedelta(seconds=61)
    assert memory.consolidate().skills == 1


def test_a_claim_by_a_clock_far_ahead_is_none(
    memory: Memory, connect: Callable[..., Memory], tenant: str, cypher: Cypher
) -> None:
    memory.record_many([descaled(n) for n in range(3)])
    cypher(
        "MATCH (e:Episode {tenant: $t}) SET e.claimed_by = 'x', e.claimed_until = datetime('2035-01-01T00:00:00Z')",
        t=tenant,
    )
    cypher(
        "MATCH (e:Episode {tenant: $t}) WITH e.scope AS scope LIMIT 1 "
        "CREATE (:Job {scope: scope, id: 'queue', tenant: $t, kind: 'queue', lead: 'x', "
        "lead_until: datetime('2035-01-01T00:00:00Z')})",
        t=tenant,
    )
    assert memory.consolidate().skills == 1


def test_a_lesson_that_expired_is_learnt_again(memory: Memory, clock: Clock, tenant: str, cypher: Cypher) -> None:
    memory.record_many([descaled(n) for n in range(3)])
    memory.consolidate()
    cypher("MATCH (r:Reflection {tenant: $t}) SET r.expires_at = $now", t=tenant, now=clock.now)
    clock.now += timedelta(days=1)
    memory.record(descaled(0, id="again", trace_id="again"))
    assert memory.consolidate().lessons == 1
    lessons = cypher("MATCH (:Episode {tenant: $t, id: 'again'})-[:DERIVES]->(r) RETURN r.recallable AS open", t=tenant)
    assert lessons == [{"open": True}]


@pytest.mark.parametrize("wrong", [{"reflector": object()}, {"progress": 3}, {"dry_run": "no"}])
def test_wrong_arguments_are_refused_before_anything_is_claimed(
    client: Any, tenant: str, cypher: Cypher, wrong: dict[str, Any]
) -> None:
    client.record(descaled(1))
    with pytest.raises(InvalidInput):
        client.consolidate(**wrong)
    assert cypher("MATCH (e:Episode {tenant: $t}) RETURN e.claimed_by AS by", t=tenant) == [{"by": None}]
