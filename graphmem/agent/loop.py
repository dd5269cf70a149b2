"""The loop of an agent that learns: recall, plan, act, evaluate, record, feedback, reflect; sync and async."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from threading import Lock
from typing import Any, TypeVar

from graphmem.agent.atlas import Atlas
from graphmem.agent.calls import Ask, Bridge, Course, Do, plainly
from graphmem.agent.course import attempt, learn
from graphmem.agent.events import wrong
from graphmem.agent.judge import Evaluate
from graphmem.agent.plan import Planner, check_planner
from graphmem.agent.planner import RulePlanner
from graphmem.agent.play import Setting
from graphmem.agent.run import Run
from graphmem.agent.task import Context, Task
from graphmem.agent.trace import read
from graphmem.agent.watched import Gate
from graphmem.agent.world import World
from graphmem.errors import InvalidInput
from graphmem.memory import AsyncMemory, Memory
from graphmem.models import Episode
from graphmem.steps import arun
from graphmem.steps import run as drive

T = TypeVar("T")
ANYWHERE = Context()


class _Loop:
    """What both loops are made of."""

    memory: Memory | AsyncMemory

    def __init__(
        self,
        *,
        domain: str = "",
        planner: Planner | None = None,
        evaluate: Evaluate | None = None,
        gate: Gate | None = None,
        budget: int = 100,
        attempts: int | None = None,
        kind: str | None = None,
        limit: int = 10,
        reflect: bool = True,
    ) -> None:
        """Make a loop over a memory; nothing is asked of it yet.

        `domain` is where its experience belongs. A run has at most `budget` actions, in as many attempts as the memory
        grants: most where nothing is remembered (`zero_shot_attempts` of the settings), two where something is;
        `attempts` is another number for all. `planner` makes plans (by rules, if none is given). `gate` is asked after
        each action (after the last one alone where the memory says `use`) whether to go on; `evaluate` says how an
        attempt ended. Without evaluation the gates decide, and without either nobody knows. `limit` memories are
        recalled at most, of one `kind` or of all. After each run that is learnt, what was lived is consolidated if
        `reflect`. Raises InvalidInput for what is no planner, or a budget below 1.
        """
        for name, number in (("budget", budget), ("attempts", attempts), ("limit", limit)):
            if number is not None and (type(number) is not int or number < 1):
                raise InvalidInput(f"{name} must be a whole number of at least 1, and not {number!r}")
        self.domain = domain
        self.planner = check_planner(planner) if planner is not None else RulePlanner()
        self.evaluate, self.gate = evaluate, gate
        self.budget, self.attempts = budget, attempts
        self.kind, self.limit, self.reflect = kind, limit, reflect
        self._facts = Atlas()
        self._known: frozenset[str] = frozenset()
        self._guard = Lock()

    def know(self, episodes: Iterable[Episode]) -> None:
        """Learn from trajectories where things are and how one gets about.

        Each id counts once, and an episode without one each time that it is told.
        """
        with self._guard:
            new = {one.id or id(one): one for one in episodes if one.id not in self._known}
            facts = copy.deepcopy(self._facts)  # runs that go on in other threads keep theirs
            for episode in new.values():
                facts.add(read(episode.trajectory))
            self._facts = facts
            self._known |= {one.id for one in new.values() if one.id}

    def _setting(self, evaluate: Evaluate | None, gate: Gate | None) -> Setting:
        return Setting(
            self.domain,
            self.planner,
            evaluate or self.evaluate,
            gate or self.gate,
            self.budget,
            self.attempts,
            self.memory.redactor,
            self._facts_of,
        )

    def _facts_of(self, run: Run) -> Atlas:
        """What is known of the world, with what the recalled episodes tell."""
        facts = self._facts
        hits = run.recall.hits if run.recall is not None else ()
        new = [hit for hit in hits if isinstance(hit.memory, Episode) and hit.id not in self._known]
        if new:
            facts = copy.deepcopy(facts)
            for hit in new:
                facts.add(read(hit.memory.trajectory if isinstance(hit.memory, Episode) else ()))
        return facts

    def _learnt(self, run: Run, episode: Episode | None) -> Run:
        try:
            if run.plan is not None and run.plan.adaptive:
                self.know([episode or run.episode()])
        except Exception as error:
            return run.traced(wrong("plan", error, self.memory.redactor))
        return run


class Loop(_Loop):
    """A loop for code that waits; may be shared by threads.

    run = Loop(memory, domain="ops", gate=passed).solve(Task("restart the mailer", act=shell))
    run.outcome, run.steps, run.trace
    """

    def __init__(self, memory: Memory, **given: Any) -> None:
        self.memory = memory
        super().__init__(**given)

    def attempt(
        self,
        given: World | Task,
        context: Context = ANYWHERE,
        *,
        evaluate: Evaluate | None = None,
        gate: Gate | None = None,
    ) -> Run:
        """Try to do a task; the memory is only read. `evaluate` and `gate` stand in for those of the loop.

        Whatever fails meanwhile is a value in the trace, and the run has an outcome. Raises InvalidInput for a task
        without words or a context that cannot be recorded, before anything is done.
        """
        return self._driven(attempt(given, context, self._setting(evaluate, gate), self.kind, self.limit))

    def learn(self, run: Run, episode: Episode | None = None) -> Run:
        """Record how a run ended, credit and blame the memories it followed, and consolidate.

        `episode` is recorded in place of the run's own; its outcome counts then. The answer is the run with the rest of
        its trace. What fails is told there; while the store is away, all of it waits in the outbox.
        """
        return self._learnt(self._driven(learn(run, episode, self.reflect, self.memory.redactor)), episode)

    def solve(
        self,
        given: World | Task,
        context: Context = ANYWHERE,
        *,
        evaluate: Evaluate | None = None,
        gate: Gate | None = None,
    ) -> Run:
        """`attempt`, then `learn`."""
        return self.learn(self.attempt(given, context, evaluate=evaluate, gate=gate))

    def _driven(self, course: Course[T]) -> T:
        return drive(course, self._answer)  # type: ignore[arg-type]  # it drives any generator, with its answers

    def _answer(self, step: Ask | Do) -> Any:
        return step.verb(self.memory) if isinstance(step, Ask) else step.work(plainly)


class AsyncLoop(_Loop):
    """A loop for code that awaits. Functions of the caller's and the planner may be coroutines; others run in a thread.

    Cancelled, it ends at the next action.
    """

    def __init__(self, memory: AsyncMemory, **given: Any) -> None:
        self.memory = memory
        super().__init__(**given)

    async def attempt(
        self,
        given: World | Task,
        context: Context = ANYWHERE,
        *,
        evaluate: Evaluate | None = None,
        gate: Gate | None = None,
    ) -> Run:
        """As `Loop.attempt`."""
        return await self._driven(attempt(given, context, self._setting(evaluate, gate), self.kind, self.limit))

    async def learn(self, run: Run, episode: Episode | None = None) -> Run:
        """As `Loop.learn`."""
        return self._learnt(await self._driven(learn(run, episode, self.reflect, self.memory.redactor)), episode)

    async def solve(
        self,
        given: World | Task,
        context: Context = ANYWHERE,
        *,
        evaluate: Evaluate | None = None,
        gate: Gate | None = None,
    ) -> Run:
        """`attempt`, then `learn`."""
        return await self.learn(await self.attempt(given, context, evaluate=evaluate, gate=gate))

    async def _driven(self, course: Course[T]) -> T:
        bridge = Bridge()

        async def answer(step: Ask | Do) -> Any:
            return await (step.verb(self.memory) if isinstance(step, Ask) else bridge.aside(step.work))

        return await arun(course, answer)  # type: ignore[arg-type]
