"""Labels for outcomes: Browser colours nodes by label, and by no property."""

from __future__ import annotations

from graphmem.errors import AccessDenied
from graphmem.scope import Scope
from graphmem.settings import Settings, connection
from graphmem.steps import Alone, Call, Knock
from graphmem.store.catalogue import statement
from graphmem.store.driver import Database


def colour(settings: Settings, scope: Scope) -> str:
    """Give a scope's own episodes a label for their outcome (Success, Mixed, Fail, Unknown).

    Those recorded later have none, and an outcome that changes keeps its label, until this is done again.
    Empty, or why the account may not do it. Raises AccessDenied when the credentials are refused.
    """
    database = Database(connection(settings), settings.neo4j.timeout)
    try:
        database.answer(Knock())
        try:
            database.answer(Alone(Call(statement("govern/outcome_labels"), {"scopes": [scope.own]})))
        except AccessDenied as error:
            return str(error)
    finally:
        database.close()
    return ""
