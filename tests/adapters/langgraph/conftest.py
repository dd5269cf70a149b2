"""Stores and names for the tests of LangGraph; nothing of it speaks to the network."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from langchain_core.embeddings import Embeddings
from langgraph.store.base import BaseStore
from langgraph.store.memory import InMemoryStore

from graphmem import AsyncMemory, Memory, Settings
from graphmem.adapters.langgraph import GraphmemStore
from graphmem.embed import Embedder, embed_texts


@pytest.fixture(autouse=True)
def untraced(monkeypatch: pytest.MonkeyPatch) -> None:
    """No tracing, whatever the environment says."""
    for name in ("LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2", "LANGCHAIN_TRACING", "LANGSMITH_TRACING_V2"):
        monkeypatch.setenv(name, "false")


class Same(Embeddings):
    """The embedder of graphmem, as LangChain has it."""

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [list(one.vector or ()) for one in embed_texts(self.embedder, texts, "document")]

    def embed_query(self, text: str) -> list[float]:
        return list(embed_texts(self.embedder, [text], "query")[0].vector or ())


class Awaited:
    """A store called by its async methods alone, each in an event loop of its own."""

    def __init__(self, store: BaseStore) -> None:
        self.store = store

    def __getattr__(self, name: str) -> Any:
        verb = getattr(self.store, f"a{name}")

        async def inside(*given: Any, **named: Any) -> Any:
            return await verb(*given, **named)

        return lambda *given, **named: asyncio.run(inside(*given, **named))


@pytest.fixture
def root(tenant: str) -> tuple[str, ...]:
    """How the namespaces of this test begin."""
    return (tenant, "u7")


@pytest.fixture(params=["langgraph's", "sync", "async", "sync memory awaited", "async memory called"])
def store(request: pytest.FixtureRequest, settings: Settings, embedder: Embedder, tenant: str) -> Iterator[Any]:
    """LangGraph's own store, and ours over both kinds of memory, called and awaited; they must not differ."""
    if request.param == "langgraph's":
        yield InMemoryStore(index={"dims": embedder.dimensions, "embed": Same(embedder), "fields": ["text"]})
        return
    if request.param in ("sync", "sync memory awaited"):
        with Memory(tenant, "u7", settings=settings, embedder=embedder) as memory:
            ours = GraphmemStore(memory, fields=["text"])
            yield ours if request.param == "sync" else Awaited(ours)
        return
    client = AsyncMemory(tenant, "u7", settings=settings, embedder=embedder)
    ours = GraphmemStore(client, fields=["text"])
    yield Awaited(ours) if request.param == "async" else ours
    asyncio.run(client.close())
