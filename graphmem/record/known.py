"""Memories that something is written about: whether they are there, and locked in an order that all keep."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.errors import NotFound
from graphmem.scope import Scope
from graphmem.steps import Call, Read, Stage
from graphmem.store.catalogue import statement


def require_known(ids: Sequence[str], scope: Scope) -> Stage[None]:
    """Raise NotFound, naming the first id that does not exist in this scope."""
    if not ids:
        return
    rows = yield Read(Call(statement("record/known"), {"scopes": scope.visible, "ids": list(ids)}))
    known = {row["id"] for row in rows}
    for id_ in ids:
        if id_ not in known:
            raise NotFound(f"no memory {id_} in this scope; nothing was written")


def hold(ids: Sequence[str], scope: Scope) -> Call:
    """Lock memories, as the first statement of a transaction that writes about several."""
    return Call(statement("record/hold"), {"scopes": scope.visible, "ids": sorted(set(ids))})
