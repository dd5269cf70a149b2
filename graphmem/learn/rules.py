"""Learning by rules: deterministic, offline, from outcomes, reasons, trajectories and what differs between attempts.

The order of attempts does not matter, and the same evidence gives the same words; so a lesson that is learnt again is
the same lesson.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from graphmem.learn.consensus import actions, consensus, key
from graphmem.learn.drafts import Attempt, Case, Distilled, Group, Lesson, Practice, Reflected
from graphmem.learn.opposed import conditions
from graphmem.learn.rules_compare import (
    Comparison,
    compare,
    decisions,
    failure_mode,
    left_out,
    shared_conditions,
    shared_techniques,
)
from graphmem.learn.rules_text import TASK, failed, guardrails, named_steps, short, step, worked
from graphmem.models import Outcome, Reflection
from graphmem.steps import Stage
from graphmem.text import normalise

MOST_NOTES = 5  # failures, and checks, that a practice warns of
COMMON_WORDS = 2  # fewer words that several tasks have in common name nothing


class RuleReflector:
    """The reflector that needs no model. It never fails, and asks for nothing."""

    @property
    def name(self) -> str:
        """The rules and their version."""
        return "rules-1"

    def reflect(self, case: Case) -> Stage[Reflected]:
        """One lesson of all new successes, one for each way in which new attempts failed; mixed ones failed.

        Every new attempt with a known outcome is a source of exactly one lesson.
        """
        yield from ()
        return reflected(case)

    def distil(self, group: Group) -> Stage[Distilled]:
        """What the group's successes have in common, as steps: their actions, or else their techniques."""
        yield from ()
        return distilled(group)


def reflected(case: Case) -> Reflected:
    """The lessons of a case: the success first, failures in the order of their reasons."""
    seen = compare([*case.new, *case.known])
    new = sorted(case.new, key=lambda one: one.id)
    good = [one for one in new if one.episode.outcome is Outcome.SUCCESS]
    fresh = {one.id for one in new}
    modes: dict[str, list[Attempt]] = {}
    shown: dict[str, str] = {}
    for one in seen.failures:
        mode = failure_mode(one, seen)
        shown[key(mode)] = min(mode, shown.get(key(mode), mode))
        if one.id in fresh:
            modes.setdefault(key(mode), []).append(one)
    lessons = [_success(good, seen, case)] if good else []
    lessons += [_failure(shown[mode], modes[mode], seen) for mode in sorted(modes)]
    unknown = [one.id for one in new if one.episode.outcome is Outcome.UNKNOWN]
    return Reflected(
        lessons=tuple(lessons),
        warnings=tuple(f"episode {id_} teaches nothing: its outcome is not known" for id_ in unknown),
    )


def distilled(group: Group) -> Distilled:
    """The practice of a group, or why there is none."""
    good = sorted((one for one in group.attempts if one.episode.outcome is Outcome.SUCCESS), key=lambda one: one.id)
    if not good:
        return Distilled(practice=None, reason="none of its attempts succeeded")
    steps = consensus([actions(one.episode.trajectory) for one in good])
    steps = steps or tuple(f"Use {one}" for one in shared_techniques(good))
    if not steps:
        told = any(one.episode.trajectory for one in good)
        reason = "have no step in common" if told else "left neither trajectories nor techniques in common"
        return Distilled(practice=None, reason=f"its successful attempts {reason}")
    lessons = [one.reflection for one in group.lessons]
    held = [frozenset(conditions(one.conditions)) for one in lessons]
    shared = frozenset.intersection(*held) if held else frozenset[str]()
    first = {min(conditions([one])): one for lesson in lessons for one in sorted(lesson.conditions, reverse=True)}
    return Distilled(
        practice=Practice(
            name=group.current.name if group.current else _name([one.episode.task for one in good]),
            steps=steps,
            preconditions=tuple(first[one] for one in sorted(shared)),
            quality_notes=_notes(lessons),
        )
    )


def _success(sources: Sequence[Attempt], seen: Comparison, case: Case) -> Lesson:
    """What worked: key decisions, then what no failure did, then the rest in order. The words of a lesson that is known
    are kept as long as they hold for these attempts too and name all that made the difference.
    """
    task = _task(sources)
    others = [one for one in seen.common if one not in seen.decisive]
    held = shared_conditions(sources)
    steps = (*decisions(sources), *seen.decisive, *others)
    summaries = sorted(normalise(one.episode.summary) for one in sources if normalise(one.episode.summary))
    insight = worked(task, steps, shared_techniques(sources), min(summaries, key=len, default=""))
    fresh = set(named_steps(insight, task) or ())
    needed = {key(step(one)) for one in seen.decisive if step(one) in fresh}
    for known in case.lessons:
        named = {key(one) for one in named_steps(known.reflection.insight, task) or ()}
        told = not known.reflection.failure_mode and conditions(known.reflection.conditions) == conditions(held)
        if told and named and needed <= named and all(named <= _said(one) for one in sources):
            insight = known.reflection.insight
            break
    return Lesson(
        insight=insight,
        conditions=held,
        guardrails=guardrails("do not leave out", seen.decisive),
        sources=tuple(one.id for one in sources),
    )


def _failure(mode: str, sources: Sequence[Attempt], seen: Comparison) -> Lesson:
    missing = left_out(sources, seen.common)
    return Lesson(
        insight=failed(_task(sources), mode, missing or seen.common),
        conditions=shared_conditions(sources),
        failure_mode=mode,
        guardrails=guardrails("before going on, check that this was done:", missing),
        sources=tuple(one.id for one in sources),
    )


def _task(attempts: Iterable[Attempt]) -> str:
    return min((normalise(one.episode.task) for one in attempts), key=lambda task: (task.casefold(), task))


def _said(attempt: Attempt) -> set[str]:
    """All that an attempt did and decided, as an insight would name it."""
    trajectory = attempt.episode.trajectory
    return {key(step(text)) for one in trajectory for text in (one.action, one.decision)}


def _name(tasks: Sequence[str]) -> str:
    """The words that the tasks have in common, in order; of tasks that have less than half in common, the shortest."""
    shortest = min(map(normalise, tasks), key=lambda task: (len(task), task))
    common = consensus([normalise(task).split() for task in tasks]) if len(set(map(key, tasks))) > 1 else ()
    enough = max(COMMON_WORDS, len(shortest.split()) / 2)
    return short(" ".join(common) if len(common) >= enough else shortest, TASK) or shortest


def _notes(lessons: Sequence[Reflection]) -> str:
    """What went wrong, and what to check, as the lessons say it."""
    modes = sorted({normalise(one.failure_mode) for one in lessons} - {""})[:MOST_NOTES]
    checks = sorted({normalise(check) for one in lessons for check in one.guardrails})[:MOST_NOTES]
    parts = (("Known failures", modes), ("Checks", checks))
    return " ".join(f"{title}: {'; '.join(listed)}." for title, listed in parts if listed)
