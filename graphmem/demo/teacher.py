"""Training variations as episodes: the gold sequence lived step by step, what the agent lived, and the nearest one."""

from __future__ import annotations

from graphmem.agent.agent import Attempt
from graphmem.agent.trace import BEGIN, Diary
from graphmem.demo.play import outcome
from graphmem.demo.scienceworld import ScienceWorld, Simulator
from graphmem.errors import GraphmemError
from graphmem.memory import Memory
from graphmem.models import Episode, Kind, Outcome
from graphmem.recall import Decision, Request

DOMAIN = "scienceworld"
_LONGEST = 1000


def demonstrate(simulator: Simulator, task: str, variation: int, reason: str) -> Episode:
    """Play the gold sequence of a training variation and write down what was seen."""
    actions = simulator.gold(task, variation)
    world = ScienceWorld(simulator, task, variation, _LONGEST)
    diary = Diary()
    diary.note(BEGIN, world.reset())
    for action in actions:
        view = world.act(action)
        if view.understood:
            diary.note(action, view)
        if view.done:
            break
    return Episode(
        id=f"gold-{task}-{variation}",
        title=f"Demonstration of {task}, variation {variation}",
        task=world.task,
        domain=DOMAIN,
        trajectory=tuple(diary.steps),
        outcome=Outcome.SUCCESS if world.solved else Outcome.MIXED,
        outcome_evidence=f"the environment scored it {world.best} of 100",
        tags=("demonstration",),
        metadata={"task": task, "variation": variation, "score": world.best, "why": reason},
    )


def recorded_life(task: str, variation: int, attempt: Attempt, world: ScienceWorld) -> Episode:
    """Write down what the agent lived in a training variation, with the outcome that the environment proved."""
    ended = outcome(world)
    why = "" if ended is Outcome.SUCCESS else f"ended with {world.score} of 100 points, {world.best} at best"
    return Episode(
        id=f"lived-{task}-{variation}",
        title=f"Lived {task}, variation {variation}",
        task=world.task,
        domain=DOMAIN,
        trajectory=attempt.steps,
        outcome=ended,
        outcome_evidence=f"the environment scored it {world.best} of 100",
        failure_reason=why,
        tags=("lived",),
        metadata={"task": task, "variation": variation, "score": world.best, "followed": list(attempt.used)},
    )


def nearest(memory: Memory, task: str) -> Episode:
    """The episode that fits a task best, or one without any step; the memory is only read, so no receipt is written.

    Raises GraphmemError while the store is away.
    """
    (recall,) = memory.recall_many([Request(text=task, domain=DOMAIN, kind=Kind.EPISODE, limit=1)])
    if recall.decision is Decision.POLICY_ONLY:
        raise GraphmemError(f"the nearest demonstration could not be asked for: {recall.reason}")
    found = (hit.memory for hit in recall.hits if isinstance(hit.memory, Episode))
    return next(found, Episode(id="none", task=task))
