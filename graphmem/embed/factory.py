"""The embedder that the settings name."""

from __future__ import annotations

from pathlib import Path

from graphmem.embed import local
from graphmem.embed.protocol import Embedder
from graphmem.errors import ConfigurationError
from graphmem.settings import Settings

_CHOICES = (local.NAME, "none")


def make_embedder(settings: Settings) -> Embedder | None:
    """The embedder of these settings, not loaded yet; None when recall shall be lexical only.

    Raises ConfigurationError that lists the choices.
    """
    model = settings.embedding.model
    if model == "none":
        return None
    if model == local.NAME:
        return local.LocalEmbedder(lambda: _fetched(settings), settings.embedding.threads)
    raise ConfigurationError(
        f"setting GRAPHMEM_EMBEDDING__MODEL is '{model}'; the choices are {' and '.join(map(repr, _CHOICES))}"
    )


def _fetched(settings: Settings) -> Path:
    # Imported here: it brings an HTTP client, which a loaded model never needs.
    from graphmem.server.fetch import fetch
    from graphmem.server.lock import Part

    return fetch(settings, Part.MODEL)[0]
