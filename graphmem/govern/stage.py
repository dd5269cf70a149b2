"""The verbs `get`, `list` and `update`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from pydantic import Field, JsonValue

from graphmem.errors import InvalidInput, NotFound, StoreUnavailable
from graphmem.models import AnyItem, Input, Kind, Label, Labels, Outcome, Status, Stored, When
from graphmem.record.known import hold
from graphmem.record.properties import to_item, to_properties, to_stored
from graphmem.redact import noted
from graphmem.scope import Scope
from graphmem.steps import Call, Read, Row, Stage, Write
from graphmem.store.catalogue import statement

_KEPT = (
    "scope tenant_id user_id labels label text embedding write_id content_hash recall_key happened_at features "
    "requires misled corrected twinned secure_said review novelty_score reviewed_by reviewed_at events outlived family "
    "group awaits problem tries task_key attempt_key claimed_by claimed_until reflected_at reflected_by support "
    "success_rate success_low arriving authority open_hash"
)
SYSTEM = (frozenset(Stored.model_fields) - {"memory"}) | frozenset(_KEPT.split())
CHANGEABLE = ("tags", "metadata", "expires_at")
ATTEMPTS = 50  # each loss means that another writer won


class Filters(Input):
    """Which memories to list; what is absent filters nothing. `since` is inclusive, `until` exclusive."""

    kind: Kind | None = None
    status: Status | None = None
    outcome: Outcome | None = None
    domain: Label | None = None
    task_type: Label | None = None
    tags: Labels = ()
    since: When | None = None
    until: When | None = None
    skip: int = Field(0, ge=0, le=10_000_000)
    limit: int = Field(50, ge=1, le=1000)


def get(id_: str, scope: Scope, now: datetime) -> Stage[Stored]:
    """One memory. Raises NotFound when it is not in this scope, or has expired."""
    node = yield from _node(id_, scope, now)
    return to_stored(node)


def listed(filters: Filters, scope: Scope, now: datetime) -> Stage[tuple[Stored, ...]]:
    """Memories of this scope that have not expired, newest first."""
    given = filters.model_dump(mode="python")
    plain = {
        name: value.value if isinstance(value, Kind | Status | Outcome) else value for name, value in given.items()
    }
    plain["tags"] = list(filters.tags)
    rows = yield Read(Call(statement("govern/list"), {**plain, "scopes": scope.visible, "now": now}))
    return tuple(to_stored(row["node"]) for row in rows)


def update(
    id_: str,
    scope: Scope,
    now: datetime,
    tags: Sequence[str] | None,
    metadata: Mapping[str, JsonValue] | None,
    expires_at: object | None,
    redacted: Sequence[str] = (),
) -> Stage[Stored]:
    """Replace the tags, merge top-level keys into the metadata, move the end; what is None stays.

    `redacted` are the kinds of what was taken out of them before, which the memory notes beside the others.
    Raises InvalidInput when metadata names a system field, NotFound when there is no such memory.
    """
    if metadata is not None and not isinstance(metadata, Mapping):
        raise InvalidInput(f"metadata must be a mapping, not {type(metadata).__name__}; nothing was changed")
    reached = sorted(SYSTEM.intersection(metadata or ()))
    if reached:
        raise InvalidInput(
            f"metadata cannot set {', '.join(reached)}: graphmem keeps these itself; nothing was changed"
        )
    for _ in range(ATTEMPTS):
        node = yield from _node(id_, scope, now)
        if node["user"] != scope.user:
            raise InvalidInput(f"memory {id_} is shared by the tenant; give share=True to change it for everybody")
        before = to_item(node)
        after = _changed(before, tags, metadata, expires_at)
        note = noted(redacted, node.get("redacted") or ())
        given = {
            "scopes": scope.visible,
            "id": id_,
            "was": {name: node[name] for name in CHANGEABLE},
            "properties": {**caller_said(after, node), "updated_at": now, "redacted": list(note)},
        }
        rows = (yield Write([hold([id_], scope), Call(statement("govern/update"), given)]))[-1]
        if rows:
            return to_stored(rows[0]["node"])
    raise StoreUnavailable(f"memory {id_} was changed by others {ATTEMPTS} times meanwhile; try again")


def caller_said(after: AnyItem, node: Row) -> Mapping[str, Any]:
    """The properties to write of a memory that was changed.

    A secure mark that was inherited stays, and is not counted as the caller's word.
    """
    said = to_properties(after.model_copy(update={"secure": node["secure_said"]}))
    return {name: value for name, value in said.items() if name != "secure"}


def _changed(
    before: AnyItem,
    tags: Sequence[str] | None,
    metadata: Mapping[str, JsonValue] | None,
    expires_at: object | None,
) -> AnyItem:
    fields: dict[str, Any] = {name: getattr(before, name) for name in type(before).model_fields}
    if tags is not None:
        fields["tags"] = tags
    if metadata is not None:
        fields["metadata"] = {**before.metadata, **metadata}
    if expires_at is not None:
        fields["expires_at"] = expires_at
    return type(before)(**fields)


def _node(id_: str, scope: Scope, now: datetime) -> Stage[Row]:
    rows = yield Read(Call(statement("govern/get"), {"scopes": scope.visible, "id": id_}))
    if not rows:
        raise NotFound(f"no memory {id_} in this scope")
    node: Row = rows[0]["node"]
    if node["expires_at"] <= now:
        raise NotFound(f"memory {id_} expired at {node['expires_at'].isoformat()}")
    return node
