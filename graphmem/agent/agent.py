"""The loop as a measurement plays it: one attempt a world, by demonstrations alone; what fails is raised."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from graphmem.agent.events import Event, FedBack, Recalled, Recorded, Wrong
from graphmem.agent.loop import Loop
from graphmem.agent.plan import Planner
from graphmem.agent.run import Run
from graphmem.agent.world import World
from graphmem.errors import GraphmemError
from graphmem.memory import Memory
from graphmem.models import Episode, Kind, Step
from graphmem.recall import Decision

RECALLED = 20  # the most memories of a recall: those of the task, and those of the kinds of tasks that are near it


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try at a task: how recall decided, what was done and seen, and which memories were followed, in order."""

    task: str
    decision: Decision
    steps: tuple[Step, ...]
    used: tuple[str, ...]
    run: Run = field(repr=False)


class Agent:
    """Acts in worlds of one domain, with at most `budget` actions a run.

    The memory is only read by `solve`, and only written by `learn`; consolidation is left to the caller. `planner`
    stands in for the one by rules.
    """

    def __init__(self, memory: Memory, domain: str, budget: int = 100, planner: Planner | None = None) -> None:
        self._loop = Loop(
            memory,
            domain=domain,
            planner=planner,
            budget=budget,
            attempts=1,
            kind=Kind.EPISODE,
            limit=RECALLED,
            reflect=False,
        )

    def know(self, episodes: Iterable[Episode]) -> None:
        """Learn from trajectories where things are and how one gets about."""
        self._loop.know(episodes)

    def solve(self, world: World) -> Attempt:
        """Try to do the task of a world. Raises GraphmemError where the world or the memory failed, or was away."""
        run = _sound(self._loop.attempt(world))
        return Attempt(run.task, run.decision, run.steps, run.used, run)

    def learn(self, attempt: Attempt, episode: Episode) -> None:
        """Record how an attempt ended, and credit or blame the memory that led it.

        Raises GraphmemError as `solve` does; what then waits in the outbox is still delivered.
        """
        _sound(self._loop.learn(attempt.run, episode))


def _sound(run: Run) -> Run:
    faults = [fault for event in run.trace for fault in _faults(event)]
    if faults:
        raise GraphmemError(f"a run of {run.task!r:.100} went wrong: {'; '.join(faults)}")
    return run


def _faults(event: Event) -> Iterator[str]:
    """What the loop goes on without, and a measurement may not."""
    match event:
        case Wrong(where, what):
            yield f"{where}: {what}"
        case Recalled(decision=Decision.POLICY_ONLY, reason=reason):
            yield f"recall: {reason}"
        case Recorded(result="queued"):
            yield "record: it waits until the store is back"
        case FedBack(queued=True):
            yield "feedback: it waits until the store is back"
