"""Nodes and links of the graph as records of a file, and back; what graphmem can compute is computed anew."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import product
from typing import Any, TypeVar

from graphmem.govern import Event
from graphmem.models import AnyItem, Status
from graphmem.move.links import Corrected, Derived, Link, Misled, Related, Returned
from graphmem.move.policy import Policy
from graphmem.move.ran import COUNTS, TEXTS, Ran
from graphmem.move.records import End, Header, Receipt, Record, Remembered, Tuned
from graphmem.record import Order
from graphmem.record.properties import content_hash, intact, to_item
from graphmem.record.stage import node as new_node
from graphmem.scope import Scope, new_id, recall_key
from graphmem.settings import Weights
from graphmem.steps import Row

KEPT = frozenset(Remembered.model_fields) - {"kind", "user", "memory", "pinned", "secure", "vector", "events"}
R = TypeVar("R", bound=Record)
LINKS: dict[str, type[Link]] = {
    "derives": Derived,
    "generalizes": Derived,
    "relates": Related,
    "corrects": Corrected,
    "returned": Returned,
    "misled": Misled,
}
_ESCAPED = {"\u2028": "\\u2028", "\u2029": "\\u2029", "\x85": "\\u0085"}


@dataclass(frozen=True, slots=True)
class Space:
    """The vectors that a database holds: of which model, in how many dimensions; empty, 0: it holds none yet."""

    model: str
    dimensions: int

    def takes(self, vector: tuple[float, ...], model: str | None) -> bool:
        """Whether a vector is of this model, and one that graphmem could have written: of length 1."""
        length = sum(number * number for number in vector)
        return bool(self.model) and model == self.model and len(vector) == self.dimensions and abs(length - 1) < 1e-3


def line(record: Record | Header) -> bytes:
    """A record as a line of a file; equal records, equal lines."""
    text = json.dumps(record.model_dump(mode="json", exclude_defaults=True), ensure_ascii=False, separators=(",", ":"))
    for sign, escape in _ESCAPED.items():  # some readers take these for the end of a line
        text = text.replace(sign, escape)
    return text.encode() + b"\n"


def said(node: Row) -> AnyItem:
    """What the caller said, from a memory's node: without what pins and sources have made of it since.

    Raises StoreError when somebody changed the node into no memory.
    """
    item = to_item(node)
    for pinned, secure in product((item.pinned, not item.pinned), (item.secure, not item.secure)):
        variant = item.model_copy(update={"pinned": pinned, "secure": secure})
        if content_hash(variant) == node.get("content_hash"):
            return variant
    return item


def remembered(node: Row) -> Remembered:
    """A memory's record, from its node; raises as `said` does."""
    item = said(node)
    with intact(node):
        known = {name: node[name] for name in KEPT if node.get(name) is not None}
        if node.get("claimed_by") is not None:  # whoever holds it holds it here alone
            known.pop("claimed_until", None)
        return Remembered(
            **known,
            kind=node["kind"],
            user=node["user"],
            memory=item.model_copy(update={"id": None}),
            pinned=None if node["pinned"] == item.pinned else node["pinned"],
            secure=None if node["secure"] == item.secure else node["secure"],
            events=[Event.read(text) for text in node.get("events") or ()],
            vector=node.get("embedding") or (),
        )


def receipt(node: Row) -> Receipt:
    """A receipt's record, from its node. Raises StoreError when somebody changed the node into none."""
    return _read(Receipt, node, kind="receipt", vector=node.get("vector") or ())


def tuned(node: Row) -> Tuned:
    """The record of a version of parameters, from its node; raises as `receipt` does."""
    weights = {name: node.get(f"weight_{name}") for name in Weights.model_fields}
    replaced = node["version"] - 1 if node.get("replaced") is None else node["replaced"]
    return _read(
        Tuned, node, kind="parameters", replaced=replaced, weights=None if None in weights.values() else weights
    )


def ran(node: Row) -> Ran:
    """A job's record, from its node; raises as `receipt` does."""
    parts = {
        part: {name: node[name] for name in sorted(names) if node.get(name) is not None}
        for part, names in (("counts", COUNTS), ("texts", TEXTS))
    }
    return _read(Ran, node, kind="job", job=node["kind"], **parts)


def policy(node: Row) -> Policy:
    """The record of a version of a rule, from its node; raises as `receipt` does."""
    return _read(Policy, node, kind="rule")


