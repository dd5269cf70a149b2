"""A memory to judge, and receipts about it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from graphmem.scope import Scope
from graphmem.settings import Connection, Settings
from tests.cli.shell import Inside, environment
from tests.measure.planting import Planter
from tests.memories import won


@pytest.fixture
def planter(cypher: Callable[..., list[dict[str, Any]]], tenant: str) -> Planter:
    """Plants receipts in what this test's tenant shares."""
    return Planter(cypher, Scope(tenant))


@pytest.fixture
def boiler(client: Any) -> str:
    """The id of a memory that is there, by either client."""
    client.record(won("boiler", "Descale the boiler", domain="plant"))
    return "boiler"


@pytest.fixture
def versions(cypher: Callable[..., list[dict[str, Any]]], tenant: str) -> Callable[[], list[tuple[str, int, bool]]]:
    """Domain, number and activity of every version of this tenant's parameters, as they are in the database."""
    return lambda: [
        (row["domain"], row["version"], row["active"])
        for row in cypher(
            "MATCH (p:Parameters {tenant: $t}) WHERE p.version > 0 "
            "RETURN p.domain AS domain, p.version AS version, p.active AS active ORDER BY p.scope, domain, version",
            t=tenant,
        )
    ]


@pytest.fixture
def graphmem_at(settings: Settings, at: Connection, tenant: str) -> Callable[[str], Inside]:
    """The command line that looks for its database at an address."""
    known = environment(settings, at, tenant)
    return lambda uri: Inside({**known, "GRAPHMEM_NEO4J__URI": uri, "GRAPHMEM_NEO4J__TIMEOUT": "2"})
