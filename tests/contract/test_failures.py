"""One table says what graphmem raises for anything that the driver raises."""

from __future__ import annotations

import pytest
from neo4j import exceptions

from graphmem.errors import (
    AccessDenied,
    ConfigurationError,
    GraphmemError,
    InvalidInput,
    StoreError,
    StoreUnavailable,
)
from graphmem.store.failures import NO_DATABASE, TABLE, translated

RAISED = sorted(
    (
        kind
        for kind in map(vars(exceptions).get, exceptions.__all__)
        if isinstance(kind, type) and issubclass(kind, Exception) and kind is not exceptions.GqlError
    ),
    key=lambda kind: kind.__name__,
)
AWAY = {
    "DatabaseUnavailable",
    "ForbiddenOnReadOnlyDatabase",
    "IncompleteCommit",
    "NotALeader",
    "ReadServiceUnavailable",
    "RoutingServiceUnavailable",
    "ServiceUnavailable",
    "SessionExpired",
    "TransientError",
    "WriteServiceUnavailable",
}
DENIED = {"AuthError", "Forbidden", "TokenExpired"}
MISTAKEN = {
    "AuthConfigurationError",
    "CertificateConfigurationError",
    "ConfigurationError",
    "UnsupportedServerProduct",
}


def expected(kind: type[Exception]) -> type[GraphmemError]:
    if kind.__name__ in AWAY:
        return StoreUnavailable
    if kind.__name__ in DENIED:
        return AccessDenied
    return ConfigurationError if kind.__name__ in MISTAKEN else StoreError


@pytest.mark.parametrize("kind", RAISED, ids=lambda kind: kind.__name__)
def test_every_error_of_the_driver_has_one_of_ours(kind: type[Exception]) -> None:
    ours = translated(kind("first line\nsecond line"), "database 'memdb' at bolt://x")
    assert type(ours) is expected(kind)
    assert "bolt://x" in str(ours)
    assert "\n" not in str(ours)


def test_no_row_of_the_table_is_out_of_reach() -> None:
    for position, (kind, _, _) in enumerate(TABLE):
        assert not [earlier for earlier, _, _ in TABLE[:position] if issubclass(kind, earlier)], kind


@pytest.mark.parametrize(
    ("error", "ours"),
    [
        (ConnectionRefusedError("refused"), StoreUnavailable),
        (TimeoutError(), StoreUnavailable),
        (ValueError("no such scheme"), ConfigurationError),
        (UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogate"), InvalidInput),
    ],
)
def test_what_python_raises_beneath_the_driver(error: Exception, ours: type[GraphmemError]) -> None:
    assert type(translated(error, "bolt://x")) is ours


def test_a_database_that_is_not_there_is_a_setting_to_correct() -> None:
    error = exceptions.Neo4jError._hydrate_neo4j(code=NO_DATABASE, message="Database nope not found")
    told = translated(error, "database 'nope' at bolt://x")
    assert type(told) is ConfigurationError
    assert "GRAPHMEM_NEO4J__DATABASE" in str(told)


def test_what_nobody_foresaw_is_not_dressed_up() -> None:
    with pytest.raises(ZeroDivisionError):
        translated(ZeroDivisionError(), "bolt://x")
