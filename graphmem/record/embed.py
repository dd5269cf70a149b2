"""Vectors for what has none: stored while the embedding model was away, or stripped for another model.

A move is of the whole database, all its tenants: the vectors of two models do not compare. First the database says
that it is being moved, so that nobody asks its vectors nor writes old ones; then the old vectors are taken away, so
that at no time two kinds are mixed; then everything that has no vector is embedded, as always. Killed anywhere and
begun again, it goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from graphmem.embed import Embedded
from graphmem.models import Value
from graphmem.record.settle import settled
from graphmem.steps import Call, Embed, Read, Row, Stage, Write
from graphmem.store.catalogue import statement
from graphmem.store.move import reshape
from graphmem.store.schema import Wanted

BATCH = 256
STRIPPED = 5000  # memories, and receipts, of one transaction that takes vectors away
SCOPES = 100  # at a time


class Reembedded(Value):
    """How many memories were given a vector, and how many still have none, with the last reason.

    `moved_from` is the model that the database had before, if it was moved. `contexts` are the receipts of recalls that
    misled whose question was embedded anew; `unrecognised` those of which only a vector of the old model was kept: the
    memories that misled there are still blamed, but not recognised in a context like that any more.
    """

    embedded: int
    left: int
    problem: str = ""
    moved_from: str = ""
    contexts: int = 0
    unrecognised: int = 0


@dataclass(slots=True)
class _Tally:
    """What was done so far."""

    progress: Callable[[int], object] | None
    embedded: int = 0
    left: int = 0
    contexts: int = 0
    unrecognised: int = 0
    problems: list[str] = field(default_factory=list)

    def done(self, moved_from: str = "") -> Reembedded:
        counts = {name: getattr(self, name) for name in ("embedded", "left", "contexts", "unrecognised")}
        return Reembedded(problem=(self.problems or [""])[-1], moved_from=moved_from, **counts)


def extent(vector: Embedded) -> str:
    """How much of a text its vector stands for."""
    return "whole" if vector.whole else f"leading {vector.covered} characters"


def reembed(
    scopes: Sequence[str], embedding_model: str, now: datetime, progress: Callable[[int], object] | None
) -> Stage[Reembedded]:
    """Embed what has no vector in these scopes, batch by batch; it may be stopped and run again at any time.

    Raises EmbeddingError while the model is away; what was embedded before stays.
    """
    tally = _Tally(progress)
    yield from _embedded(scopes, embedding_model, now, tally)
    return tally.done()


def move(wanted: Wanted, now: datetime, progress: Callable[[int], object] | None) -> Stage[Reembedded]:
    """Move the whole database to the wanted embedding model, or go on with that.

    Raises EmbeddingError while the model is away: recall goes by words until the move is begun again and has ended.
    """
    model, tally = wanted.embedding_model, _Tally(progress)
    (said,) = yield Write([Call(statement("schema/move"), {"embedding_model": model})])
    for scopes in (yield from _scopes()):
        yield from _stripped(scopes, wanted, tally)
    yield from reshape(wanted)
    for scopes in (yield from _scopes()):
        yield from _embedded(scopes, model, now, tally)
    yield Write([settled(wanted.dimensions, anew=True), Call(statement("schema/moved"), {"embedding_model": model})])
    return tally.done(said[0]["moved_from"] or "")


def _scopes() -> Stage[list[list[str]]]:
    """The scopes of the whole database, some at a time."""
    every: list[list[str]] = []
    after = ""
    while rows := (yield Read(Call(statement("schema/scopes"), {"after": after, "most": SCOPES}))):
        every.append([row["scope"] for row in rows])
        after = rows[-1]["scope"]
    return every


def _stripped(scopes: Sequence[str], wanted: Wanted, tally: _Tally) -> Stage[None]:
    found = STRIPPED
    while found >= STRIPPED:
        given = {"scopes": scopes, "embedding_model": wanted.embedding_model, "most": STRIPPED}
        rows, _ = yield Write([Call(statement("record/strip"), given), settled(wanted.dimensions)])
        found = rows[0]["stripped"]
        tally.unrecognised += rows[0]["unrecognised"]


def _embedded(scopes: Sequence[str], model: str, now: datetime, tally: _Tally) -> Stage[None]:
    at = {"scopes": scopes, "embedding_model": model, "now": now}
    after = ""
    while rows := (yield from _page("record/unembedded", scopes, after)):
        vectors: list[Embedded] = yield Embed([row["text"] for row in rows], "document")
        ready = [
            {**row, "vector": list(vector.vector), "embedded": extent(vector)}
            for row, vector in zip(rows, vectors, strict=True)
            if vector.vector is not None
        ]
        tally.problems += [vector.problem for vector in vectors if vector.problem][-1:]
        tally.left += len(rows) - len(ready)
        if ready:
            answers = yield Write([Call(statement("record/embed"), {**at, "rows": ready})])
            tally.embedded += answers[0][0]["embedded"]
            if tally.progress is not None:
                tally.progress(tally.embedded)
        after = rows[-1]["scope"] + rows[-1]["id"]
    after = ""
    while rows := (yield from _page("record/blind", scopes, after)):
        vectors = yield Embed([row["text"] for row in rows], "query")
        seen = [
            {**row, "vector": list(vector.vector)}
            for row, vector in zip(rows, vectors, strict=True)
            if vector.vector is not None
        ]
        answers = yield Write([Call(statement("record/see"), {**at, "rows": seen})])
        tally.contexts += answers[0][0]["embedded"]
        after = rows[-1]["scope"] + rows[-1]["id"]


def _page(name: str, scopes: Sequence[str], after: str) -> Stage[Sequence[Row]]:
    rows: Sequence[Row] = yield Read(Call(statement(name), {"scopes": scopes, "after": after, "limit": BATCH}))
    return rows
