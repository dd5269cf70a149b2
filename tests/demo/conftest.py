from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from graphmem.demo.scienceworld import Simulator
from graphmem.server.java import find_java
from graphmem.settings import load_settings
from tests.outbox.conftest import here, relay

__all__ = ["here", "java", "relay", "simulator"]


@pytest.fixture(scope="session")
def java() -> Path:
    return find_java(load_settings()).executable


@pytest.fixture(scope="session")
def simulator(java: Path) -> Iterator[Simulator]:
    with Simulator(java) as started:
        yield started
