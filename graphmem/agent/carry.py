"""Carrying out a plan: step by step, or by the player that adapts demonstrations to what it sees."""

from __future__ import annotations

from dataclasses import dataclass

from graphmem.agent.atlas import Atlas
from graphmem.agent.follow import follow
from graphmem.agent.plan import Plan
from graphmem.agent.trace import BEGIN, Diary
from graphmem.agent.watched import Watched
from graphmem.models import Step


@dataclass(frozen=True, slots=True)
class Carried:
    """What was done of a plan: the steps, the memories followed, those that got stuck, whether all of it was done."""

    steps: tuple[Step, ...]
    used: tuple[str, ...]
    stuck: tuple[str, ...] = ()
    whole: bool = False


def carry_out(plan: Plan, world: Watched, diary: Diary, facts: Atlas) -> Carried:
    """Do what a plan says, until it is done or the world under watch ends.

    `diary` goes on from plan to plan of one attempt; `facts` are what the player knows of the world.
    """
    if plan.adaptive:
        done = follow(world, plan.shown, facts, world.left)
        led = bool(done.used) and done.used[-1] not in done.stuck
        return Carried(done.steps, done.used, done.stuck, whole=led and world.left > 0)
    before = len(diary.steps)
    for number, intent in enumerate(plan.steps):
        if world.over:
            return Carried(tuple(diary.steps[before:]), plan.sources)
        view = world.act(intent.action, intent.expects)
        if view.understood and world.wrong is None:
            diary.note(
                intent.action, view, intent.why if number == 0 or intent.why != plan.steps[number - 1].why else ""
            )
        elif not view.understood:
            world.refuse(intent.action, f"it was not understood: {view.observation}"[:500])
    return Carried(tuple(diary.steps[before:]), plan.sources, whole=bool(plan.steps) and not world.failed)


def opened(world: Watched) -> Diary:
    """The diary of an attempt that begins, with what the world shows at first, if it shows anything."""
    diary, view = Diary(), world.reset()
    if view.observation.strip() or view.surroundings.strip():
        diary.note(BEGIN, view)
    return diary
