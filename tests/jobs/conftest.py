"""Clients with cosines by hand, the job of this test's tenant, and a look at what it leaves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from graphmem import Memory, Settings
from graphmem.embed import Embedder
from graphmem.jobs import CentralityJob, centrality
from graphmem.scope import Scope
from tests.angles import Angles
from tests.memories import Clock

Connect = Callable[..., Memory]
Cypher = Callable[..., list[dict[str, Any]]]
Job = Callable[..., CentralityJob]


@pytest.fixture
def make(connect: Connect, embedder: Embedder) -> Connect:
    """Clients with cosines by hand, at a fixed time."""
    return lambda **given: connect(**{"embedder": Angles(embedder.name), "clock": Clock(), **given})


@pytest.fixture
def job(settings: Settings, tenant: str) -> Job:
    """Run the job of this test's tenant, or of one of its users."""
    return lambda user="", **given: centrality(settings, Scope(tenant, user), **{"clock": Clock(), **given})


@pytest.fixture
def values(cypher: Cypher, tenant: str) -> Callable[..., dict[str, tuple[float, float, float] | None]]:
    """(degree, betweenness, centrality) of this tenant's memories, None where there is none."""

    def read(user: str = "") -> dict[str, tuple[float, float, float] | None]:
        rows = cypher(
            "MATCH (m:Memory {tenant: $t, user: $u}) RETURN m.id AS id, m.degree AS d, m.betweenness AS b, "
            "m.centrality AS c, m.centrality_at AS at",
            t=tenant,
            u=user,
        )
        assert all((row["c"] is None) == (row["at"] is None) for row in rows)
        return {row["id"]: None if row["c"] is None else (row["d"], row["b"], row["c"]) for row in rows}

    return read


@pytest.fixture
def projections(cypher: Cypher) -> Callable[[], list[str]]:
    """The names of all projections on the server."""
    return lambda: sorted(
        row["name"] for row in cypher("CALL gds.graph.list() YIELD graphName RETURN graphName AS name")
    )


@pytest.fixture
def jobs(cypher: Cypher, tenant: str) -> Callable[[], list[dict[str, Any]]]:
    """The Job nodes of this tenant, oldest first."""
    return lambda: [
        row["j"]
        for row in cypher("MATCH (j:Job {tenant: $t}) RETURN j {.*} AS j ORDER BY j.started_at, j.id", t=tenant)
    ]
