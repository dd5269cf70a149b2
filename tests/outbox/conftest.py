"""Clients whose way to the server can be cut, each test with an outbox of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from graphmem import AsyncMemory, Memory, Settings
from graphmem.embed import Embedder
from graphmem.settings import Connection
from tests.angles import Angles
from tests.conftest import Driven
from tests.outbox.relay import Relay


@pytest.fixture
def relay(at: Connection) -> Iterator[Relay]:
    host, _, port = at.uri.partition("//")[2].partition(":")
    made = Relay((host, int(port)))
    yield made
    made.cut()


@pytest.fixture
def here(settings: Settings, at: Connection, relay: Relay, tmp_path: Path) -> Settings:
    """Settings that lead through the relay, with an outbox of this test's own."""
    through = {
        "uri": f"bolt://127.0.0.1:{relay.port}",
        "user": at.user,
        "password": at.password,
        "timeout": 1.0,
    }
    return settings.model_copy(
        update={
            "home": tmp_path,
            "neo4j": settings.neo4j.model_copy(update=through),
        }
    )


@pytest.fixture
def angles(embedder: Embedder) -> Angles:
    return Angles(embedder.name)


@pytest.fixture
def make(here: Settings, tenant: str, angles: Angles) -> Iterator[Callable[..., Memory]]:
    """Clients of this test's tenant that go through the relay; any argument of Memory may be given."""
    made: list[Memory] = []

    def one(**given: Any) -> Memory:
        made.append(Memory(**{"tenant": tenant, "settings": here, "embedder": angles, **given}))
        return made[-1]

    yield one
    for client in made:
        client.close()


@pytest.fixture(params=["sync", "async"])
def client(request: pytest.FixtureRequest, here: Settings, tenant: str, angles: Angles) -> Iterator[Any]:
    """The same client by both drivers, one after the other."""
    kind = Memory if request.param == "sync" else AsyncMemory
    made = kind(tenant, settings=here, embedder=angles)
    driven = made if isinstance(made, Memory) else Driven(made)
    yield driven
    driven.close()
