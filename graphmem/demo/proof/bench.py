"""What a proof plays with: simulators, a memory, an empty one, and the draws of all tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from graphmem.agent.agent import Agent
from graphmem.demo.play import Job, replay
from graphmem.demo.pool import Pool
from graphmem.demo.proof.draws import Draw, Size
from graphmem.demo.proof.played import Played, Solved, judged
from graphmem.demo.proof.players import Play
from graphmem.demo.scienceworld import ScienceWorld, Simulator
from graphmem.demo.teacher import DOMAIN, demonstrate
from graphmem.memory import Memory
from graphmem.models import Episode

Tell = Callable[[str], None]
Hire = Callable[[Memory, str, int], Agent]


@dataclass(slots=True)
class Bench:
    """Plays; `hire` makes an agent over a memory, `tell` hears of every step.

    `known` are the episodes that the memory has, in an order that does not depend on which run ended first.
    """

    pool: Pool
    memory: Memory
    nothing: Memory
    size: Size
    draws: Sequence[Draw]
    hire: Hire
    tell: Tell
    known: list[Episode] = field(default_factory=list)
    _replayed: dict[tuple[Job, str], Played] = field(default_factory=dict)

    @property
    def tests(self) -> list[Job]:
        """All variations that are played in every condition."""
        return [(one.task, variation) for one in self.draws for variation in one.tests]

    def agent(self, memory: Memory | None = None) -> Agent:
        """The agent, over the memory or another one, knowing what its episodes tell of the world."""
        agent = self.hire(memory or self.memory, DOMAIN, self.size.actions)
        agent.know(self.known if memory is None else ())
        return agent

    def shown(self, jobs: Sequence[Job], why: str) -> list[Episode]:
        """Demonstrations of training variations, in the order of the jobs."""
        found: dict[Job, Episode] = {}
        for job, episode in self.pool.map(lambda simulator, job: demonstrate(simulator, *job, why), jobs):
            found[job] = episode
            self.tell(f"{why}: {job[0]} {job[1]}")
        return [found[job] for job in jobs]

    def play(self, condition: str, play: Play) -> list[Played]:
        """Play all tests; whatever plays only reads its memory."""

        def run(simulator: Simulator, job: Job) -> Played:
            world = ScienceWorld(simulator, *job, self.size.actions)
            return judged(condition, job, world, play(world))

        return self._told(self.pool.map(run, self.tests))

    def replay(self, condition: str, choose: Callable[[Job, str], Sequence[Episode]]) -> list[Played]:
        """Replay episodes, chosen by the job and its description, as they are; of several the best counts."""

        def run(simulator: Simulator, job: Job) -> Played:
            world = ScienceWorld(simulator, *job, self.size.actions)
            tries = [self._again(condition, job, world, episode) for episode in choose(job, world.task)]
            return max(tries, key=lambda one: (one.best, one.final))

        return self._told(self.pool.map(run, self.tests))

    def _again(self, condition: str, job: Job, world: ScienceWorld, episode: Episode) -> Played:
        key = (job, str(episode.id))
        if key not in self._replayed:
            replay(world, episode.trajectory)
            self._replayed[key] = judged(condition, job, world, Solved(followed=(str(episode.id),)))
        was = self._replayed[key]
        return Played(condition, *job, was.best, was.final, was.lost, was.actions, followed=(str(episode.id),))

    def _told(self, runs: Iterator[tuple[Job, Played]]) -> list[Played]:
        found: list[Played] = []
        for (task, variation), played in runs:
            found.append(played)
            self.tell(f"{played.condition}: {task} {variation}: {played.best} at best, {played.final} at its end")
        return sorted(found, key=lambda one: one.job)
