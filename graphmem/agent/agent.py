"""An agent that does what it remembers: recall, compose, act, check; then record and give feedback."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import dataclass, field

from graphmem.agent.atlas import Atlas
from graphmem.agent.body import Body
from graphmem.agent.explore import explore
from graphmem.agent.player import Player
from graphmem.agent.script import Script, compile_script
from graphmem.agent.trace import read
from graphmem.agent.world import World
from graphmem.memory import Memory
from graphmem.models import Episode, Kind, Outcome, Step
from graphmem.recall.models import Recall

_RECALLED = 10


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try at a task: the recall it stood on, what was done and seen, and which memories were followed, in order."""

    task: str
    recall: Recall
    steps: tuple[Step, ...]
    used: tuple[str, ...]


@dataclass(slots=True)
class Agent:
    """Acts in worlds of one domain, with at most `budget` actions a run.

    `facts` are what its memories tell about the world in general; `know` adds to them. The memory is only read by
    `solve`, and only written by `learn`.
    """

    memory: Memory
    domain: str
    budget: int = 100
    facts: Atlas = field(default_factory=Atlas)

    def know(self, episodes: Iterable[Episode]) -> None:
        """Learn from trajectories where things are and how one gets about."""
        for episode in episodes:
            self.facts.add(read(episode.trajectory))

    def solve(self, world: World) -> Attempt:
        """Try to do the task of a world."""
        recall = self.memory.recall(world.task, domain=self.domain, kind=Kind.EPISODE, limit=_RECALLED)
        body = Body(world, copy.deepcopy(self.facts), self.budget)
        scripts = self._scripts(world.task, recall)
        player = Player(body, scripts)
        player.play()
        if not scripts:
            explore(body, self.budget)
        return Attempt(world.task, recall, tuple(body.diary.steps), tuple(dict.fromkeys(player.used)))

    def learn(self, attempt: Attempt, episode: Episode) -> None:
        """Record how an attempt ended, and credit or blame the memory that led it."""
        misled = attempt.used[:1] if episode.outcome is Outcome.FAIL else ()
        self.memory.record(episode)
        self.memory.feedback(
            attempt.recall,
            outcome=episode.outcome,
            used=[one for one in attempt.used if one not in misled],
            misled=misled,
            evidence=episode.outcome_evidence,
        )

    def _scripts(self, task: str, recall: Recall) -> list[Script]:
        scripts = [
            compile_script(hit.id, hit.memory, task)
            for hit in recall.hits
            if isinstance(hit.memory, Episode) and hit.memory.outcome is Outcome.SUCCESS
        ]
        return sorted(scripts, key=lambda script: (-script.fit, script.memory))
