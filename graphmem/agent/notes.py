"""Failures as key decisions: written into the steps of an episode, and read from it again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from graphmem.agent.plan import Tried
from graphmem.models import Episode, Outcome, Reflection, Step

FAILED_HERE = "it failed here: "
INSTEAD_OF = "instead of: "
_WHICH = ", which failed: "
_FORBIDS = ("avoid", "never", "do not", "don't")
_WANTS = "do not leave out"
_MOST = 20  # failed attempts that a success tells of


def failed_steps(tried: Tried) -> tuple[Step, ...]:
    """The steps of a failed attempt; at the one that failed (else at the last) it says why.

    Where something of the caller's failed beside the actions, none of them is said to have failed.
    """
    if not tried.steps or not (tried.failed or tried.blames):
        return tried.steps
    last = tried.steps[-1]
    said = FAILED_HERE + tried.reason
    return (*tried.steps[:-1], last.model_copy(update={"decision": "\n".join(filter(None, (last.decision, said)))}))


def told(steps: Sequence[Step], tried: Iterable[Tried]) -> tuple[Step, ...]:
    """The steps of a success, the first of which tells what failed before it."""
    lines = [f"{INSTEAD_OF}{_one_line(one.failed)}{_WHICH}{_one_line(one.reason)}" for one in tried if one.failed]
    if not steps or not lines:
        return tuple(steps)
    first = steps[0]
    decision = "\n".join(filter(None, (first.decision, *lines[-_MOST:])))
    return (first.model_copy(update={"decision": decision}), *steps[1:])


def failures(episode: Episode) -> Iterator[str]:
    """The actions that failed, as far as an episode tells; of a failure that does not, the last one."""
    marked = False
    for step in episode.trajectory:
        for line in step.decision.splitlines():
            if line.startswith(FAILED_HERE):
                marked = True
                yield step.action
            elif line.startswith(INSTEAD_OF):
                yield line.removeprefix(INSTEAD_OF).split(_WHICH)[0]
    if episode.outcome is Outcome.FAIL and not marked and episode.trajectory:
        yield episode.trajectory[-1].action


def is_failed(step: Step) -> bool:
    """Whether a step is marked as one that failed."""
    return any(line.startswith(FAILED_HERE) for line in step.decision.splitlines())


def forbids(reflection: Reflection, action: str) -> bool:
    """Whether a lesson warns of an action by its own words: a guardrail against it, or a failure of doing it."""
    wanted = " ".join(action.lower().split())
    said = [
        rail
        for rail in map(str.lower, reflection.guardrails)
        if rail.startswith(_FORBIDS) and not rail.startswith(_WANTS)
    ]
    mode = reflection.failure_mode.lower()
    said += [mode] if mode.startswith("doing ") else []
    return bool(wanted) and any(wanted in " ".join(one.split()) for one in said)


def _one_line(text: str) -> str:
    return " ".join(text.split())
