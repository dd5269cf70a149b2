"""The language model that the settings name."""

from __future__ import annotations

from graphmem.endpoints import chat_endpoint
from graphmem.llm.openai import OpenAiLlm
from graphmem.llm.protocol import Llm
from graphmem.settings import Settings


def make_llm(settings: Settings) -> Llm | None:
    """The language model of these settings, nothing asked of it yet; None when they name none.

    Raises ConfigurationError when OpenAI's own address is left without a key.
    """
    endpoint = chat_endpoint(settings.llm)
    return None if endpoint is None else OpenAiLlm(endpoint)
