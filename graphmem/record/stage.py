"""The verb `record`: embed, write in transactions of bounded size, and tell what became of each memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from graphmem.embed import Embedded
from graphmem.errors import EmbeddingError
from graphmem.models import AnyItem, Episode, Kind, Reflection, Skill, Status, Value
from graphmem.record.embed import extent
from graphmem.record.properties import NEVER, attempt_key, initial_status, task_key, to_properties
from graphmem.scope import Scope, recall_key
from graphmem.steps import Call, Embed, Stage, Write
from graphmem.store.catalogue import statement

UNEMBEDDED = "stored without a vector (run 'graphmem reembed' later)"


class Result(StrEnum):
    """What became of one memory that was to be recorded."""

    CREATED = "created"
    UNCHANGED = "unchanged"
    CONFLICT = "conflict"
    NO_SOURCE = "no source"
    INVALID = "invalid"
    QUEUED = "queued"


class Recorded(Value):
    """The answer for one memory: `result` says what happened, `problem` why it is not (or not fully) stored.

    One that is queued waits in the outbox of this computer until the store is back, and is not stored yet.
    """

    id: str | None
    result: Result
    status: Status | None = None
    problem: str = ""

    @property
    def stored(self) -> bool:
        """Whether the memory is in the graph, now or from before."""
        return self.result in (Result.CREATED, Result.UNCHANGED)


@dataclass(frozen=True, slots=True)
class Accepted:
    """A memory as it is to be kept, and what was taken out of it before, as ``kind:count``.

    `at` is when it was said, if that was before the order's now.
    """

    item: AnyItem
    redacted: tuple[str, ...] = ()
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Order:
    """Where and when memories are recorded: the client's scope, whether shared, by which model's vectors."""

    scope: Scope
    share: bool
    now: datetime
    embedding_model: str
    new_id: Callable[[], str]


def record(accepted: Sequence[Accepted], order: Order) -> Stage[tuple[Recorded, ...]]:
    """Record at most one batch in one transaction; the answers come in the order of the items."""
    items = [one.item for one in accepted]
    kept = [item if item.id is not None else item.model_copy(update={"id": order.new_id()}) for item in items]
    texts = [item.searchable() for item in kept]
    away = ""
    try:
        vectors: list[Embedded | None] = yield Embed(texts, "document")
    except EmbeddingError as error:
        vectors, away = [None] * len(kept), f"{UNEMBEDDED}: {error}"
    rows = [
        node(item, vector, position, replace(order, now=one.at or order.now), one.redacted)
        for position, (item, vector, one) in enumerate(zip(kept, vectors, accepted, strict=True))
    ]
    calls = _calls(kept, rows, order)
    answered = yield Write(calls)
    answers = {row["position"]: row for rows in answered for row in rows if "position" in row}
    return tuple(
        _recorded(item, answers[position], away or _unembedded(vector))
        for position, (item, vector) in enumerate(zip(kept, vectors, strict=True))
    )


def node(
    item: AnyItem, vector: Embedded | None, position: int, order: Order, redacted: Sequence[str] = ()
) -> dict[str, Any]:
    """A new memory as a node: where it goes, its id, and all its properties; `redacted` is what was taken out of it."""
    target = order.scope.writes(order.share)
    status = initial_status(item)
    recallable = status is Status.ACTIVE and not item.secure
    properties = to_properties(item) | {
        "tenant": target.tenant,
        "user": target.user,
        "status": status.value,
        "recallable": recallable,
        "recall_key": recall_key(target.own, item.secure) if status is Status.ACTIVE else "",
        "created_at": order.now,
        "happened_at": item.occurred_at or order.now,
        "updated_at": order.now,
        "write_id": order.new_id(),
        "secure_said": item.secure,
        "successes": 0,
        "failures": 0,
        "misled": 0,
        "corrected": False,
        "authority": int(isinstance(item, Skill) and bool(item.approved_by)),
        "redacted": list(redacted),
    }
    if isinstance(item, Episode):
        properties |= {"task_key": task_key(item), "attempt_key": attempt_key(item)}
    if not isinstance(item, Skill) and status is Status.ACTIVE:
        properties["awaits"] = "reflection" if isinstance(item, Episode) else "grouping"
    if vector is not None and vector.vector is not None:
        properties["embedding"] = list(vector.vector)
        properties["embedding_model"] = order.embedding_model
        properties["embedded"] = extent(vector)
    return {"position": position, "scope": target.own, "id": item.id, "properties": properties}


def _calls(items: Sequence[AnyItem], rows: Sequence[dict[str, Any]], order: Order) -> list[Call]:
    usual = {"created_at": order.now, "happened_at": order.now, "updated_at": order.now, "expires_at": NEVER}
    rows = [row | {"properties": _unusual(row["properties"], usual)} for row in rows]
    episodes = [row for item, row in zip(items, rows, strict=True) if isinstance(item, Episode)]
    derived = [
        row
        | {
            "sources": list(item.sources),
            "source_kind": _source_kind(item),
            "user": order.scope.user,
            "by": "caller",
        }
        for item, row in zip(items, rows, strict=True)
        if not isinstance(item, Episode)
    ]
    # What a memory is derived of is held, so that it is not erased before the link to it is there.
    named = sorted({source for row in derived for source in row["sources"]})
    held = [Call(statement("record/hold"), {"scopes": order.scope.visible, "ids": named})] if named else []
    calls = [*held, *([Call(statement("record/episodes"), {"rows": episodes, "usual": usual})] if episodes else [])]
    # Reflections first, so that a skill may name one of the same batch.
    for kind in (Kind.EPISODE, Kind.REFLECTION):
        chosen = [row for row in derived if row["source_kind"] == kind.value]
        if chosen:
            given = {"rows": chosen, "scopes": order.scope.visible, "now": order.now, "usual": usual}
            calls.append(Call(statement("record/derived"), given))
    return calls


def _unusual(properties: dict[str, Any], usual: dict[str, datetime]) -> dict[str, Any]:
    """The properties but for times that all rows share: the driver takes longer for a time than for all the rest."""
    return {name: value for name, value in properties.items() if value is not usual.get(name, properties)}


def _source_kind(item: AnyItem) -> str:
    return (Kind.EPISODE if isinstance(item, Reflection) else Kind.REFLECTION).value


def _unembedded(vector: Embedded | None) -> str:
    return f"{UNEMBEDDED}: {vector.problem}" if vector is not None and vector.problem else ""


def _recorded(item: AnyItem, row: dict[str, Any], unembedded: str) -> Recorded:
    result = Result(row["result"])
    problems = {
        Result.CREATED: unembedded,
        Result.UNCHANGED: "",
        Result.CONFLICT: f"id {item.id} is taken by a memory with other content; nothing was written",
        Result.NO_SOURCE: f"{item.kind.value} {item.id} names a source that is not in this scope; it was not stored",
    }
    return Recorded(id=item.id, result=result, status=row["status"], problem=problems[result])
