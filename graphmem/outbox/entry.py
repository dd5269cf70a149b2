"""What waits: one write as it was said, when, and by whom."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, get_args

from graphmem.correct import Reference, Verdict
from graphmem.erase.words import names
from graphmem.models import KINDS, Kind
from graphmem.recall import Recall
from graphmem.record import Accepted
from graphmem.scope import Scope
from graphmem.steps import Forget

Verb = Literal["record", "feedback"]
VERBS = get_args(Verb)


@dataclass(frozen=True, slots=True)
class Entry:
    """One write that waits.

    `scope` is the client's, `owner` the user to whose memories it goes (empty: what the tenant shares), `at` the time
    of the call. `payload` is JSON: of what is recorded, or of the recall and what was said about it. The outbox gives
    the `number`, by which entries are ordered.
    """

    verb: Verb
    scope: Scope
    owner: str
    at: datetime
    payload: str
    number: int = 0

    @property
    def share(self) -> bool:
        """Whether a user writes to what the tenant shares."""
        return self.owner != self.scope.user

    @property
    def memory(self) -> tuple[str, str]:
        """The memory that is to be recorded: the token of its scope, and its id."""
        return Scope(self.scope.tenant, self.owner).own, self.id

    @property
    def id(self) -> str:
        """The id of the memory, or of the recall; empty when the entry is damaged."""
        try:
            return str(json.loads(self.payload)["id"])
        except (ValueError, KeyError, TypeError):
            return ""


def of_record(accepted: Accepted, scope: Scope, share: bool, at: datetime) -> Entry:
    """A memory, which must have its id, to be recorded. Raises InvalidInput when `share` is no bool."""
    item = accepted.item
    said = {"id": item.id, "kind": item.kind.value, "redacted": accepted.redacted, "item": item.model_dump(mode="json")}
    return Entry("record", scope, scope.writes(share).user, at, _json(said))


def of_feedback(about: Reference, verdict: Verdict, scope: Scope, at: datetime) -> Entry:
    """A word on a recall, with the recall itself and its query's vector if they were given."""
    answer = about.answer
    said = {
        "id": about.id,
        "verdict": verdict.model_dump(mode="json"),
        "recall": None if answer is None else answer.model_dump(mode="json"),
        "vector": () if answer is None else answer.vector,
    }
    return Entry("feedback", scope, scope.user, at, _json(said))


def recorded(entry: Entry) -> Accepted:
    """What is to be recorded. Raises ValueError, KeyError or TypeError when the entry is damaged."""
    said = json.loads(entry.payload)
    return Accepted(KINDS[Kind(said["kind"])](**said["item"]), tuple(said["redacted"]), entry.at)


def said_of(entry: Entry) -> tuple[Reference, Verdict]:
    """The recall, and what is to be said about it; raises as `recorded` does."""
    said = json.loads(entry.payload)
    answer = None if said["recall"] is None else Recall.from_json(said["recall"])
    if answer is not None:
        answer = answer.model_copy(update={"vector": tuple(said["vector"])})
    return Reference(said["id"], answer), Verdict(**said["verdict"])


def forgotten(entry: Entry, step: Forget) -> bool:
    """Whether an entry is among those that are to be forgotten; one that cannot be read is taken to be."""
    client = step.scope.user
    try:
        said = json.loads(entry.payload)
        if any(pair in step.memories for pair in _pairs(entry, said)):
            return True
        if (not client or entry.owner == client) and any(
            memory["subject"] in step.subjects for memory in _memories(entry, said)
        ):
            return True
        mine = entry.verb == "feedback" and client in ("", entry.scope.user)
        return mine and (_trace(said) in step.traces or _says(said, step.names))
    except (ValueError, KeyError, TypeError, AttributeError):
        return True


def trace(entry: Entry) -> str:
    """The trace of a memory that is to be recorded; empty when it has none, or the entry is damaged."""
    with suppress(ValueError, KeyError, TypeError):
        return str(json.loads(entry.payload)["item"]["trace_id"])
    return ""


def _trace(said: dict[str, Any]) -> str | None:
    return None if said["recall"] is None else said["recall"]["trace_id"]


def _says(said: dict[str, Any], called: Iterable[str]) -> bool:
    asked = "" if said["recall"] is None else said["recall"]["request"]["text"]
    words = "\n".join([said["verdict"]["evidence"], said["verdict"]["reason"], asked])
    return names(words.casefold(), [name.casefold() for name in called])


def _pairs(entry: Entry, said: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What is named: exactly, or by an id that any visible scope may have."""
    tenant, loose = entry.scope.tenant, []
    if entry.verb == "record":
        yield Scope(tenant, entry.owner).own, said["id"]
        loose = said["item"].get("sources", ())
    else:
        loose = [*said["verdict"]["used"], *said["verdict"]["misled"]]
        for found in _found(said):
            yield Scope(tenant, found["user"]).own, found["id"]
            loose += [found["replaces"]] if found["replaces"] else []
    yield from ((scope, id_) for id_ in loose for scope in entry.scope.visible)


def _memories(entry: Entry, said: dict[str, Any]) -> list[dict[str, Any]]:
    return [said["item"]] if entry.verb == "record" else [hit["memory"] for hit in _found(said) if "memory" in hit]


def _found(said: dict[str, Any]) -> list[dict[str, Any]]:
    recall = said["recall"]
    return [] if recall is None else [*recall["hits"], *recall["candidates"]]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
