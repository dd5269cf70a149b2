from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from graphmem import Settings
from graphmem.settings import Connection
from tests.cli.shell import environment
from tests.outbox.relay import Relay


@pytest.fixture
def env(settings: Settings, at: Connection, tenant: str, tmp_path: Path) -> dict[str, str]:
    """The environment of a server of this test's tenant, with an outbox of its own."""
    return environment(settings, at, tenant) | {"GRAPHMEM_OUTBOX__PATH": str(tmp_path / "outbox.sqlite")}


@pytest.fixture
def relay(at: Connection) -> Iterator[Relay]:
    """A way to the store that can be cut."""
    parts = urlsplit(at.uri)
    assert parts.hostname is not None
    assert parts.port is not None
    made = Relay((parts.hostname, parts.port))
    yield made
    made.cut()


@pytest.fixture
def relayed(env: dict[str, str], relay: Relay) -> dict[str, str]:
    """The environment of a server that reaches the store over the relay, and is not patient."""
    return env | {"GRAPHMEM_NEO4J__URI": f"bolt://127.0.0.1:{relay.port}", "GRAPHMEM_NEO4J__TIMEOUT": "1"}
