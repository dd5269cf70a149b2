"""Clients of both kinds whose cosines are written by hand, on a clock that the test moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from graphmem import Memory, Settings
from tests.angles import Angles
from tests.memories import Clock

Cypher = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def make(settings: Settings, tenant: str, client: Any, clock: Clock) -> Iterator[Callable[..., Any]]:
    """Clients of this test's tenant, run by both drivers in turn; retention settings may be given."""

    def made(user: str | None = None, suffix: str = "", **retention: Any) -> Any:
        inner = client if isinstance(client, Memory) else client.client
        chosen = settings.model_copy(update={"retention": settings.retention.model_copy(update=retention)})
        given = {"settings": chosen, "embedder": Angles("bge-small-en-v1.5"), "clock": clock}
        fresh = type(inner)(tenant + suffix, user, **given)
        opened.append(fresh if isinstance(client, Memory) else type(client)(fresh))
        return opened[-1]

    opened: list[Any] = []
    yield made
    for one in opened:
        one.close()


@pytest.fixture
def node(cypher: Cypher, tenant: str) -> Callable[[str], dict[str, Any]]:
    """The properties of one memory of this test's tenant, as they are in the database."""

    def properties(id_: str) -> dict[str, Any]:
        (row,) = cypher("MATCH (m:Memory {tenant: $t, id: $id}) RETURN properties(m) AS node", t=tenant, id=id_)
        return dict(row["node"])

    return properties


@pytest.fixture
def damage(cypher: Cypher, tenant: str) -> Callable[..., None]:
    """Raw Cypher about the memory `m` of this test's tenant."""

    def done(id_: str, text: str, **given: Any) -> None:
        cypher(f"MATCH (m:Memory {{tenant: $t, id: $id}}) {text}", t=tenant, id=id_, **given)

    return done