def link(start: End, row: Row, users: Mapping[str, str]) -> Link:
    """A link's record: from where, what the graph says of it, and which token is which user's."""
    kind, given = row["type"].lower(), dict(row["properties"])
    own: dict[str, Any] = {"start": start, "end": End(user=users[row["end_scope"]], id=row["end"])}
    if kind in ("relates", "corrects"):
        own |= {"user": users[given.pop("scope")]}
    if kind == "relates":
        given["relates"] = given.pop("kind")
    fields = LINKS[kind].model_fields
    with intact({"id": start.id}):
        return LINKS[kind](**{name: given[name] for name in given if name in fields}, **own, kind=kind)


def memory_row(record: Remembered, owner: Scope, space: Space, now: datetime, position: int) -> dict[str, Any]:
    """The node that a memory becomes in a scope; what was learnt elsewhere is a candidate until all of it is there.

    Its vector is taken where the database holds such vectors, else it waits to be embedded.
    """
    item = record.memory.model_copy(update={"id": record.id})
    row = new_node(item, None, position, Order(owner, False, now, "", new_id), record.redacted)
    status = Status.CANDIDATE if record.proposed else record.status
    recallable = status is Status.ACTIVE and not record.guarded
    kept = record.model_dump(include=set(KEPT) - {"id", "embedding_model", "embedded"}, exclude_none=True)
    properties = {name: value for name, value in row["properties"].items() if name != "awaits"} | kept
    properties |= {
        "status": status.value,
        "recallable": recallable,
        "recall_key": recall_key(owner.own, record.guarded) if status is Status.ACTIVE else "",
        "happened_at": item.occurred_at or record.created_at,
        "pinned": item.pinned if record.pinned is None else record.pinned,
        "secure": record.guarded,
        "secure_said": item.secure if record.secure_said is None else record.secure_said,
        "redacted": list(record.redacted),
        "authority": int(record.approved),
    }
    if record.events:
        properties["events"] = [event.text for event in record.events]
    if space.takes(record.vector, record.embedding_model):
        properties |= {
            "embedding": list(record.vector),
            "embedding_model": record.embedding_model,
            "embedded": record.embedded or "whole",
        }
    return {**row, "properties": properties}


def receipt_row(record: Receipt, owner: Scope, space: Space) -> dict[str, Any]:
    """The node that a receipt becomes; the vector of what was asked is taken where the database holds such vectors."""
    properties = _plain(record, {"kind", "user", "vector", "id"})
    if space.takes(record.vector, record.embedding_model or space.model):
        properties["vector"] = list(record.vector)
    return _owned(record.id, owner, properties)


def tuned_row(record: Tuned, owner: Scope) -> dict[str, Any]:
    """The node that a version of parameters becomes."""
    weights = record.weights.model_dump() if record.weights is not None else {}
    properties = _plain(record, {"kind", "user", "weights", "active"}) | {
        f"weight_{name}": value for name, value in weights.items()
    }
    row = _owned("", owner, properties | {"active": False})
    return {**row, "domain": record.domain, "version": record.version, "active": record.active}


def ran_row(record: Ran, owner: Scope) -> dict[str, Any]:
    """The node that a job becomes."""
    plain = _plain(record, {"kind", "user", "id", "job", "counts", "texts"})
    return _owned(record.id, owner, {**plain, "kind": record.job, **record.counts, **record.texts})


def policy_row(record: Policy, owner: Scope) -> dict[str, Any]:
    """The node that a version of a rule becomes."""
    properties = _plain(record, {"kind", "user", "active"})
    row = _owned("", owner, properties | {"active": False})
    return {**row, "domain": record.domain, "name": record.name, "version": record.version, "active": record.active}


def link_row(record: Link, tenant: str) -> dict[str, Any]:
    """What a link becomes: its ends, what is said of it, and the scope it belongs to."""
    return {
        "start_scope": Scope(tenant, record.start.user).own,
        "start": record.start.id,
        "end_scope": Scope(tenant, record.end.user).own,
        "end": record.end.id,
        "scope": Scope(tenant, record.owner).own,
        "relation": record.relation,
        "properties": _plain(record, {"kind", "user", "start", "end", "relates"}),
        "write_id": new_id(),
    }


def _read(of: type[R], node: Row, /, **more: Any) -> R:
    with intact(node):
        given = {name: node[name] for name in of.model_fields if node.get(name) is not None}
        return of(**{**given, **more})


def _plain(record: Record, without: set[str]) -> dict[str, Any]:
    fields = record.model_dump(exclude=without, exclude_none=True)
    return {name: list(value) if isinstance(value, tuple) else _value(value) for name, value in fields.items()}


def _value(value: Any) -> Any:
    return value.value if hasattr(value, "value") else value


def _owned(id_: str, owner: Scope, properties: dict[str, Any]) -> dict[str, Any]:
    own = {"tenant": owner.tenant, "user": owner.user}
    return {"scope": owner.own, "id": id_, "properties": {**properties, **own}, "write_id": new_id()}
