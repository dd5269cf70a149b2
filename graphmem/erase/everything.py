"""Erasing a whole scope, in batches that may be stopped and run again."""

from __future__ import annotations

from collections import Counter

from graphmem.erase.models import Erased
from graphmem.record.settle import settled
from graphmem.scope import Scope
from graphmem.steps import Call, Progress, Read, Stage, Write
from graphmem.store.catalogue import statement

BATCH = 500  # nodes, or links, of one transaction
SCOPES = 1000  # of a tenant, at a time


def everything(scope: Scope, dimensions: int, progress: Progress) -> Stage[Erased]:
    """Erase all that a scope keeps; stopped and run again, it goes on where it was. Vectors have that many dimensions.

    The scope of a user is that user's own, and nothing shared; the scope of a tenant is what the tenant shares and all
    that its users keep.
    """
    erased: Counter[str] = Counter()
    while True:
        gone = yield from _round((yield from _scopes(scope)), scope, dimensions)
        erased += gone
        progress("erasing", sum(erased.values()), 0)
        if scope.user or not gone:
            return Erased(**{name: erased[name] for name in Erased.model_fields})


def _scopes(scope: Scope) -> Stage[list[str]]:
    if scope.user:
        return [scope.own]
    given = {"tenant": scope.tenant, "scopes": [scope.own], "most": SCOPES}
    rows = yield Read(Call(statement("govern/scopes"), given))
    return [row["scope"] for row in rows]


def _round(scopes: list[str], scope: Scope, dimensions: int) -> Stage[Counter[str]]:
    """Erase what these scopes keep. Receipts go before memories, so that what they said of others is taken back."""
    gone: Counter[str] = Counter()
    for name in ("links", "receipts", "memories", "parameters", "rules", "jobs"):
        found = BATCH
        while found >= BATCH:
            given = {"scopes": scopes, "shared": scope.shared, "tenant": scope.tenant, "most": BATCH}
            after = [settled(dimensions)] if name == "memories" else []
            rows, *_ = yield Write([Call(statement(f"erase/all_{name}"), given), *after])
            gone += Counter({row["what"]: row["erased"] for row in rows})
            found = sum(row["erased"] for row in rows)
    return gone
