"""What the rules see in attempts: the steps of the successes, what failures did differently, what they share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from graphmem.learn.consensus import actions, consensus, key
from graphmem.learn.drafts import Attempt
from graphmem.learn.rules_text import LABEL, STEP, TASK, masked, quoted
from graphmem.models import Outcome
from graphmem.text import normalise

MOST_CONDITIONS = 6
UNSTATED = "the reason was not recorded"
_KEY = re.compile(r"[\w.\-]+(?: [\w.\-]+)*")
_PARTS_OF_KEY = re.compile(r"[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])")
# Words of a metadata key that say where something holds; others (run, score, seed …) say what happened to happen.
_ENVIRONMENT = frozenset(
    [
        "arch",
        "architecture",
        "browser",
        "cloud",
        "cluster",
        "country",
        "database",
        "device",
        "distribution",
        "distro",
        "edition",
        "environment",
        "framework",
        "hardware",
        "kernel",
        "language",
        "locale",
        "os",
        "platform",
        "provider",
        "region",
        "runtime",
        "shell",
        "tier",
        "version",
    ]
)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Successes and failures at one task, side by side: `common` is what the successes did, in order, `decisive` the
    part of it that no failure did. Without the trajectory of a failure nothing is decisive.
    """

    successes: tuple[Attempt, ...]
    failures: tuple[Attempt, ...]
    common: tuple[str, ...]
    decisive: tuple[str, ...]


def compare(attempts: Iterable[Attempt]) -> Comparison:
    """Compare attempts with known outcomes; mixed ones count among the failures."""
    known = sorted(attempts, key=lambda one: one.id)
    good = tuple(one for one in known if one.episode.outcome is Outcome.SUCCESS)
    bad = tuple(one for one in known if one.episode.outcome in (Outcome.FAIL, Outcome.MIXED))
    common = consensus([actions(one.episode.trajectory) for one in good])
    done = [keys(one) for one in bad if one.episode.trajectory]
    decisive = tuple(one for one in common if not any(key(one) in each for each in done)) if done else ()
    return Comparison(good, bad, common, decisive)


def keys(attempt: Attempt) -> frozenset[str]:
    """The actions of an attempt, in the form that is compared."""
    return frozenset(map(key, actions(attempt.episode.trajectory)))


def left_out(attempts: Sequence[Attempt], common: Sequence[str]) -> tuple[str, ...]:
    """Those of the successes' steps that none of these attempts took; none when their trajectories are not known."""
    done = [keys(one) for one in attempts if one.episode.trajectory]
    return tuple(one for one in common if not any(key(one) in each for each in done)) if done else ()


def failure_mode(attempt: Attempt, seen: Comparison) -> str:
    """Why an attempt failed: the stated reason; else the first step of the successes that it left out; else the first
    that it took and no success did; else what it saw last; else that it is not known.
    """
    stated = masked(attempt.episode.failure_reason)
    if stated:
        return stated
    if seen.common and attempt.episode.trajectory:
        for step in left_out([attempt], seen.common):
            return f"leaving out {quoted(step, STEP)}"
        good = frozenset[str]().union(*(keys(one) for one in seen.successes))
        for step in actions(attempt.episode.trajectory):
            if key(step) not in good:
                return f"doing {quoted(step, STEP)}"
    last = (step.observation for step in reversed(attempt.episode.trajectory))
    ending = next((text for one in last if (text := masked(one, TASK))), "")
    return f"it ended with {quoted(ending)}" if ending else UNSTATED


def decisions(successes: Sequence[Attempt]) -> tuple[str, ...]:
    """The key decisions that all attempts with a trajectory state, in the order of the first of them by id."""
    stated = [
        {name: step.decision.strip() for step in one.episode.trajectory if (name := key(step.decision))}
        for one in successes
        if one.episode.trajectory
    ]
    return tuple(text for name, text in stated[0].items() if all(name in one for one in stated)) if stated else ()


def shared_techniques(attempts: Sequence[Attempt]) -> tuple[str, ...]:
    """The techniques that all attempts name, in the order of text."""
    named = [{key(one): normalise(one) for one in attempt.episode.techniques} for attempt in attempts]
    shared = set.intersection(*(set(one) for one in named)) if named else set()
    return tuple(min(one[name] for one in named) for name in sorted(shared))


def shared_conditions(attempts: Sequence[Attempt]) -> tuple[str, ...]:
    """Where all attempts took place, as "key = value": the toolchain, and scalars of metadata that name an environment.

    At most MOST_CONDITIONS, in the order of their keys; one of an unknown environment holds nothing back.
    """
    found = [frozenset(_environment(one)) for one in attempts]
    return tuple(sorted(frozenset.intersection(*found))[:MOST_CONDITIONS]) if found else ()


def _environment(attempt: Attempt) -> Iterable[str]:
    if normalise(attempt.episode.toolchain):
        yield _condition("toolchain", attempt.episode.toolchain)
    for name, value in attempt.episode.metadata.items():
        plain = normalise(name)
        parts = {part.lower() for part in _PARTS_OF_KEY.split(plain) if part}
        if not (_KEY.fullmatch(plain) and len(plain) <= STEP and parts & _ENVIRONMENT):
            continue
        if isinstance(value, bool):
            yield _condition(plain, str(value).lower())
        elif isinstance(value, str | int | float) and 0 < len(normalise(str(value))) <= STEP:
            yield _condition(plain, str(value))


def _condition(name: str, value: str) -> str:
    return f"{name} = {normalise(value)}"[:LABEL].rstrip()
