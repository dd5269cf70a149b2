"""Carrying out a plan: step by step, or by the player that adapts demonstrations to what it sees."""

from __future__ import annotations

from dataclasses import dataclass

from graphmem.agent.atlas import Atlas
from graphmem.agent.bounds import cut
from graphmem.agent.follow import follow
from graphmem.agent.plan import Plan
from graphmem.agent.trace import BEGIN, Diary
from graphmem.agent.watched import Watched


@dataclass(frozen=True, slots=True)
class Carried:
    """What was done of a plan: the memories that were followed, and whether it was done to its end."""

    used: tuple[str, ...]
    whole: bool = False


def carry_out(plan: Plan, world: Watched, diary: Diary, facts: Atlas) -> Carried:
    """Do what a plan says, until it is done or the world under watch ends.

    `diary` is where the steps are written, from plan to plan of one attempt; `facts` are what the player knows of the
    world.
    """
    if plan.adaptive:
        before = len(world.lived())
        try:
            done = follow(world, plan.shown, facts, world.left)
        except Exception as error:
            world.went_wrong("plan", error)
            diary.go_on(world.lived()[before:], world.view)
            return Carried(plan.sources)
        # The player's own diary begins with what is in sight, which this one knows already.
        diary.go_on(done.steps[1:] if diary.steps else done.steps, world.view)
        led = bool(done.used) and done.used[-1] not in done.stuck
        return Carried(done.used, whole=led and world.left > 0)
    for number, intent in enumerate(plan.steps):
        if world.over:
            return Carried(plan.sources)
        view = world.act(intent.action, intent.expects)
        if view.understood:
            diary.note(
                intent.action, view, intent.why if number == 0 or intent.why != plan.steps[number - 1].why else ""
            )
        elif not view.understood:
            world.refuse(intent.action, cut(f"it was not understood: {view.observation}", 500, world.redactor))
    return Carried(plan.sources, whole=bool(plan.steps) and not world.failed)


def opened(world: Watched) -> Diary:
    """The diary of an attempt that begins, with what the world shows at first, if it shows anything."""
    diary, view = Diary(), world.reset()
    if view.observation.strip() or view.surroundings.strip():
        diary.note(BEGIN, view)
    return diary
