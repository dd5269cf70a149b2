"""The verb `erase`: what a scope keeps is gone, in batches that may be stopped and run again."""

from __future__ import annotations

from collections import Counter

from graphmem.models import Value
from graphmem.record.settle import settled
from graphmem.scope import Scope
from graphmem.steps import Call, Read, Stage, Write
from graphmem.store.catalogue import statement

BATCH = 500  # nodes, or links, of one transaction
SCOPES = 1000  # of a tenant, at a time


class Erased(Value):
    """How many of each kind were erased.

    `receipts` are those of recalls, `parameters` versions of them, `links` those that were made between memories which
    stay: the links of an erased memory go with it, and are not counted.
    """

    episodes: int = 0
    reflections: int = 0
    skills: int = 0
    receipts: int = 0
    parameters: int = 0
    jobs: int = 0
    links: int = 0


def erase(scope: Scope, dimensions: int) -> Stage[Erased]:
    """Erase all that a scope keeps; stopped and run again, it goes on where it was. Vectors have that many dimensions.

    The scope of a user is that user's own, and nothing shared; the scope of a tenant is what the tenant shares and all
    that its users keep.
    """
    erased: Counter[str] = Counter()
    while True:
        gone = yield from _round((yield from _scopes(scope)), scope, dimensions)
        erased += gone
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
    for name in ("links", "receipts", "memories", "parameters", "jobs"):
        found = BATCH
        while found >= BATCH:
            given = {"scopes": scopes, "shared": scope.shared, "most": BATCH}
            after = [settled(dimensions)] if name == "memories" else []
            rows, *_ = yield Write([Call(statement(f"govern/erase_{name}"), given), *after])
            gone += Counter({row["what"]: row["erased"] for row in rows})
            found = sum(row["erased"] for row in rows)
    return gone
