"""Clients with cosines by hand, whose clock the test moves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from graphmem import Memory
from graphmem.embed import Embedder
from tests.angles import Angles
from tests.memories import Clock

Connect = Callable[..., Memory]


Cypher = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def make(connect: Connect, embedder: Embedder, clock: Clock) -> Connect:
    """Clients with cosines by hand, whose clock the test moves."""

    def made(user: str | None = None, tenant: str | None = None) -> Memory:
        other = {} if tenant is None else {"tenant": tenant}
        return connect(embedder=Angles(embedder.name), clock=clock, user=user, **other)

    return made


@pytest.fixture
def memory(make: Connect) -> Memory:
    return make()
