"""The verb `history`: where a memory comes from, what came of it, who corrected it, how it was used."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from graphmem.govern.stage import get
from graphmem.govern.status import Event
from graphmem.govern.told import told
from graphmem.models import Kind, Outcome, Status, Stored, Value
from graphmem.scope import Scope
from graphmem.steps import Call, Read, Row, Stage
from graphmem.store.catalogue import statement
from graphmem.text import Instant

MOST = 50  # of each part that is told


class Linked(Value):
    """A memory that this one is linked to, and what the link says.

    `hop` is the distance, `edge` what the link is (derives, generalizes, corrects, similar, duplicate, contradicts, …),
    `by` who made it. A correction holds `everywhere`, or in `contexts`; what was `revoked_at` holds no more. A
    contradiction may have been settled (`resolved_at`, `resolved_by`). `version` is a skill's.
    """

    id: str
    kind: Kind
    user: str
    label: str
    status: Status
    hop: int
    edge: str = ""
    at: Instant | None = None
    by: str = ""
    reason: str = ""
    weight: float | None = None
    everywhere: bool = False
    contexts: tuple[str, ...] = ()
    revoked_at: Instant | None = None
    resolved_at: Instant | None = None
    resolved_by: str = ""
    version: int | None = None


class Use(Value):
    """One recall that returned the memory, or in whose context it misled: how it was decided, and what came of it.

    `decision` is "corrected" for the context of a correction. `rank` and `score` are absent where it was only named.
    """

    recall_id: str
    at: Instant
    decision: str
    outcome: Outcome
    rank: int | None = None
    score: float | None = None
    hit: bool
    used: bool
    misled: bool
    reason: str = ""


class Uses(Value):
    """In how many recalls of the client's scopes the memory was a hit, was used, and misled; the latest of them.

    `successes` and `failures` are its whole track record, that of others who see it included.
    """

    returned: int
    used: int
    misled: int
    successes: int
    failures: int
    latest: tuple[Use, ...] = ()


class InForce(Value):
    """A version of the parameters (0: the settings) by which recalls of a domain were decided that returned the memory:
    θ, how many recalls, the first and the last."""

    version: int
    domain: str
    threshold: float | None
    recalls: int
    first_at: Instant
    last_at: Instant


class History(Value):
    """All that is known of a memory, as far as the client sees it; of each part the newest.

    `sources` are what it came from and `results` what came of it, one and two steps away; `corrected_by` and `corrects`
    hold revoked corrections too; `related` are similar, duplicate and contradicting memories and other relations;
    `versions` are the other versions of a skill, newest first; `events` what was done to it, oldest first. `cut` says
    that a part had more than is told.
    """

    memory: Stored
    sources: tuple[Linked, ...] = ()
    results: tuple[Linked, ...] = ()
    corrected_by: tuple[Linked, ...] = ()
    corrects: tuple[Linked, ...] = ()
    related: tuple[Linked, ...] = ()
    versions: tuple[Linked, ...] = ()
    uses: Uses
    parameters: tuple[InForce, ...] = ()
    events: tuple[Event, ...] = ()
    cut: bool = False

    def explain(self) -> str:
        """The history as text for a person, a line for each fact."""
        return told(self)


PARTS = {
    "source": "sources",
    "result": "results",
    "corrected by": "corrected_by",
    "corrects": "corrects",
    "related": "related",
    "version": "versions",
}


def history(id_: str, scope: Scope, now: datetime) -> Stage[History]:
    """The history of one memory. Raises NotFound when it is not in this scope, or has expired."""
    memory = yield from get(id_, scope, now)
    given = {"scopes": scope.visible, "id": id_, "now": now}
    links = yield Read(Call(statement("govern/history_links"), {**given, "most": MOST + 1}))
    used = yield Read(Call(statement("govern/history_uses"), {**given, "most": MOST}))
    parts: dict[str, list[Linked]] = {name: [] for name in PARTS.values()}
    cut = False
    for part in {(row["part"], row["hop"]) for row in links}:
        found = [row for row in links if (row["part"], row["hop"]) == part]
        cut = cut or len(found) > MOST
        parts[PARTS[part[0]]] += [_linked(row) for row in found[:MOST]]
    for found in parts.values():
        found.sort(key=lambda one: one.hop)
    return History(
        memory=memory,
        **{name: tuple(found) for name, found in parts.items()},
        **_uses(used[0] if used else None, memory),
        cut=cut,
    )


def _linked(row: Row) -> Linked:
    given = {name: row[name] for name in Linked.model_fields if row[name] is not None}
    return Linked(**given)


def _uses(row: Row | None, memory: Stored) -> dict[str, Any]:
    record = {"successes": memory.successes, "failures": memory.failures}
    if row is None:  # it went away meanwhile
        return {"uses": Uses(returned=0, used=0, misled=0, **record)}
    latest = tuple(Use(**{name: use[name] for name in Use.model_fields}) for use in row["latest"])
    counts = {name: row[name] for name in ("returned", "used", "misled")}
    return {
        "uses": Uses(**counts, **record, latest=latest),
        "parameters": tuple(InForce(**one) for one in row["parameters"]),
        "events": tuple(map(Event.read, row["events"])),
    }
