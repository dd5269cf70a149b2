"""Changes of a memory's status: one statement makes them all, and each leaves an event in the memory's history."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graphmem.errors import InvalidInput, NotFound, StoreError
from graphmem.models import Identifier, Kind, Outcome, Status, Text, Value
from graphmem.scope import Scope
from graphmem.steps import Call, Read, Stage
from graphmem.store.catalogue import statement
from graphmem.text import Instant, isoformat

KEPT = 200  # events of a memory; older ones go


class Event(Value):
    """Something that was done to a memory: when, what ("approved", "retired", …), by whom, and why."""

    at: Instant
    what: str
    by: str
    reason: Text = ""

    @property
    def text(self) -> str:
        """The event as the graph keeps it: JSON with its keys in order."""
        fields = {"at": isoformat(self.at), "what": self.what, "by": self.by, "reason": self.reason}
        return json.dumps(fields, ensure_ascii=False)

    @classmethod
    def read(cls, text: str) -> Event:
        """The event that the graph keeps. Raises StoreError when somebody has changed it into none."""
        try:
            return cls.model_validate_json(text)
        except ValueError as error:
            raise StoreError(f"an event was damaged in the database; mend its memory ({text[:80]!r})") from error


@dataclass(frozen=True, slots=True)
class Move:
    """One change of status: which memory, out of which statuses, into which, why, and a person's verdict, if any.

    `outcome` is how an episode must have ended, `needs` another memory that must be a candidate or active then, `lead`
    the worker that must lead the queue of the scope; with `spare`, a pinned memory is passed over.
    """

    scope: str
    id: str
    out_of: frozenset[Status]
    to: Status
    event: Event
    verdict: str | None = None
    outcome: Outcome | None = None
    needs: str | None = None
    spare: bool = False
    lead: str | None = None

    @property
    def row(self) -> Mapping[str, Any]:
        """The row that the statement takes."""
        return {
            "scope": self.scope,
            "id": self.id,
            "from": sorted(status.value for status in self.out_of),
            "to": self.to.value,
            "event": self.event.text,
            "verdict": self.verdict,
            "outcome": None if self.outcome is None else self.outcome.value,
            "needs": self.needs,
            "spare": self.spare,
            "lead": self.lead,
            "by": self.event.by,
        }


@dataclass(frozen=True, slots=True)
class Version:
    """Another version of a skill."""

    id: Identifier
    number: int
    status: Status


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a memory stands, as far as a verdict has to know; `scope` is the token of its scope.

    `newest` is the id of the newest version of a keyed value, if this is an older one.
    """

    scope: str
    id: str
    kind: Kind
    user: str
    status: Status
    recallable: bool
    outcome: Outcome | None
    review: str | None
    version: int
    versions: tuple[Version, ...]
    newest: str | None


def held(moves: Sequence[Move], scopes: Sequence[str], also: Sequence[str] = ()) -> Call:
    """Lock the memories of these moves, and those of the ids `also`, as the first statement of their transaction."""
    ids = sorted({*(move.id for move in moves), *also})
    return Call(statement("record/hold"), {"scopes": list(scopes), "ids": ids})


def moved(moves: Sequence[Move], scopes: Sequence[str], now: datetime) -> Call:
    """Change the statuses; a row comes back for each memory that was changed. The memories must be held before.

    What becomes active comes last: it does so only where no other version of it is active any more.
    """
    rows = [move.row for move in sorted(moves, key=lambda move: move.to is Status.ACTIVE)]
    given = {"scopes": list(scopes), "rows": rows, "now": now, "kept": KEPT}
    return Call(statement("govern/status"), given)


def standing(id_: str, scope: Scope, now: datetime) -> Stage[Standing]:
    """Where a memory stands that this scope may change.

    Raises NotFound when it is not in this scope, or has expired; InvalidInput when it is shared and the scope a user's.
    """
    rows = yield Read(Call(statement("govern/status_of"), {"scopes": scope.visible, "id": id_, "now": now}))
    if not rows:
        raise NotFound(f"no memory {id_} in this scope, or it has expired; nothing was changed")
    row = rows[0]
    if row["user"] != scope.user:
        raise InvalidInput(f"memory {id_} is shared by the tenant; give share=True to change it for everybody")
    plain = {**row, "kind": Kind(row["kind"]), "status": Status(row["status"])}
    versions = tuple(Version(one["id"], one["version"] or 0, Status(one["status"])) for one in row["versions"])
    outcome = None if row["outcome"] is None else Outcome(row["outcome"])
    return Standing(**{**plain, "outcome": outcome, "versions": versions})
