"""What `doctor` says of a database: empty, whole, half-made, not there, or closed to this account."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from graphmem import Memory, Settings
from graphmem.server.checks import Check
from graphmem.server.doctor import doctor
from graphmem.settings import Connection, load_settings
from graphmem.store.schema import migrations

ALL = len(migrations())


def found(settings: Settings, at: Connection, name: str, **other: Any) -> Check:
    given = {"uri": at.uri, "user": at.user, "password": at.password, "timeout": 3, **other}
    (check,) = [one for one in doctor(load_settings(cache=settings.cache, neo4j=given)) if one.name == name]
    return check


def test_an_empty_database_is_well_and_a_half_made_one_is_not(
    settings: Settings, at: Connection, bare: None, cypher: Callable[..., Any], connect: Callable[..., Memory]
) -> None:
    cypher("CREATE INDEX somebody_elses FOR (n:Thing) ON n.name")
    assert found(settings, at, "schema") == Check("schema", "none yet; the first call makes it")
    connect().init()
    whole = found(settings, at, "schema")
    assert (whole.ok, whole.found) == (True, f"all {ALL} steps applied, all indexes online")
    for lost, applied in (("m.number = 2", ALL - 1), ("true", 0)):
        cypher(f"MATCH (m:Migration) WHERE {lost} DELETE m")
        half = found(settings, at, "schema")
        assert (half.found, half.remedy) == (f"{applied} of {ALL} steps applied", "run 'graphmem init'")


@pytest.mark.parametrize(
    ("other", "said", "remedy"),
    [
        ({"uri": "bolt://127.0.0.1:9"}, "no answer from bolt://127.0.0.1:9", "nothing answers at"),
        ({"database": "nope"}, "database 'nope' at {uri} cannot be used", "GRAPHMEM_NEO4J__DATABASE"),
        ({"password": "wrong"}, "{uri} refuses this account", "GRAPHMEM_NEO4J__USER"),
    ],
)
def test_what_failed_is_said(settings: Settings, at: Connection, other: dict[str, str], said: str, remedy: str) -> None:
    check = found(settings, at, "database", **other)
    assert check.found == said.format(uri=at.uri)
    assert remedy in check.remedy
