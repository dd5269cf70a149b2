"""One story for all the tests that only look at it."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from graphmem import Memory, Settings
from graphmem.report import Report
from graphmem.scope import Scope
from tests.measure.planting import Planter
from tests.report.story import Story, tell


@pytest.fixture(scope="session")
def story(settings: Settings) -> Iterator[Story]:
    """The story, in a tenant of its own."""
    made: list[Memory] = []

    def connect(**given: Any) -> Memory:
        made.append(Memory(f"t-{uuid.uuid4().hex[:12]}", settings=settings, **given))
        return made[-1]

    yield tell(connect)
    for client in made:
        client.close()


@pytest.fixture(scope="session")
def told(story: Story) -> Report:
    """The report of the story."""
    return story.memory.report()


@pytest.fixture
def planter(cypher: Callable[..., list[dict[str, Any]]], tenant: str) -> Planter:
    """Plants receipts in what this test's tenant shares."""
    return Planter(cypher, Scope(tenant))
