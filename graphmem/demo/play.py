"""One run of a variation, by the agent or by replay, and its score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphmem.demo.protocol import Condition
from graphmem.demo.scienceworld import ScienceWorld
from graphmem.models import Outcome, Step

Job = tuple[str, int]
"""A task and one of its variations."""


@dataclass(frozen=True, slots=True)
class Run:
    """How a test run went: its `best` score, which counts, and its `final` one, in points from 0 to 100."""

    condition: Condition
    task: str
    variation: int
    best: int
    final: int


def replay(world: ScienceWorld, steps: Sequence[Step]) -> None:
    """Do what was done, whatever happens."""
    view = world.reset()
    for step in steps:
        if view.done:
            return
        view = world.act(step.action)


def judge(condition: Condition, task: str, variation: int, world: ScienceWorld) -> Run:
    """Read the scores of a run, which whoever played it never saw."""
    return Run(condition, task, variation, max(0, world.best), max(0, world.score))


def outcome(world: ScienceWorld) -> Outcome:
    """What the environment proved about a training episode."""
    if world.solved:
        return Outcome.SUCCESS
    return Outcome.MIXED if world.score > 0 else Outcome.FAIL
