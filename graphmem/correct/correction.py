"""The verb `correct`: one memory is right where another is wrong."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from graphmem.correct.feedback import UNKNOWN, WEIGHT
from graphmem.embed import Embedded
from graphmem.errors import EmbeddingError, InvalidInput, NotFound
from graphmem.models import Identifier, Input, Text, Value, Words
from graphmem.record.known import hold, require_known
from graphmem.record.properties import context_hash, digest
from graphmem.scope import Scope
from graphmem.steps import Call, Embed, Stage, Write
from graphmem.store.catalogue import statement

CLOSE = 0.92
"""From this cosine on two contexts are one, as the default of `recall.context_close`."""


class Correction(Value):
    """What was written: which memory takes whose place, everywhere or in which contexts."""

    wrong: str
    right: str
    everywhere: bool
    contexts: tuple[str, ...]
    warnings: tuple[str, ...] = ()


class Ruling(Input):
    """Which memory is wrong, which is right, why, where (no context: everywhere) and who says so."""

    wrong: Identifier
    right: Identifier
    reason: Words
    context: Words | None
    by: Text

    @property
    def receipt(self) -> str | None:
        """The id of the receipt that stands for the context: the same for the same ruling."""
        return None if self.context is None else f"correction-{digest([self.wrong, self.right, self.context])}"


def correct(ruling: Ruling, scope: Scope, now: datetime, keep_days: float, embedding_model: str) -> Stage[Correction]:
    """Write a correction in one transaction; said again, it changes nothing.

    Raises NotFound when either memory is not there, InvalidInput when they are the same.
    """
    if ruling.wrong == ruling.right:
        raise InvalidInput(f"memory {ruling.wrong} cannot correct itself; record the right one first")
    recallable = yield from require_known([ruling.wrong, ruling.right], scope, now)
    calls, warnings = [hold([ruling.wrong, ruling.right], scope)], []
    if ruling.right not in recallable:
        warnings.append(f"memory {ruling.right} may not be recalled now, so nothing takes the place of {ruling.wrong}")
    if ruling.context is not None:
        vector = yield from _vector(ruling.context)
        calls += _context(ruling, scope, now, keep_days, vector, embedding_model)
        if vector is None:
            warnings.append(f"the context has no vector, {UNKNOWN}")
    given = {
        "scopes": scope.visible,
        "wrong": ruling.wrong,
        "right": ruling.right,
        "reason": ruling.reason,
        "context": ruling.context,
        "receipt": ruling.receipt,
        "close": CLOSE,
        "by": ruling.by,
        "now": now,
    }
    rows = (yield Write([*calls, Call(statement("correct/correct"), given)]))[-1]
    if not rows:
        raise NotFound(f"memory {ruling.wrong} or {ruling.right} was deleted meanwhile; nothing is corrected")
    return Correction(
        wrong=ruling.wrong,
        right=ruling.right,
        everywhere=rows[0]["everywhere"],
        contexts=tuple(rows[0]["contexts"]),
        warnings=tuple(warnings),
    )


def _vector(text: str) -> Stage[tuple[float, ...] | None]:
    try:
        embedded: list[Embedded] = yield Embed([text], "query")
    except EmbeddingError:
        return None
    return embedded[0].vector


def _context(
    ruling: Ruling,
    scope: Scope,
    now: datetime,
    keep_days: float,
    vector: tuple[float, ...] | None,
    embedding_model: str,
) -> list[Call]:
    """The context as a receipt, against which the wrong memory counts as having misled."""
    receipt: dict[str, Any] = {
        "scope": scope.own,
        "id": ruling.receipt,
        "tenant": scope.tenant,
        "user": scope.user,
        "decision": "corrected",
        "outcome": "fail",
        "context_hash": context_hash("", "", "", ruling.context or ""),
        "embedding_model": embedding_model,
        "at": now,
        "expires_at": now + timedelta(days=keep_days),
    }
    if vector is not None:
        receipt["vector"] = list(vector)
    blame = {
        "scope": scope.own,
        "scopes": scope.visible,
        "id": ruling.receipt,
        "misled": [ruling.wrong],
        "weight": WEIGHT,
        "reason": ruling.reason,
        "question": ruling.context,
        "now": now,
    }
    return [
        Call(statement("correct/receipt"), {"receipt": receipt, "rows": []}),
        Call(statement("correct/misled"), blame),
    ]
