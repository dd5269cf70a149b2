"""Clients with cosines by hand, for recall."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from graphmem import Memory, Settings
from graphmem.embed import Embedder
from tests.angles import Angles
from tests.memories import Clock

Connect = Callable[..., Memory]


Cypher = Callable[..., list[dict[str, Any]]]


def ruled(settings: Settings, **rules: Any) -> Settings:
    return settings.model_copy(update={"recall": settings.recall.model_copy(update=rules)})


@pytest.fixture
def angles(embedder: Embedder) -> Angles:
    return Angles(embedder.name)


@pytest.fixture
def make(connect: Connect, settings: Settings, angles: Angles) -> Connect:
    """Clients with cosines by hand, at a fixed time; keyword arguments are rules of recall."""

    def made(clock: Callable[[], datetime] = Clock(), user: str | None = None, **rules: Any) -> Memory:  # noqa: B008
        return connect(embedder=angles, clock=clock, user=user, settings=ruled(settings, **rules))

    return made
