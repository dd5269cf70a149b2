"""Whose memories tenant-wide jobs work on."""

from __future__ import annotations

from graphmem.scope import Scope
from graphmem.settings import Settings, connection
from graphmem.steps import Call, Read
from graphmem.store.catalogue import statement
from graphmem.store.driver import Database


def owners(settings: Settings, scope: Scope) -> tuple[Scope, ...]:
    """A tenant's own scope, then one for each of its users who keeps memories, by name.

    The database must have been prepared (`init`). Raises StoreError when it fails.
    """
    database = Database(connection(settings), settings.neo4j.timeout)
    try:
        asked = {"tenant": scope.tenant, "scopes": [scope.shared]}
        rows = database.answer(Read(Call(statement("jobs/users"), asked)))
    finally:
        database.close()
    return (Scope(scope.tenant), *(Scope(scope.tenant, row["user"]) for row in rows))
