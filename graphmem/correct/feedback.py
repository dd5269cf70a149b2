"""The verb `feedback`: a receipt of the recall, how the attempt ended, which memories helped, which misled."""

from __future__ import annotations

from datetime import datetime

from graphmem.correct.receipt import Reference, check_scope, receipt
from graphmem.errors import InvalidInput
from graphmem.models import Identifier, Input, Outcome, Text, Value
from graphmem.record.known import hold, require_known
from graphmem.scope import Scope
from graphmem.steps import Call, Stage, Write
from graphmem.store.catalogue import statement

WEIGHT = 1.0  # of one word of blame; false_hit adds them up, to at most 1
UNKNOWN = "so it is not recognised; say it again once the embedding model is back"


class Feedback(Value):
    """What was written: the receipt's id, the outcome, and the memories whose records changed.

    What is `queued` waits in the outbox of this computer until the store is back, and is not written yet.
    """

    recall_id: str
    outcome: Outcome
    used: tuple[str, ...] = ()
    misled: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    queued: bool = False


class Verdict(Input):
    """How the attempt ended, and what that says about the memories."""

    outcome: Outcome
    used: tuple[Identifier, ...]
    misled: tuple[Identifier, ...]
    evidence: Text
    reason: Text


def feedback(
    about: Reference, verdict: Verdict, scope: Scope, now: datetime, keep_days: float, embedding_model: str
) -> Stage[Feedback]:
    """Write receipt, outcome, credit and blame in one transaction; said again, it changes nothing.

    Raises NotFound when a memory or the receipt is not there, ScopeError when the recall is another scope's.
    """
    check(about, verdict, scope)
    named = sorted({*verdict.used, *verdict.misled})
    yield from require_known(named, scope, now)
    written = yield from receipt(about, named, scope, now, keep_days, embedding_model)
    blind = bool(verdict.misled) and written.blind
    at = {"scope": written.scope, "id": about.id}
    seen = {**at, "scopes": scope.visible}
    said = {**at, "outcome": verdict.outcome.value, "evidence": verdict.evidence, "now": now}
    asked = written.answer.request.text if written.answer is not None else None
    blame = {"misled": sorted(set(verdict.misled)), "weight": WEIGHT, "reason": verdict.reason, "question": asked}
    calls = [
        Call(statement("correct/outcome"), said),
        Call(statement("correct/used"), {**seen, "used": sorted(set(verdict.used))}),
        Call(statement("correct/misled"), {**seen, **blame, "now": now}),
    ]
    yield Write([hold([*written.hits, *named], scope), *written.calls, *calls])
    return _told(about, verdict, f"the context of what misled has no vector, {UNKNOWN}" if blind else "")


def check(about: Reference, verdict: Verdict, scope: Scope) -> None:
    """Refuse what no database would need to be asked about.

    Raises InvalidInput when one memory is said to have helped and misled, ScopeError for another scope's recall.
    """
    both = sorted(set(verdict.used) & set(verdict.misled))
    if both:
        raise InvalidInput(f"memory {both[0]} cannot have been used well and have misled; name it once")
    if about.answer is not None:
        check_scope(about.answer, scope)


def unwritten(about: Reference, verdict: Verdict, why: str) -> Feedback:
    """The answer for what was not written yet, and why."""
    return _told(about, verdict, why).model_copy(update={"queued": True})


def _told(about: Reference, verdict: Verdict, warning: str) -> Feedback:
    return Feedback(
        recall_id=about.id,
        outcome=verdict.outcome,
        used=tuple(dict.fromkeys(verdict.used)),
        misled=tuple(dict.fromkeys(verdict.misled)),
        warnings=(warning,) if warning else (),
    )
