"""Memories that something is written about: whether they are there, and locked in an order that all keep."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from graphmem.errors import NotFound
from graphmem.scope import Scope
from graphmem.steps import Call, Read, Stage
from graphmem.store.catalogue import statement


def require_known(ids: Sequence[str], scope: Scope, now: datetime) -> Stage[frozenset[str]]:
    """Those of the memories that may be recalled.

    Raises NotFound, naming the first id that does not exist in this scope, or has expired.
    """
    if not ids:
        return frozenset()
    rows = yield Read(Call(statement("record/known"), {"scopes": scope.visible, "ids": list(ids), "now": now}))
    known = {row["id"] for row in rows}
    for id_ in ids:
        if id_ not in known:
            raise NotFound(f"no memory {id_} in this scope; nothing was written")
    return frozenset(row["id"] for row in rows if row["recallable"])


def hold(ids: Sequence[str], scope: Scope) -> Call:
    """Lock memories, as the first statement of a transaction that writes about several."""
    return Call(statement("record/hold"), {"scopes": scope.visible, "ids": sorted(set(ids))})
