"""What the database already has of a file, and whether all that its records refer to is somewhere."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence, Set
from typing import Any

from graphmem.erase.write import INSTEAD, SIGNED
from graphmem.errors import Conflict, GraphmemError, InvalidInput
from graphmem.govern.rules import SAID
from graphmem.move import nodes
from graphmem.move.draft import ARRIVING, SAME, Draft, Kept, Key
from graphmem.move.models import SHOWN, Format
from graphmem.move.parse import kept_item, parsed
from graphmem.move.policy import Policy
from graphmem.move.ran import Ran
from graphmem.move.read import Reading
from graphmem.move.records import Receipt, Record, Remembered, Tuned
from graphmem.record.properties import content_hash
from graphmem.scope import Scope
from graphmem.steps import Call, Progress, Read, Row, Rows, Stage
from graphmem.store.catalogue import statement

PAGE = 256
QUERIES = {
    "memory": "known",
    "recall": "known_receipts",
    "parameters": "known_parameters",
    "job": "known_jobs",
    "rule": "known_rules",
}
CHANGING = {
    Receipt: {"vector", "outcome", "evidence", "question", "judged_at", "expires_at", "embedding_model"},
    Tuned: {"active"},
    Policy: {"active", "withdrawn_by", "withdrawn_at"},
    Ran: {*Ran.model_fields} - {"kind", "user", "id", "job", "started_at"},
}
"""What of a record may change once it is written, and so makes it no other content."""


def compare(reading: Reading, progress: Progress) -> Stage[None]:
    """Learn what of a draft the database has, and find ids that are taken, and ends that are nowhere.

    Raises InvalidInput, or Conflict where taken ids are all that is wrong, unless the reading is lenient: then what is
    wrong, and what refers to it, is left out of the draft.
    """
    draft, tenant = reading.draft, reading.scope.tenant
    done = 0
    for sort in range(5):
        for page in draft.nodes(sort, PAGE):
            there = yield from _there([kept.key for kept in page], tenant)
            for kept in page:
                node = there.get(kept.key)
                if node is not None:
                    _known(kept, node, draft, reading.format)
            done += len(page)
            progress("comparing", done, 0)
    for keys in draft.outside(PAGE):
        yield from _found(keys, draft, tenant)
        if reading.header is None:  # a source may be the tenant's
            yield from _found([key._replace(user="") for key in keys], draft, tenant)
    if reading.header is None:
        _tell(reading, draft.unfounded(PAGE))
    else:
        _tell(reading, draft.loose(PAGE))
    if draft.bad and not reading.order.lenient:
        raise refusal(draft)


def refusal(draft: Draft) -> GraphmemError:
    """What a strict import says of a file with faults."""
    more = f"\nand {draft.bad - SHOWN} more" if draft.bad > SHOWN else ""
    told = "\n".join(map(str, draft.faults)) + more
    kind = Conflict if draft.conflicts == draft.bad else InvalidInput
    plural = "s" if draft.bad > 1 else ""
    return kind(f"{draft.bad} fault{plural}, nothing was written:\n{told}")


def _tell(reading: Reading, faults: Iterable[tuple[str, str, bool]]) -> None:
    """What follows from another fault is one of its own only where lines are left out."""
    for place, problem, follows in faults:
        if reading.order.lenient or not follows:
            reading.draft.fault(place, problem)


def _there(keys: Sequence[Key], tenant: str) -> Stage[dict[Key, Row]]:
    found: dict[Key, Row] = {}
    for label in dict.fromkeys(key.label for key in keys):
        chosen = {(Scope(tenant, key.user).own, key.id): key for key in keys if key.label == label}
        rows = [_row(*pair, label) for pair in chosen]
        answers: Rows = yield Read(Call(statement(f"move/{QUERIES[label]}"), {"rows": rows}))
        found |= {chosen[row["scope"], row["id"]]: row["node"] for row in answers}
    return found


def _row(scope: str, id_: str, label: str) -> dict[str, Any]:
    row: dict[str, Any] = {"scope": scope, "id": id_}
    if label == "parameters":
        version, _, domain = id_.partition(" ")
        row |= {"version": int(version), "domain": domain}
    elif label == "rule":
        row |= dict(zip(("domain", "name", "version"), json.loads(id_), strict=True))
    return row


def _known(kept: Kept, node: Row, draft: Draft, format_: Format | None) -> None:
    if _same(kept, node, format_):
        draft.knows(kept.number, ARRIVING if node.get("arriving") else SAME)
        return
    draft.fault(kept.place, f"{kept.key.label} {kept.key.id} is taken by other content", conflict=True)
    draft.drop(kept.number, kept.key)


def _same(kept: Kept, node: Row, format_: Format | None) -> bool:
    if format_ is not Format.GRAPHMEM:
        return nodes.said(node) == kept_item(kept.body).item
    record = parsed(json.loads(kept.body))
    if isinstance(record, Remembered):
        opened = record.unknown and node.get("open_hash") == content_hash(record.memory)
        return opened or nodes.said(node) == record.memory.model_copy(update={"id": record.id})
    there = _of(record, node)
    gone = _erased(there)
    return _lasting(record, gone) == _lasting(there, gone)


def _erased(there: Record) -> set[str]:
    """What an erasure took from a version of a rule, which an older file still says of it."""
    if not isinstance(there, Policy):
        return set()
    return {*(["by"] if there.by == SIGNED else []), *(SAID if there.text == INSTEAD else [])}


def _of(record: Record, node: Row) -> Record:
    if isinstance(record, Receipt):
        return nodes.receipt(node)
    if isinstance(record, Policy):
        return nodes.policy(node)
    return nodes.tuned(node) if isinstance(record, Tuned) else nodes.ran(node)


def _lasting(record: Record, gone: Set[str]) -> dict[str, Any]:
    return record.model_dump(exclude=CHANGING[type(record)] | gone)


def _found(keys: Sequence[Key], draft: Draft, tenant: str) -> Stage[None]:
    there = yield from _there(keys, tenant)
    for key, node in there.items():
        draft.found(key, node.get("kind") or "", bool(node.get("secure")))
