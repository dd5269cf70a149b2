"""Who plays: the same agent over graphmem, or over a plain list of episodes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from graphmem.agent.agent import RECALLED, Agent, Attempt
from graphmem.agent.atlas import Atlas
from graphmem.agent.follow import follow
from graphmem.agent.trace import read
from graphmem.agent.world import World
from graphmem.demo.proof.played import Solved
from graphmem.embed import Embedder, embed_texts
from graphmem.embed.protocol import TextKind
from graphmem.models import Episode
from graphmem.recall import Decision

Play = Callable[[World], Solved]


@dataclass(slots=True)
class Listed:
    """The agent over a plain list: the twenty nearest episodes by the cosine of their descriptions, nothing else."""

    episodes: Sequence[Episode]
    embedder: Embedder
    budget: int
    facts: Atlas = field(default_factory=Atlas)
    _vectors: list[tuple[float, ...]] = field(default_factory=list)

    def __post_init__(self) -> None:
        for episode in self.episodes:
            self.facts.add(read(episode.trajectory))
        self._vectors = self._embed([one.searchable() for one in self.episodes], "document")

    def solve(self, world: World) -> Solved:
        """Try to do the task of a world."""
        (asked,) = self._embed([world.task], "query")
        near = [sum(a * b for a, b in zip(asked, own, strict=True)) for own in self._vectors]  # of unit length
        order = sorted(range(len(near)), key=lambda place: (-near[place], str(self.episodes[place].id)))
        chosen = [(str(self.episodes[place].id), self.episodes[place]) for place in order[:RECALLED]]
        done = follow(world, chosen, self.facts, self.budget)
        return Solved(Decision.USE, done.used)

    def _embed(self, texts: Sequence[str], kind: TextKind) -> list[tuple[float, ...]]:
        return [one.vector or () for one in embed_texts(self.embedder, texts, kind)]


def remembering(agent: Agent) -> Play:
    """The agent over graphmem."""
    return lambda world: of(agent.solve(world))


def of(attempt: Attempt) -> Solved:
    """What is judged of an attempt."""
    return Solved(attempt.decision, attempt.used)
