"""The verb `judge`: which memories a person finds relevant to what was asked; calibration and precision rest on it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from graphmem.correct import UNKNOWN, Reference, receipt
from graphmem.errors import InvalidInput
from graphmem.models import Identifier, Input, Value
from graphmem.record.known import hold, require_known
from graphmem.scope import Scope
from graphmem.steps import Call, Stage, Write
from graphmem.store.catalogue import statement


class Judgement(Input):
    """The memories that a person looked at: relevant to the question, or not."""

    relevant: tuple[Identifier, ...]
    irrelevant: tuple[Identifier, ...]


class Ranked(Value):
    """A memory that was judged, and its rank in the recall, from 1 on; None when the receipt does not know it."""

    id: str
    rank: int | None
    relevant: bool


class Judged(Value):
    """What was written on a recall's receipt; `ranked` are the memories of both kinds, best ranked first."""

    recall_id: str
    relevant: tuple[str, ...]
    irrelevant: tuple[str, ...]
    ranked: tuple[Ranked, ...] = ()
    warnings: tuple[str, ...] = ()

    def first(self, k: int) -> tuple[Ranked, ...]:
        """Those judged now that are among the first `k` memories of the recall; `k` is at least 1."""
        return tuple(one for one in self.ranked if one.rank is not None and one.rank <= k)


class Judgements(Value):
    """Judgements on several recalls: how many of the memories judged among the first `k` of each are relevant.

    `ranked` counts these memories, `relevant` the relevant ones; `precision` is precision@k over those that were
    judged, relevant / ranked in [0, 1], None when none of the first `k` was judged.
    """

    k: int
    ranked: int
    relevant: int
    precision: float | None
    judged: tuple[Judged, ...]

    @classmethod
    def of(cls, judged: Sequence[Judged], k: int) -> Judgements:
        """Count what was judged of the first `k` memories (at least 1) of each recall."""
        first = [one.relevant for each in judged for one in each.first(k)]
        share = sum(first) / len(first) if first else None
        return cls(k=k, ranked=len(first), relevant=sum(first), precision=share, judged=tuple(judged))


def judge(
    about: Reference, said: Judgement, scope: Scope, now: datetime, keep_days: float, embedding_model: str
) -> Stage[Judged]:
    """Write the receipt, unless it is there, and a person's judgements on it, in one transaction.

    The latest word on a memory counts. Raises NotFound when a memory or the receipt is not there, InvalidInput when a
    memory is both relevant and not, ScopeError when the recall is another scope's.
    """
    both = sorted(set(said.relevant) & set(said.irrelevant))
    if both:
        raise InvalidInput(f"memory {both[0]} cannot be relevant and irrelevant; name it once")
    named = sorted({*said.relevant, *said.irrelevant})
    yield from require_known(named, scope, now)
    written = yield from receipt(about, named, scope, now, keep_days, embedding_model)
    given = {"scopes": scope.visible, "named": named, "relevant": list(said.relevant)}
    note = Call(statement("measure/judge"), {"scope": written.scope, "id": about.id, **given})
    rows = (yield Write([hold([*written.hits, *named], scope), *written.calls, note]))[-1]
    return Judged(
        recall_id=about.id,
        relevant=tuple(dict.fromkeys(said.relevant)),
        irrelevant=tuple(dict.fromkeys(said.irrelevant)),
        ranked=tuple(Ranked(id=row["id"], rank=row["rank"], relevant=row["id"] in said.relevant) for row in rows),
        warnings=(f"the context of this receipt has no vector, {UNKNOWN}",) if written.blind else (),
    )
