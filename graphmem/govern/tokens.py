"""Which scopes work on a scope is about: the client's own, or, asked for explicitly, all of a tenant."""

from __future__ import annotations

from graphmem.errors import InvalidInput
from graphmem.scope import Scope
from graphmem.steps import Call, Read, Stage
from graphmem.store.catalogue import statement

MOST = 10_000_000  # scopes of a tenant


def tokens(scope: Scope, everything: bool) -> Stage[list[str]]:
    """The token of the client's own scope, or with `everything` those of a tenant and of all its users.

    Raises InvalidInput when a user's client asks for everything, or `everything` is no bool.
    """
    if not isinstance(everything, bool):
        raise InvalidInput(f"everything is True or False, not {everything!r:.60}")
    if not everything:
        return [scope.own]
    if scope.user:
        raise InvalidInput("a user's client works on that user's own; make a client of the tenant for everything")
    given = {"tenant": scope.tenant, "scopes": [scope.own], "most": MOST}
    rows = yield Read(Call(statement("govern/scopes"), given))
    return [row["scope"] for row in rows]
