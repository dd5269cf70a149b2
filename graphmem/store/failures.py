"""What the driver raises, and what graphmem raises instead: one table."""

from __future__ import annotations

from neo4j import exceptions

from graphmem.errors import (
    AccessDenied,
    ConfigurationError,
    GraphmemError,
    InvalidInput,
    StoreError,
    StoreUnavailable,
)

NO_DATABASE = "Neo.ClientError.Database.DatabaseNotFound"
READ_ONLY = "Neo.ClientError.General.WriteOnReadOnlyAccessDatabase"
LOCKED = "Neo.ClientError.Security.AuthenticationRateLimit"

TABLE: tuple[tuple[type[Exception], type[GraphmemError], str], ...] = (
    (exceptions.TokenExpired, AccessDenied, "{where} says that the credentials expired; renew them"),
    (
        exceptions.AuthError,
        AccessDenied,
        "{where} refused the credentials; check GRAPHMEM_NEO4J__USER and __PASSWORD",
    ),
    (exceptions.Forbidden, AccessDenied, "{where}: this account may not do that; give it the role it needs"),
    (exceptions.ConfigurationError, ConfigurationError, "{where} is not a usable address or setting"),
    (
        exceptions.TransientError,
        StoreUnavailable,
        "{where} kept failing until the retries ran out; try again",
    ),
    (
        exceptions.ServiceUnavailable,
        StoreUnavailable,
        "nothing answers at {where}; start it ('graphmem up') or correct the address",
    ),
    (
        exceptions.SessionExpired,
        StoreUnavailable,
        "the connection to {where} was lost and did not come back; try again",
    ),
    (exceptions.Neo4jError, StoreError, "{where} refused the statement"),
    (exceptions.DriverError, StoreError, "the driver of {where} failed"),
    (OSError, StoreUnavailable, "{where} cannot be reached"),
    (UnicodeEncodeError, InvalidInput, "a text with a lone surrogate names nothing in {where}"),
    (ValueError, ConfigurationError, "{where} is not a usable address"),
)


def translated(error: Exception, where: str) -> GraphmemError:
    """The graphmem error for one of the driver's, with what was refused, where, and what to do."""
    if isinstance(error, exceptions.Neo4jError) and error.code == NO_DATABASE:
        return ConfigurationError(f"{where} does not exist on that server; correct GRAPHMEM_NEO4J__DATABASE")
    if isinstance(error, exceptions.Neo4jError) and error.code == READ_ONLY:
        return AccessDenied(f"{where} is read-only, so nothing can be written; what only reads works there")
    if isinstance(error, exceptions.Neo4jError) and error.code == LOCKED:
        return AccessDenied(
            f"{where} locked the account for a while ({_first_line(str(error.message))}); wait, then retry"
        )
    for foreign, ours, message in TABLE:
        if isinstance(error, foreign):
            detail = getattr(error, "message", None) or str(error)
            return ours(f"{message.format(where=where)} ({_first_line(detail)})")
    raise error


def _first_line(text: str) -> str:
    return text.strip().splitlines()[0][:300] if text.strip() else "no reason given"
