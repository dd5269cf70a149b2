from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.endpoint import Endpoint


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    """An endpoint of this test's own."""
    with Endpoint() as made:
        yield made
