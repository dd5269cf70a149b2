"""How an attempt ended: by the caller's word, else by its gates, else nobody knows; unknown is never success."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from graphmem.agent.bounds import kept
from graphmem.agent.calls import Call
from graphmem.agent.events import Evaluated, Wrong, wrong
from graphmem.agent.watched import Watched
from graphmem.models import Outcome, chosen
from graphmem.redact import Redactor
from graphmem.text import shown

if TYPE_CHECKING:
    from graphmem.agent.run import Run

UNJUDGED = ("gate", "done")  # where it went wrong, though nobody knows whether the action did

Evaluate = Callable[["Run"], Any]
"""Given a run whose outcome is unknown yet, says how it ended: an Outcome, or an Outcome and the evidence for it."""


def judged(
    run: Run, world: Watched, whole: bool, evaluate: Evaluate | None, call: Call
) -> tuple[Evaluated, Wrong | None]:
    """The outcome of the latest attempt; `whole` says that its plan was carried out to the end.

    An evaluation that raises leaves it unknown, whatever the gates said.
    """
    if evaluate is None:
        outcome, evidence, by = _by_gates(world, whole)
        return Evaluated(world.attempt, outcome, evidence, by), None
    try:
        said: object = call(evaluate, run)
        outcome, evidence = _read(said, world.redactor)
    except Exception as error:
        fault = wrong("evaluate", error, world.redactor)
        told = f"nobody could judge it: {fault.what}"
        return Evaluated(world.attempt, Outcome.UNKNOWN, told, ""), fault
    return Evaluated(world.attempt, outcome, evidence, "evaluate"), None


def _by_gates(world: Watched, whole: bool) -> tuple[Outcome, str, str]:
    if world.wrong is not None and world.wrong.where in UNJUDGED:
        return Outcome.UNKNOWN, f"the {world.wrong.where} could not judge it: {world.wrong.what}", ""
    if world.wrong is not None:
        return Outcome.FAIL, f"{world.wrong.where} failed: {world.wrong.what}", world.wrong.where
    if not world.gated:
        return Outcome.UNKNOWN, world.failed, ""
    if world.failed:
        return Outcome.FAIL, world.failed, "gate"
    if world.passed is None:
        return Outcome.FAIL, "nothing could be done, so no gate was passed", "gate"
    if not whole and not world.ended:
        return Outcome.FAIL, "it ended before its plan did", "gate"
    said = f": {world.passed.reason}" if world.passed.reason else ""
    passed = "every gate was passed" if world.every else "the gate at its end was passed"
    return (
        Outcome.SUCCESS,
        f"{passed}, the last one after {shown(world.last.action, 200)}{said}" if world.last else "",
        "gate",
    )


def _read(said: object, redactor: Redactor | None) -> tuple[Outcome, str]:
    evidence: object = None
    if isinstance(said, tuple) and len(said) == 2:
        said, evidence = said
    outcome = chosen(Outcome, said, "the outcome that evaluate gave")
    told = kept(str(evidence), redactor) if evidence is not None else ""
    return outcome, told or f"the caller's evaluation says {outcome.value}"
