"""What receipts say about memories, and whether the first one was right."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from graphmem.measure.conformal import Labelled
from graphmem.measure.weights import Comparison
from graphmem.models import Outcome, Value
from graphmem.recall import Components
from graphmem.scope import Scope
from graphmem.steps import Call, Read, Row, Stage
from graphmem.store.catalogue import statement

MOST = 100_000  # labelled recalls that are read, the newest
WORDS = 1_000  # memories of a receipt that are read, the best ranked


class Word(Value):
    """What was said about one memory of a recall: that it was used, misled, or (by a person) whether it is relevant.

    `rank` is its place in the ranking by S, from 1 on; it and the `components` are absent when the receipt does not
    know the memory as a candidate.
    """

    rank: int | None = None
    used: bool = False
    misled: bool = False
    relevant: bool | None = None
    components: Components | None = None


class Receipt(Value):
    """A recall about whose memories something was said, best ranked memory first.

    `first` is the rank of the memory that an answer begins with: the lowest of a hit, or 1 where nothing was a hit.
    """

    id: str
    domain: str
    decision: str
    outcome: str
    best: float
    agreed: float
    surroundings: float
    first: int = 1
    words: tuple[Word, ...]

    def right(self, word: Word) -> bool | None:
        """Whether a memory was right, as far as that was said.

        Wrong when it misled, or a person found it irrelevant; right when a person found it relevant, or an attempt that
        used it ended well, at least in part. Of an attempt that failed or whose end is unknown, use says nothing.
        """
        if word.misled or word.relevant is False:
            return False
        ended_well = self.outcome in (Outcome.SUCCESS.value, Outcome.MIXED.value)
        return True if word.relevant or (word.used and ended_well) else None

    @property
    def label(self) -> bool | None:
        """Whether the first memory was right; None when nothing was said about it, whatever was said about others."""
        return next((self.right(word) for word in self.words if word.rank == self.first), None)

    @property
    def labelled(self) -> Labelled | None:
        """What calibration takes from this recall, or None when it has no label."""
        if self.label is None:
            return None
        return Labelled(
            id=self.id, best=self.best, agreed=self.agreed, surroundings=self.surroundings, right=self.label
        )

    @property
    def comparison(self) -> Comparison:
        """What fitting the weights takes from this recall."""
        sides: dict[bool, list[Components]] = {True: [], False: []}
        for word in self.words:
            right = self.right(word)
            if right is not None and word.components is not None:
                sides[right].append(word.components)
        return Comparison(id=self.id, right=tuple(sides[True]), wrong=tuple(sides[False]))


def receipts(scope: Scope, domain: str | None, model: str | None, now: datetime) -> Stage[Sequence[Receipt]]:
    """The receipts of the client's own scope that say something and have not expired, newest first, at most 100,000.

    `domain` and `model` (whose vectors were searched) filter; None is any, be it answered by words alone.
    """
    given = {"scope": scope.own, "scopes": scope.visible, "domain": domain, "model": model, "now": now}
    bounds = {"words": WORDS, "most": MOST}
    rows = yield Read(Call(statement("measure/receipts"), {**given, **bounds}))
    return [_receipt(row) for row in rows]


def _receipt(row: Row) -> Receipt:
    return Receipt(
        id=row["id"],
        domain=row["domain"] or "",
        decision=row["decision"],
        outcome=row["outcome"] or Outcome.UNKNOWN.value,
        best=row["best"],
        agreed=row["best"] if row["agreed"] is None else row["agreed"],
        surroundings=row["surroundings"] or 0.0,
        first=row["first"],
        words=tuple(_word(word) for word in row["words"]),
    )


def _word(word: Row) -> Word:
    parts = {name: word[name] for name in Components.model_fields}
    known = None not in parts.values()
    said = {name: word[name] for name in ("rank", "used", "misled", "relevant")}
    return Word(**said, components=Components(**parts) if known else None)
