"""Lines as records, and records as what they are known by."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from graphmem.errors import InvalidInput
from graphmem.models import KINDS, Kind
from graphmem.move.draft import Key
from graphmem.move.nodes import LINKS
from graphmem.move.policy import Policy
from graphmem.move.ran import Ran
from graphmem.move.records import Header, Receipt, Record, Remembered, Tuned
from graphmem.record import Accepted, accept
from graphmem.text import shown

OTHERS: dict[str, type[Record]] = {"receipt": Receipt, "parameters": Tuned, "job": Ran, "rule": Policy}
LABELS: dict[type[Record], str] = {
    Remembered: "memory",
    Receipt: "recall",
    Tuned: "parameters",
    Ran: "job",
    Policy: "rule",
}


def parsed(value: object) -> Record:
    """The record of a line. Raises InvalidInput that names the field."""
    fields = dict(as_object(value))
    kind = fields.get("kind")
    if isinstance(kind, str) and kind in set(Kind):
        memory = fields.get("memory")
        if not isinstance(memory, dict) or "id" in memory:
            raise InvalidInput(f"{kind} needs a memory, which is an object without an id")
        return Remembered(**{**fields, "memory": KINDS[Kind(kind)](**memory)})
    known = OTHERS.get(kind) or LINKS.get(kind) if isinstance(kind, str) else None
    if known is None:
        raise InvalidInput(f"kind {shown(kind)} is none of {', '.join([*Kind, *OTHERS, *LINKS])}")
    return known(**fields)


def kept_item(body: str) -> Accepted:
    """The memory that a draft keeps as `record` takes it."""
    value = json.loads(body)
    return Accepted(accept(value["memory"]), tuple(value["redacted"]))


def key_of(record: Record) -> Key:
    """What a node is known by in a draft."""
    if isinstance(record, Policy):
        id_ = record.key
    else:
        id_ = f"{record.version} {record.domain}" if isinstance(record, Tuned) else str(getattr(record, "id", ""))
    return Key(LABELS[type(record)], record.user, id_)


def origin_of(header: Header | None) -> str:
    """Whose library a file is, as its heirs say it."""
    if header is None:
        return ""
    return f"{header.tenant}, user {header.user}" if header.user else header.tenant


def as_object(value: object) -> Mapping[str, Any]:
    """A JSON object. Raises InvalidInput for anything else."""
    if not isinstance(value, dict):
        raise InvalidInput(f"{type(value).__name__} is no record; a line is one JSON object")
    return value
