"""One real server for the whole run, a tenant of its own for every test."""

from __future__ import annotations

import asyncio
import inspect
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import neo4j
import pytest

from graphmem import AsyncMemory, Memory, Settings
from graphmem.embed import Embedder, make_embedder
from graphmem.server.halt import down
from graphmem.server.start import up
from graphmem.settings import Connection, connection, load_settings


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--server-home", type=Path, help="use (and leave running) the private server of this folder")


@pytest.fixture(scope="session")
def settings(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """Settings that lead to the server of this run: small, on free ports, in a temporary home."""
    kept = request.config.getoption("--server-home")
    home = kept or tmp_path_factory.mktemp("server")
    chosen = load_settings(
        home=home,
        instance="tests",
        server={"heap": "1g", "page_cache": "256m", "bolt_port": 27687, "http_port": 27474},
    )
    up(chosen)
    yield chosen
    if kept is None:
        down(chosen)


@pytest.fixture(scope="session")
def at(settings: Settings) -> Connection:
    """Where the server of this run is."""
    return connection(settings)


@pytest.fixture(scope="session")
def embedder(settings: Settings) -> Embedder:
    """The real embedding model, loaded once."""
    model = make_embedder(settings)
    assert model is not None
    return model


@pytest.fixture
def tenant() -> str:
    return f"t-{uuid.uuid4().hex[:12]}"


@pytest.fixture
def connect(settings: Settings, embedder: Embedder, tenant: str) -> Iterator[Callable[..., Memory]]:
    """Make clients of this test's tenant, closed when it ends; any argument of Memory may be given."""
    made: list[Memory] = []

    def make(**given: Any) -> Memory:
        made.append(Memory(**{"tenant": tenant, "settings": settings, "embedder": embedder, **given}))
        return made[-1]

    yield make
    for client in made:
        client.close()


@pytest.fixture
def memory(connect: Callable[..., Memory]) -> Memory:
    """A client of this test's tenant."""
    return connect()


class Driven:
    """An AsyncMemory that is called like a Memory: every verb in an event loop of its own."""

    def __init__(self, client: AsyncMemory) -> None:
        self.client = client

    def __getattr__(self, name: str) -> Any:
        verb = getattr(self.client, name)
        if not inspect.iscoroutinefunction(verb):
            return verb
        return lambda *args, **kwargs: asyncio.run(verb(*args, **kwargs))


@pytest.fixture(params=["sync", "async"])
def client(request: pytest.FixtureRequest, settings: Settings, embedder: Embedder, tenant: str) -> Iterator[Any]:
    """The same client run by both drivers, one after the other."""
    kind = Memory if request.param == "sync" else AsyncMemory
    made = kind(tenant, settings=settings, embedder=embedder)
    driven = made if isinstance(made, Memory) else Driven(made)
    yield driven
    driven.close()


@pytest.fixture
def cypher(at: Connection) -> Iterator[Callable[..., list[dict[str, Any]]]]:
    """Raw Cypher against the server, to look at the graph or to plant what graphmem would not write."""
    auth = (at.user, at.password.get_secret_value()) if at.password else None
    with neo4j.GraphDatabase.driver(at.uri, auth=auth, notifications_min_severity="OFF") as driver:

        def run(text: str, **parameters: Any) -> list[dict[str, Any]]:
            if "IN TRANSACTIONS" in text:
                with driver.session() as session:
                    return session.run(text, parameters).data()
            return [record.data() for record in driver.execute_query(text, parameters).records]

        yield run


@pytest.fixture
def bare(cypher: Callable[..., list[dict[str, Any]]], connect: Callable[..., Memory]) -> Iterator[None]:
    """A database without any node, index or constraint; afterwards one that is ready again."""
    _wipe(cypher)
    yield
    _wipe(cypher)
    connect().init()


def _wipe(cypher: Callable[..., list[dict[str, Any]]]) -> None:
    # All at once would hold every node and vector of the run in the heap.
    cypher("MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 500 ROWS")
    for row in cypher("SHOW CONSTRAINTS YIELD name"):
        cypher(f"DROP CONSTRAINT `{row['name']}` IF EXISTS")
    for row in cypher("SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP' RETURN name"):
        cypher(f"DROP INDEX `{row['name']}` IF EXISTS")
