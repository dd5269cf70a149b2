"""Vectors for memories that were stored without one, while the embedding model was away."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from graphmem.embed import Embedded
from graphmem.models import Value
from graphmem.scope import Scope
from graphmem.steps import Call, Embed, Read, Stage, Write
from graphmem.store.catalogue import statement

BATCH = 256


class Reembedded(Value):
    """How many memories were given a vector, and how many still have none, with the last reason."""

    embedded: int
    left: int
    problem: str = ""


def extent(vector: Embedded) -> str:
    """How much of a text its vector stands for."""
    return "whole" if vector.whole else f"leading {vector.covered} characters"


def reembed(
    scope: Scope, embedding_model: str, now: datetime, progress: Callable[[int], object] | None
) -> Stage[Reembedded]:
    """Embed what has no vector in this scope, batch by batch; it may be stopped and run again at any time.

    Raises EmbeddingError while the model is away; what was embedded before stays.
    """
    after, embedded, left, problem = "", 0, 0, ""
    while True:
        given = {"scopes": scope.visible, "after": after, "limit": BATCH}
        rows = yield Read(Call(statement("record/unembedded"), given))
        if not rows:
            return Reembedded(embedded=embedded, left=left, problem=problem)
        vectors: list[Embedded] = yield Embed([row["text"] for row in rows], "document")
        ready = [
            {**row, "vector": list(vector.vector), "embedded": extent(vector)}
            for row, vector in zip(rows, vectors, strict=True)
            if vector.vector is not None
        ]
        problem = next((vector.problem for vector in vectors if vector.problem), problem)
        left += len(rows) - len(ready)
        if ready:
            set_ = {"rows": ready, "scopes": scope.visible, "embedding_model": embedding_model, "now": now}
            answers = yield Write([Call(statement("record/embed"), set_)])
            embedded += answers[0][0]["embedded"]
            if progress is not None:
                progress(embedded)
        after = rows[-1]["scope"] + rows[-1]["id"]
