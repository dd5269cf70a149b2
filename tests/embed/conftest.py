from __future__ import annotations

import pytest

from graphmem.embed.factory import make_embedder
from graphmem.embed.local import LocalEmbedder
from graphmem.settings import load_settings


@pytest.fixture(scope="session")
def local() -> LocalEmbedder:
    """The offline model itself, from the user's cache or downloaded once by the lock."""
    embedder = make_embedder(load_settings())
    assert isinstance(embedder, LocalEmbedder)
    return embedder
