"""The attempts of a run: plan, act under watch, judge; and again from what was seen, within the budget."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from graphmem.agent.atlas import Atlas
from graphmem.agent.calls import Call
from graphmem.agent.carry import carry_out, opened
from graphmem.agent.events import Evaluated, Planned, wrong
from graphmem.agent.judge import UNJUDGED, Evaluate, judged
from graphmem.agent.plan import Brief, Plan, Planner, Tried, check_plan
from graphmem.agent.planner import RulePlanner
from graphmem.agent.run import Run
from graphmem.agent.task import Place, Task, placed
from graphmem.agent.watched import Gate, Watched
from graphmem.agent.world import World
from graphmem.models import Outcome, Step
from graphmem.recall import Decision
from graphmem.redact import Redactor

KNOWN = 2  # attempts where something is remembered: one by it, and one more if it misled
FORGOTTEN = 3  # attempts where the memory itself failed, and nobody grants a budget
_PLANS = 50  # plans in one attempt, each going on from the one before
_RULES = RulePlanner()


@dataclass(frozen=True, slots=True)
class Setting:
    """What a run is done with; `Loop` says what each is."""

    domain: str
    planner: Planner
    evaluate: Evaluate | None
    gate: Gate | None
    budget: int
    attempts: int | None
    redactor: Redactor | None
    facts: Callable[[Run], Atlas] = field(repr=False)


def play(run: Run, given: World | Task, setting: Setting, call: Call) -> Run:
    """Make attempts until one did not fail, or the budget of attempts or actions is spent."""
    world, place = placed(given, call)
    watched = Watched(world, call, setting.gate, setting.budget, setting.redactor, place.strict)
    try:
        facts = setting.facts(run)
    except Exception as error:
        facts, run = Atlas(), run.traced(wrong("plan", error, setting.redactor))
    for number in range(1, _attempts(run, setting) + 1):
        before = len(run.tried)
        run = _attempt(run, number, watched, place, facts, setting, call)
        if len(run.tried) == before or watched.left <= 0 or run.plan is None or run.plan.empty:
            break
    return run


def _attempts(run: Run, setting: Setting) -> int:
    """How many attempts there may be: most where nothing is remembered."""
    if setting.attempts is not None:
        return setting.attempts
    granted = run.recall.budget if run.recall is not None else None
    if granted is not None:
        return granted.attempts
    return FORGOTTEN if run.recall is None else KNOWN


def _attempt(run: Run, number: int, world: Watched, place: Place, facts: Atlas, setting: Setting, call: Call) -> Run:
    world.begin(number, every=run.decision is not Decision.USE)
    diary = opened(world)
    before, run = run, replace(run, steps=tuple(diary.steps), used=())
    spatial, whole = bool(world.view.surroundings.strip()), False
    for _ in range(_PLANS):
        if world.over:
            break
        brief = Brief(
            task=run.task,
            recall=run.recall,
            decision=run.decision,
            # Places have too many options to list them for rules that look around for themselves.
            options=() if spatial and isinstance(setting.planner, RulePlanner) else tuple(world.valid_actions()),
            tried=run.tried,
            seen=run.steps,
            view="\n".join((world.view.observation, *world.view.sight)),
            attempt=number,
            left=world.left,
            spatial=spatial,
            gated=setting.gate is not None,
            place=place,
        )
        plan = _planned(brief, world, setting.planner, call)
        run = replace(run, plan=plan)
        if plan.empty:
            whole = world.last is not None
            break
        done = carry_out(plan, world, diary, facts)
        run = replace(run, steps=tuple(diary.steps), used=tuple(dict.fromkeys((*run.used, *done.used))))
        if not plan.open:
            whole = done.whole
            break
    if number > 1 and world.last is None and world.wrong is None and not world.failed:
        return _given_up(before, world)
    world.finish()
    return _ended(run, world, place, whole, setting, call)


def _planned(brief: Brief, world: Watched, planner: Planner, call: Call) -> Plan:
    """The planner's plan, bounded; by rules where it fails, with what went wrong in the trace."""
    try:
        plan = check_plan(call(planner.plan, brief))
    except Exception as error:
        world.events.append(wrong("plan", error, world.redactor))
        plan = _by_rules(brief, world)
    actions = tuple(one.action for one in plan.steps)
    world.events.append(Planned(brief.attempt, plan.by, actions, plan.sources, plan.why, plan.note))
    return plan


def _by_rules(brief: Brief, world: Watched) -> Plan:
    try:
        return check_plan(_RULES.plan(brief))
    except Exception as error:
        world.events.append(wrong("plan", error, world.redactor))
        return Plan(_RULES.name)


def _given_up(before: Run, world: Watched) -> Run:
    """The run as the attempt before left it, where nothing else could be thought of."""
    run = before.traced(*world.events)
    world.events.clear()
    return run


def _ended(run: Run, world: Watched, place: Place, whole: bool, setting: Setting, call: Call) -> Run:
    trace = (*run.trace, *world.events)
    world.events.clear()
    run = replace(run, trace=trace, outcome=Outcome.UNKNOWN, evidence="")
    evaluated, fault = judged(run, world, whole, setting.evaluate, call)
    run = replace(run, outcome=evaluated.outcome, evidence=evaluated.evidence)
    run = run.traced(*((fault,) if fault else ()), evaluated)
    return _failed(run, world, place, evaluated)


def _failed(run: Run, world: Watched, place: Place, evaluated: Evaluated) -> Run:
    """The run with its attempt among those that failed, if it did."""
    wrong_ = world.wrong is not None and world.wrong.where not in UNJUDGED
    bad = evaluated.outcome is Outcome.FAIL or bool(world.failed) or wrong_
    if not bad or evaluated.outcome in (Outcome.SUCCESS, Outcome.MIXED):
        return run
    alone = world.wrong is None and world.last is not None and (world.last.number == 1 or not run.used)
    failed = world.refused or (world.last.action if world.last is not None and alone else "")
    tried = Tried(run.steps, failed, world.failed or evaluated.evidence, run.used, blames=world.wrong is None)
    kept = run.kept if place.renews else (*run.kept, *_passed(run.steps, world))
    return replace(run, tried=(*run.tried, tried), kept=kept)


def _passed(steps: tuple[Step, ...], world: Watched) -> tuple[Step, ...]:
    """What was done and passed its gate before the one that failed: it stays done where nothing begins anew."""
    checked = world.gated and world.every and world.refused
    return steps[:-1] if checked and steps and steps[-1].action == world.refused else ()
