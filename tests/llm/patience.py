"""Models at a test's endpoint, with a clock that no one waits for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from pydantic import SecretStr

from graphmem import endpoints
from graphmem.embed.openai import OpenAiEmbedder
from graphmem.llm import Prompt
from graphmem.llm.client import Client
from graphmem.llm.openai import OpenAiLlm

KEY = "sk-secret-0123456789abcdef"
NOW = datetime(2025, 6, 1, 12, tzinfo=UTC)
PROMPT = Prompt(
    system="ours",
    data="theirs",
    schema_name="lessons",
    schema={"type": "object", "properties": {"a": {"type": "array", "maxItems": 2}}, "maxItems": 3},
)


class Patience:
    """Makes clients whose waits are written down instead of waited for; the clock moves by them."""

    def __init__(self, jitter: float = 0.0) -> None:
        self.waits: list[float] = []
        self.jitter = jitter

    def now(self) -> datetime:
        return NOW + timedelta(seconds=sum(self.waits))

    def client(self, at: endpoints.Endpoint) -> Client:
        return Client(at, self.waits.append, self.now, lambda: self.jitter)

    def llm(self, address: str, **changes: Any) -> OpenAiLlm:
        return OpenAiLlm(at(address, **changes), self.client)

    def embedder(self, address: str, dimensions: int = 384, **changes: Any) -> OpenAiEmbedder:
        return OpenAiEmbedder(at(address, **changes), dimensions, connect=self.client)


def at(address: str, **changes: Any) -> endpoints.Endpoint:
    """Where a model is asked, with the key and as patiently as the settings say if nothing is said of it."""
    usual = {"model": "m", "api_key": SecretStr(KEY), "timeout": 5.0, "attempts": 4, "retry_cap": 60.0}
    return endpoints.Endpoint(base_url=f"{address}/v1", **{**usual, **changes})
