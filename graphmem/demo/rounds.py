"""The rounds of the demonstration: record, test, live and be corrected, test again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from random import Random

from graphmem.agent.agent import Agent, Attempt
from graphmem.demo.play import Job, Run, judge, replay
from graphmem.demo.pool import Pool
from graphmem.demo.protocol import Condition, Plan, Protocol
from graphmem.demo.scienceworld import ScienceWorld, Simulator
from graphmem.demo.teacher import DOMAIN, demonstrate, nearest, recorded_life
from graphmem.memory import Memory
from graphmem.models import Episode, Outcome


@dataclass(frozen=True, slots=True)
class Life:
    """One episode lived in a training variation."""

    task: str
    variation: int
    best: int
    outcome: Outcome


@dataclass(slots=True)
class Rounds:
    """All rounds over one memory; each yields its results as they come."""

    pool: Pool
    memory: Memory
    nothing: Memory
    protocol: Protocol
    plans: Sequence[Plan]
    episodes: list[Episode] = field(default_factory=list)

    def demonstrate(self) -> Iterator[Episode]:
        """Record the demonstrations of all tasks."""
        jobs = [(plan.task, variation) for plan in self.plans for variation in plan.demonstrations]
        for _, episode in self.pool.map(lambda simulator, job: demonstrate(simulator, *job, "shown"), jobs):
            self.memory.record(episode)
            self.episodes.append(episode)
            yield episode

    def test(self, condition: Condition) -> Iterator[Run]:
        """Play all test variations; the memory is only read."""
        play = self._player(condition)

        def run(simulator: Simulator, job: Job) -> Run:
            world = ScienceWorld(simulator, *job, self.protocol.actions)
            play(world, job)
            return judge(condition, *job, world)

        jobs = [(plan.task, variation) for plan in self.plans for variation in plan.tests]
        for _, result in self.pool.map(run, jobs):
            yield result

    def live(self) -> Iterator[Life]:
        """Live in other training variations, record how it ended, and have failures corrected."""
        agent = self._agent()

        def run(simulator: Simulator, job: Job) -> tuple[Attempt, ScienceWorld, Episode | None]:
            world = ScienceWorld(simulator, *job, self.protocol.actions)
            attempt = agent.solve(world)
            return attempt, world, None if world.solved else demonstrate(simulator, *job, "correction")

        jobs = [(plan.task, variation) for plan in self.plans for variation in plan.lives]
        finished: list[tuple[Job, Attempt, Episode, Episode | None]] = []
        for (task, variation), (attempt, world, gold) in self.pool.map(run, jobs):
            lived = recorded_life(task, variation, attempt, world)
            finished.append(((task, variation), attempt, lived, gold))
            yield Life(task, variation, max(0, world.best), lived.outcome)
        # Learnt afterwards and in order, so that no life depends on which other one ended first.
        for _, attempt, lived, gold in sorted(finished, key=itemgetter(0)):
            agent.learn(attempt, lived)
            if gold is not None:
                self.memory.record(gold)
                reason = f"the same task done right: {gold.outcome_evidence}"
                self.memory.correct(wrong=str(lived.id), right=str(gold.id), reason=reason, context=attempt.task)
            self.episodes.append(gold or lived)

    def _agent(self) -> Agent:
        agent = Agent(self.memory, DOMAIN, self.protocol.actions)
        agent.know(sorted(self.episodes, key=lambda episode: str(episode.id)))  # not in order of arrival
        return agent

    def _player(self, condition: Condition) -> Callable[[ScienceWorld, Job], object]:
        if condition is Condition.RANDOM:
            shown = sorted(self.episodes, key=lambda episode: str(episode.id))
            return lambda world, job: replay(world, self._any(shown, job).trajectory)
        if condition is Condition.LITERAL:
            return lambda world, _: replay(world, nearest(self.memory, world.task).trajectory)
        agent = Agent(self.nothing, DOMAIN, self.protocol.actions) if condition is Condition.EMPTY else self._agent()
        return lambda world, _: agent.solve(world)

    def _any(self, shown: Sequence[Episode], job: Job) -> Episode:
        return Random(f"{self.protocol.seed}:{job}").choice(shown)  # noqa: S311 - a reproducible draw
