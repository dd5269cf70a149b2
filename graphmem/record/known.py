"""Whether memories are there, asked before something is written about them."""

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
