"""A scan of all that the graph keeps of a tenant, and clients whose embedder needs no model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from graphmem import Memory
from tests.angles import Angles
from tests.memories import Clock

Cypher = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def make(connect: Callable[..., Memory], clock: Clock) -> Callable[..., Memory]:
    """Clients with cosines by hand, on a clock that the test moves."""
    return lambda **given: connect(**{"embedder": Angles("bge-small-en-v1.5"), "clock": clock, **given})


@pytest.fixture
def texts(cypher: Cypher, tenant: str) -> Callable[[], str]:
    """Every text of every property of the tenant's nodes and of their links, in small letters."""

    def read() -> str:
        rows = cypher(
            "MATCH (n {tenant: $t}) UNWIND keys(n) AS key RETURN n[key] AS value "
            "UNION ALL MATCH (n {tenant: $t})-[e]-() UNWIND keys(e) AS key RETURN e[key] AS value",
            t=tenant,
        )
        return "\n".join(repr(row["value"]) for row in rows).casefold()

    return read


def spoken(texts: str, words: tuple[str, ...]) -> list[str]:
    """Those of the words that stand somewhere in the texts, alone or within others."""
    return [word for word in words if word.casefold() in texts]
