"""Erasing while others learn, record and give feedback: nothing of the erased is written afterwards."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from graphmem import Memory, Reflection
from graphmem.errors import GraphmemError, NotFound
from graphmem.learn.drafts import Case, Distilled, Group, Reflected
from graphmem.learn.rules import RuleReflector
from graphmem.steps import Stage, Write
from tests.erase.conftest import spoken
from tests.erase.test_id import lived
from tests.memories import won

Cypher = Callable[..., list[dict[str, Any]]]
SECRET = "marzipan"


class Copying(RuleReflector):
    """Like a model that carries over what it was shown: all tasks and lessons, also those that are no sources."""

    def reflect(self, case: Case) -> Stage[Reflected]:
        said = yield from super().reflect(case)
        shown = "; ".join([*(one.episode.task for one in case.known), *(k.reflection.insight for k in case.lessons)])
        lessons = tuple(one.model_copy(update={"insight": f"{one.insight} ({shown})"}) for one in said.lessons)
        return said.model_copy(update={"lessons": lessons})

    @property
    def name(self) -> str:
        return "model-1"


def test_a_claimed_episode_that_is_erased_teaches_nothing(
    make: Callable[..., Memory], texts: Callable[[], str]
) -> None:
    memory, other = make(), make()
    memory.record_many([lived(1, task="Descale it"), lived(2, task="Descale it", summary=SECRET), lived(3)])

    class Watched(RuleReflector):
        def reflect(self, case: Case) -> Stage[Reflected]:
            said = yield from super().reflect(case)
            if any(one.id == "boiler-2" for one in case.new):
                other.erase(id="boiler-2")
            return said

    done = memory.consolidate(reflector=Watched())
    assert done.episodes == 2, "the others are reflected without it, by the same run"
    assert spoken(texts(), (SECRET, "boiler-2", "trace-2")) == []
    assert memory.check() == ()


def test_an_attempt_known_before_that_is_erased_is_carried_nowhere(
    make: Callable[..., Memory], texts: Callable[[], str]
) -> None:
    """It is no source of what is being written, only shown beside it."""
    memory, other = make(), make()
    memory.record(lived(1, task="Descale it", summary=SECRET, trajectory=()))
    memory.consolidate()
    memory.record(lived(2, task="Descale it"))

    class Watched(Copying):
        def reflect(self, case: Case) -> Stage[Reflected]:
            said = yield from super().reflect(case)
            if case.known:
                other.erase(id="boiler-1")
            return said

    assert SECRET in texts()
    assert memory.consolidate(reflector=Watched()).episodes == 1
    assert spoken(texts(), (SECRET, "boiler-1")) == []
    assert memory.check() == ()


def test_what_a_model_carried_into_lessons_about_other_tasks_goes_too(
    make: Callable[..., Memory], texts: Callable[[], str]
) -> None:
    memory = make()
    memory.record(lived(1, summary=SECRET, trajectory=()))
    memory.consolidate()
    memory.record_many([lived(2), lived(3, task="Oil the valve", domain="office")])
    memory.consolidate(reflector=Copying())
    said = {one.id: one.memory.insight for one in memory.list(kind="reflection")}
    (carried,) = [id_ for id_, insight in said.items() if SECRET in insight and "house 2" in insight]
    memory.erase(id="boiler-1")
    assert SECRET not in texts()
    with pytest.raises(NotFound):
        memory.get(carried)
    assert memory.consolidate().episodes == 1, "what is left of its evidence is reflected anew"
    assert memory.check() == ()


def test_a_skill_that_was_being_distilled_is_not_written(make: Callable[..., Memory], texts: Callable[[], str]) -> None:
    memory, other = make(), make()
    memory.record_many([lived(n) for n in (1, 2, 3)])

    class Watched(RuleReflector):
        erased = False

        def distil(self, group: Group) -> Stage[Distilled]:
            said = yield from super().distil(group)
            if not self.erased and said.practice is not None:
                self.erased = True
                other.erase(id="boiler-1")
                practice = said.practice.model_copy(update={"quality_notes": SECRET})
                return said.model_copy(update={"practice": practice})
            return said

    memory.consolidate(reflector=Watched())
    memory.consolidate()
    assert spoken(texts(), (SECRET, "boiler-1")) == []
    (skill,) = memory.list(kind="skill")
    assert skill.status == "candidate"
    assert memory.check() == ()


def test_a_skill_is_not_promoted_by_what_was_erased_meanwhile(
    make: Callable[..., Memory], cypher: Cypher, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory, other = make(), make()
    memory.record_many([lived(n) for n in (1, 2, 3)])
    answer, erased = memory._answer, []

    def slow(step: Any) -> Any:
        if isinstance(step, Write) and any(call.statement.name == "learn/proven" for call in step.calls) and not erased:
            erased.append(other.erase(id="boiler-1"))
        return answer(step)

    monkeypatch.setattr(memory, "_answer", slow)
    assert memory.consolidate().decided == ()
    skill = "MATCH (s:Skill {tenant: $t}) RETURN s.status AS status, s.support AS support"
    assert cypher(skill, t=tenant) == [{"status": "candidate", "support": 2}]
    assert len(erased) == 1
    memory.record(lived(4))
    memory.consolidate()
    assert {row["status"] for row in cypher(skill, t=tenant)} == {"active"}


def test_what_is_derived_of_something_at_the_moment_of_its_erasure_is_not_left_behind(
    make: Callable[..., Memory], cypher: Cypher, tenant: str
) -> None:
    erasing, deriving = make(), make()
    faults: list[BaseException] = []
    for n in range(12):
        erasing.record_many([won(f"e{n}", f"pump {n} north:0.9"), won(f"k{n}", f"lamp {n} north:0.9")])
        start = threading.Barrier(2)

        def derive(n: int = n, start: threading.Barrier = start) -> None:
            start.wait()
            try:
                for m in range(4):
                    deriving.record_many([Reflection(id=f"r{n}-{m}", insight="mind it", sources=[f"e{n}", f"k{n}"])])
                    recall = deriving.recall("north:1", limit=50, receipt=True)
                    deriving.feedback(recall, outcome="success", used=[f"k{n}"])
            except GraphmemError as error:
                faults.append(error)

        thread = threading.Thread(target=derive)
        thread.start()
        start.wait()
        erasing.erase(id=f"e{n}")
        thread.join()
        assert faults == []
        assert erasing.check(everything=True) == ()
    named = "MATCH (m:Memory {tenant: $t}) WHERE any(id IN m.sources WHERE id STARTS WITH 'e') RETURN m.id AS id"
    assert cypher(named, t=tenant) == []


def test_consolidation_and_erasure_at_the_same_time_leave_nothing_dangling(
    make: Callable[..., Memory], cypher: Cypher, tenant: str, texts: Callable[[], str]
) -> None:
    memory, worker = make(), make()
    private = {"subject": "Eve", "summary": SECRET}
    memory.record_many([lived(n, **(private if n % 2 else {})) for n in range(16)])
    faults: list[BaseException] = []

    def learn() -> None:
        try:
            for _ in range(3):
                worker.consolidate()
        except GraphmemError as error:
            faults.append(error)

    thread = threading.Thread(target=learn)
    thread.start()
    done = memory.erase(subject="Eve")
    thread.join()
    memory.consolidate()
    assert (done.episodes, faults) == (8, [])
    assert SECRET not in texts()
    assert memory.check() == ()
    assert cypher("MATCH (s:Skill {tenant: $t, status: 'active'}) RETURN s.support AS n", t=tenant) == [{"n": 8}]
    assert {one.id for one in memory.list(kind="episode")} == {f"boiler-{n}" for n in range(0, 16, 2)}


def test_the_lead_is_given_back(make: Callable[..., Memory], cypher: Cypher, tenant: str) -> None:
    memory = make()
    memory.record_many([lived(n) for n in (1, 2, 3)])
    memory.erase(id="boiler-1")
    queue = "MATCH (q:Job {tenant: $t, id: 'queue'}) RETURN q.lead AS lead, q.lead_until AS until"
    assert cypher(queue, t=tenant) == [{"lead": None, "until": None}]
    assert memory.consolidate().skills == 1
