"""The verb `judge`: which memories a person finds relevant to what was asked; calibration and precision rest on it."""

from __future__ import annotations

from datetime import datetime

from graphmem.correct import Reference, write_receipt
from graphmem.errors import InvalidInput, NotFound
from graphmem.models import Identifier, Input, Value
from graphmem.record.known import hold, require_known
from graphmem.scope import Scope
from graphmem.steps import Call, Read, Stage, Write
from graphmem.store.catalogue import statement


class Judgement(Input):
    """The memories that a person looked at: relevant to the question, or not."""

    relevant: tuple[Identifier, ...]
    irrelevant: tuple[Identifier, ...]


class Judged(Value):
    """What was written on a recall's receipt."""

    recall_id: str
    relevant: tuple[str, ...]
    irrelevant: tuple[str, ...]


def judge(about: Reference, said: Judgement, scope: Scope, now: datetime, keep_days: float) -> Stage[Judged]:
    """Write the receipt, unless it is there, and a person's judgements on it; the latest word on a memory counts.

    Raises NotFound when a memory or the receipt is not there, InvalidInput when a memory is both relevant and not.
    """
    both = sorted(set(said.relevant) & set(said.irrelevant))
    if both:
        raise InvalidInput(f"memory {both[0]} cannot be relevant and irrelevant; name it once")
    named = sorted({*said.relevant, *said.irrelevant})
    yield from require_known(named, scope, now)
    where = scope.own
    if about.answer is not None:
        yield from write_receipt(about.answer, scope, now, keep_days, named)
    else:
        found = yield Read(Call(statement("correct/receipt_of"), {"scopes": scope.visible, "id": about.id}))
        if not found:
            raise NotFound(f"no receipt {about.id} in this scope; give the Recall itself or its JSON")
        where = found[0]["scope"]
    given = {"scope": where, "scopes": scope.visible, "id": about.id, "named": named, "relevant": list(said.relevant)}
    yield Write([hold(named, scope), Call(statement("measure/judge"), given)])
    return Judged(
        recall_id=about.id,
        relevant=tuple(dict.fromkeys(said.relevant)),
        irrelevant=tuple(dict.fromkeys(said.irrelevant)),
    )
