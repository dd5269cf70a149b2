"""What is used of LangGraph; the only place that imports it, so that one sentence says what to install."""

from graphmem.errors import ConfigurationError

try:
    from langchain_core.runnables import Runnable, RunnableLambda
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        Item,
        ListNamespacesOp,
        Op,
        PutOp,
        Result,
        SearchItem,
        SearchOp,
        get_text_at_path,
    )
except ImportError as error:
    raise ConfigurationError("LangGraph is not installed; pip install 'graphmem[langgraph]'") from error

__all__ = [
    "BaseStore",
    "GetOp",
    "Item",
    "ListNamespacesOp",
    "Op",
    "PutOp",
    "Result",
    "Runnable",
    "RunnableLambda",
    "SearchItem",
    "SearchOp",
    "get_text_at_path",
]
