"""One run of one condition, and what may be said of many."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from graphmem.demo.play import Job
from graphmem.demo.scienceworld import ScienceWorld
from graphmem.models import Episode
from graphmem.recall import Decision


@dataclass(frozen=True, slots=True)
class Solved:
    """How a world was played: how recall decided before, and the memories that were followed, in order."""

    decision: Decision = Decision.NOVEL
    followed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Played:
    """A run that was judged: scores from 0 to 100 (negative ones as 0), `lost` when it ended below 0."""

    condition: str
    task: str
    variation: int
    best: int
    final: int
    lost: bool
    actions: int
    decision: str = ""
    followed: tuple[str, ...] = ()

    @property
    def job(self) -> Job:
        """The task and its variation."""
        return self.task, self.variation


def judged(condition: str, job: Job, world: ScienceWorld, solved: Solved) -> Played:
    """Read the scores of a run, which whoever played it never saw, and how many actions it took."""
    return Played(
        condition,
        *job,
        max(0, world.best),
        max(0, world.score),
        world.score < 0,
        world.taken,
        solved.decision.value,
        solved.followed,
    )


@dataclass(frozen=True, slots=True)
class Hits:
    """How the memories that were followed fitted.

    `answered` is the share of the runs for which recall gave anything; of these, in `false` the memory that was
    followed first is of another kind of task. `converted` is the share of the variations that were novel to the empty
    memory and are answered now, `gained` the share of those that came to a better score than with the empty memory.
    """

    answered: float
    false: float
    converted: float
    gained: float


def hits(runs: Sequence[Played], empty: Iterable[Played], kinds: dict[str, str]) -> Hits:
    """Compare the runs of a condition to those with an empty memory; `kinds` says of which task each memory is."""
    answered = [run for run in runs if run.decision in (Decision.USE, Decision.VERIFY)]
    false = [run for run in answered if run.followed and kinds.get(run.followed[0]) != run.task]
    before = {run.job: run for run in empty if run.decision == Decision.NOVEL}
    now = [run for run in answered if run.job in before]
    gained = [run for run in now if run.best > before[run.job].best]
    return Hits(
        len(answered) / max(1, len(runs)),
        len(false) / max(1, len(answered)),
        len(now) / max(1, len(before)),
        len(gained) / max(1, len(now)),
    )


def kinds(episodes: Iterable[Episode]) -> dict[str, str]:
    """Of which task each episode is."""
    return {str(episode.id): str(episode.metadata["task"]) for episode in episodes}
