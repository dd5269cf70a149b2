"""Demonstrations: the gold sequence of a training variation, lived step by step and written as an episode."""

from __future__ import annotations

from graphmem.agent.trace import BEGIN, Diary
from graphmem.demo.scienceworld import ScienceWorld, Simulator
from graphmem.models import Episode, Outcome

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
