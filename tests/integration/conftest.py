"""Clients whose embedder needs no model, and a look at the graph itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from graphmem import Memory
from tests.embedders import HashEmbedder


@pytest.fixture
def make(connect: Callable[..., Memory]) -> Callable[..., Memory]:
    """Clients whose embedder needs no model."""
    return lambda **given: connect(**{"embedder": HashEmbedder(name="bge-small-en-v1.5"), **given})


@pytest.fixture
def nodes(cypher: Callable[..., list[dict[str, Any]]], tenant: str) -> Callable[[], list[dict[str, Any]]]:
    """Every node of this test's tenant, as it is in the database."""
    return lambda: [
        {**row["node"], "labels": sorted(row["labels"])}
        for row in cypher(
            "MATCH (n {tenant: $t}) RETURN properties(n) AS node, labels(n) AS labels ORDER BY n.id, n.scope", t=tenant
        )
    ]


@pytest.fixture
def edges(cypher: Callable[..., list[dict[str, Any]]], tenant: str) -> Callable[[], list[tuple[str, str, str]]]:
    return lambda: [
        (row["a"], row["type"], row["b"])
        for row in cypher(
            "MATCH (a {tenant: $t})-[r]->(b) RETURN a.id AS a, type(r) AS type, b.id AS b ORDER BY a, type, b", t=tenant
        )
    ]
