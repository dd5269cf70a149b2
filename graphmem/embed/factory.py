"""The embedder that the settings name."""

from __future__ import annotations

from pathlib import Path

from graphmem.embed import local
from graphmem.embed.openai import OpenAiEmbedder
from graphmem.embed.protocol import Embedder
from graphmem.endpoints import NONE, embedding_endpoint
from graphmem.errors import ConfigurationError
from graphmem.settings import Settings

_CHOICES = (local.NAME, NONE)


def make_embedder(settings: Settings) -> Embedder | None:
    """The embedder of these settings, not loaded yet; None when recall shall be lexical only.

    Raises ConfigurationError that lists the choices, or says what an endpoint's model lacks.
    """
    chosen = settings.embedding
    if chosen.model == NONE:
        return None
    endpoint = embedding_endpoint(chosen, settings.llm)
    if endpoint is not None:
        if chosen.dimensions is None:
            raise ConfigurationError(
                f"GRAPHMEM_EMBEDDING__DIMENSIONS is not set: how many numbers has a vector of '{endpoint.model}'?"
            )
        return OpenAiEmbedder(endpoint, chosen.dimensions, chosen.max_tokens)
    if chosen.model == local.NAME:
        return local.LocalEmbedder(lambda: _fetched(settings), chosen.threads)
    raise ConfigurationError(
        f"setting GRAPHMEM_EMBEDDING__MODEL is '{chosen.model}'; the choices are "
        f"{' and '.join(map(repr, _CHOICES))}, or 'openai:NAME' for a model of an OpenAI-compatible endpoint"
    )


def _fetched(settings: Settings) -> Path:
    # Imported here: it brings an HTTP client, which a loaded model never needs.
    from graphmem.server.fetch import fetch
    from graphmem.server.lock import Part

    return fetch(settings, Part.MODEL)[0]
