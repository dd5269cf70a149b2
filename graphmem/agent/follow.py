"""Doing a task by what is remembered, wherever that comes from: a memory's recall, or a plain list."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from graphmem.agent.atlas import Atlas
from graphmem.agent.body import Body
from graphmem.agent.explore import explore
from graphmem.agent.player import Player
from graphmem.agent.script import Script, compile_script
from graphmem.agent.world import World
from graphmem.models import Episode, Outcome, Step


@dataclass(frozen=True, slots=True)
class Followed:
    """What was done and seen, the memories that were followed, in order, and those that could not be followed."""

    steps: tuple[Step, ...]
    used: tuple[str, ...]
    stuck: tuple[str, ...] = ()


def follow(world: World, remembered: Iterable[tuple[str, Episode]], facts: Atlas, budget: int) -> Followed:
    """Do the task of a world in at most `budget` actions.

    `remembered` are ids with their episodes, the most relevant first; only successes are followed. Without any,
    what sounds like the task is tried out. `facts` are what is known of the world; they are not changed.
    """
    body = Body(world, copy.deepcopy(facts), budget)
    scripts = ready(world.task, remembered)
    player = Player(body, scripts)
    player.play()
    if not scripts:
        explore(body, budget)
    return Followed(tuple(body.diary.steps), tuple(dict.fromkeys(player.used)), tuple(dict.fromkeys(player.stuck)))


def ready(task: str, remembered: Iterable[tuple[str, Episode]]) -> Sequence[Script]:
    """The successes among what is remembered, made ready for a task, the best fitting first, then the more relevant."""
    scripts = [
        compile_script(name, episode, task) for name, episode in remembered if episode.outcome is Outcome.SUCCESS
    ]
    return sorted(scripts, key=lambda script: -round(script.fit, 2))
