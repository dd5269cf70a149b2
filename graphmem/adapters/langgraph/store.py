"""LangGraph's store on graphmem: values under a namespace and a key, found only when their outcome is known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from graphmem.adapters.langgraph.bridge import Bridge
from graphmem.adapters.langgraph.framework import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
)
from graphmem.adapters.langgraph.values import wanted, words
from graphmem.errors import InvalidInput
from graphmem.keyed import Answered, Delete, Find, Get, Kept, Match, Namespaces, Operation, Put
from graphmem.memory import AsyncMemory, Memory
from graphmem.telemetry import logger

_LOG = logger("langgraph")


class GraphmemStore(BaseStore):
    """A store whose namespaces begin with the scope of a memory: the tenant, then the user if it is a user's.

    A value that names its outcome (``"outcome": "success"``, mixed or fail) is in use at once. Any other is kept, got
    and listed, but no search finds it before ``memory.review(store.memory_id(namespace, key), approve=True, by=…,
    outcome=…)``. `fields` are the paths of a value by which it is found, where a put does not say; None: all of it.
    The memory stays the caller's to close. Nothing expires (`supports_ttl` is False).
    """

    __slots__ = ("_bridge", "_fields")
    supports_ttl = False

    def __init__(self, memory: Memory | AsyncMemory, *, fields: Sequence[str] | None = None) -> None:
        """Make a store of a sync or async memory. Raises InvalidInput when it is neither, or fields are no paths."""
        self._bridge = Bridge(memory)
        if isinstance(fields, str) or not all(isinstance(path, str) for path in fields or ()):
            raise InvalidInput("fields is a list of paths, such as ['text', 'notes[*].body']")
        self._fields = None if fields is None else tuple(fields)

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Answer operations in their order: what reads from what was there before, then what writes.

        Raises ScopeError for a namespace outside the memory's scope, InvalidInput for a value that is no JSON object,
        both before anything is written; StoreUnavailable while the store is away.
        """
        asked = list(ops)
        return _results(asked, self._bridge.call("keyed", self._operations(asked)))

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """As `batch`, awaited."""
        asked = list(ops)
        return _results(asked, await self._bridge.wait("keyed", self._operations(asked)))

    def memory_id(self, namespace: tuple[str, ...], key: str) -> str | None:
        """The id of the memory that holds a value now, for `review`, `history` and other verbs; None without one."""
        (answer,) = self._bridge.call("keyed", [Get(namespace=namespace, key=key)])
        return answer.items[0].id if answer.items else None

    async def amemory_id(self, namespace: tuple[str, ...], key: str) -> str | None:
        """As `memory_id`, awaited."""
        (answer,) = await self._bridge.wait("keyed", [Get(namespace=namespace, key=key)])
        return answer.items[0].id if answer.items else None

    def _operations(self, ops: Sequence[Op]) -> list[Operation]:
        return [self._operation(op) for op in ops]

    def _operation(self, op: Op) -> Operation:
        if isinstance(op, GetOp):
            return Get(namespace=op.namespace, key=op.key)
        if isinstance(op, PutOp) and op.value is None:
            return Delete(namespace=op.namespace, key=op.key)
        if isinstance(op, PutOp):
            return self._put(op, op.value)
        if isinstance(op, SearchOp):
            return Find(
                namespace=op.namespace_prefix,
                query=op.query or "",
                where=wanted(op.filter),
                limit=op.limit,
                offset=op.offset,
            )
        if isinstance(op, ListNamespacesOp):
            matches = [Match(at=one.match_type, path=one.path) for one in op.match_conditions or ()]
            return Namespaces(matches=matches, max_depth=op.max_depth, limit=op.limit, offset=op.offset)
        raise InvalidInput(f"{type(op).__name__} is no operation of a store")

    def _put(self, op: PutOp, value: Any) -> Put:
        if op.ttl is not None:
            raise InvalidInput("this store keeps values until they are deleted; put them without ttl")
        try:
            task, summary, indexed = words(value, op.index, self._fields)
        except (TypeError, ValueError, AttributeError, RecursionError):
            raise InvalidInput(f"the value of key {op.key!r:.60} is no JSON object; nothing was written") from None
        return Put(namespace=op.namespace, key=op.key, value=dict(value), task=task, summary=summary, indexed=indexed)


def _results(ops: Sequence[Op], answers: Sequence[Answered]) -> list[Result]:
    return [_result(*pair) for pair in zip(ops, answers, strict=True)]


def _result(op: Op, answer: Answered) -> Result:
    if answer.problem:
        _LOG.warning("a value was put without a vector: 'graphmem reembed' gives it one")
    if isinstance(op, GetOp):
        return _item(answer.items[0]) if answer.items else None
    if isinstance(op, SearchOp):
        return [_search_item(one) for one in answer.items]
    if isinstance(op, ListNamespacesOp):
        return list(answer.namespaces)
    return None


def _item(one: Kept) -> Item:
    return Item(
        namespace=one.namespace, key=one.key, value=one.value, created_at=one.created_at, updated_at=one.updated_at
    )


def _search_item(one: Kept) -> SearchItem:
    return SearchItem(
        namespace=one.namespace,
        key=one.key,
        value=one.value,
        created_at=one.created_at,
        updated_at=one.updated_at,
        score=one.score,
    )
