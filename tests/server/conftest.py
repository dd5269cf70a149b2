"""A repository of its own for every test, and settings that point to it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest

from graphmem.server.lock import Lock, Part
from graphmem.settings import Settings, load_settings
from tests.server.repository import Repository, handler


@pytest.fixture
def serve() -> Iterator[Callable[[Repository], ThreadingHTTPServer]]:
    """Starts servers that end with the test."""
    running: list[tuple[ThreadingHTTPServer, threading.Thread]] = []

    def start(repository: Repository) -> ThreadingHTTPServer:
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler(repository))
        repository.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        running.append((server, thread))
        return server

    yield start
    for server, thread in running:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def repository(serve: Callable[[Repository], ThreadingHTTPServer]) -> Repository:
    """A repository with nothing in it."""
    repository = Repository()
    serve(repository)
    return repository


@pytest.fixture
def mine(repository: Repository, tmp_path: Path) -> Settings:
    """Everything below a temporary folder, downloads from the test's repository."""
    return load_settings(home=tmp_path / "home", cache=tmp_path / "cache", server={"repository": repository.url})


@pytest.fixture
def lock(repository: Repository) -> Lock:
    """Three artifacts of three parts, published."""
    return Lock(
        (
            repository.publish(Part.SERVER, "org.example:kernel:1.0", bytes(range(256)) * 2000),
            repository.publish(Part.PLUGINS, "org.example.gds:proc:2.0:linux-x86_64", b"plugin" * 1000),
            repository.publish(Part.MODEL, "org.example:model:3.0-beta1", b"weights" * 9000),
        )
    )
