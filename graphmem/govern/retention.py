"""The verbs `retention` and `pin`: what has expired is deleted, what is of little use is archived.

The weight of a memory halves with its age, and grows with its use:

    weight = base · 0.5 ^ (age / half-life) · (1 + successes) / (1 + failures)

`base` and `half-life` (days, since the memory happened) are those of its kind; a domain may have a factor to the
half-life. So, twice as many successes are worth one more half-life, and twice as many failures cost one. Archived is
retired: kept, and recalled no more, until a review approves it again. Pinned memories are never archived. What has
expired by its own `expires_at` is gone for every verb from then on, pinned or not; here it is deleted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, ClassVar

from pydantic import Field

from graphmem.errors import InvalidInput, NotFound
from graphmem.govern.status import KEPT, Event, Move, held, moved
from graphmem.govern.tokens import tokens
from graphmem.models import Identifier, Input, Kind, Status, Stored, Value, Words
from graphmem.policies import RetentionSettings
from graphmem.record.known import hold
from graphmem.record.properties import to_stored
from graphmem.record.settle import settled
from graphmem.scope import Scope, new_id
from graphmem.steps import Call, Read, Row, Stage, Write
from graphmem.store.catalogue import statement

BATCH = 500  # memories or receipts of one transaction
SHOWN = 100  # memories that an answer names
UNLIMITED = 2**31 - 1  # the longest list of the server
RETENTION = "retention"  # who archives, as events say it
LEASE = timedelta(hours=1)  # a run that has not ended by then counts as killed, until it says how it ended
COUNTED = {"faded": "faded", "over budget": "excess"}  # why a memory is archived, and the count it adds to
ARCHIVABLE = frozenset({Status.ACTIVE, Status.CANDIDATE})


class Pin(Input):
    """Whether a memory is spared from being archived, and who says so."""

    id: Identifier
    pinned: bool = Field(True, strict=True)
    by: Words


class Order(Input):
    """How retention is to be run: the most memories of a scope (else the setting), and whether for good."""

    budget: int | None = Field(None, ge=0, lt=UNLIMITED, strict=True)
    apply: bool = Field(False, strict=True)
    everything: bool = Field(False, strict=True)


class Archived(Value):
    """A memory that is of little use: its weight, and whether that has faded or others are of more use."""

    id: str
    kind: Kind
    status: Status
    label: str
    weight: float
    why: str


class Retention(Value):
    """What was done, or what would be (`applied` is false).

    `expired` memories and `receipts` are deleted, and `jobs` that ended long ago; `superseded` are those that an
    expired memory corrected everywhere; `faded` (below the least weight) and `excess` (beyond the budget) are archived,
    and `least` names the first of them, lightest first in each scope. `living` are the memories before that may be
    recalled, now or once promoted.
    """

    applied: bool
    scopes: int
    living: int = 0
    expired: int = 0
    receipts: int = 0
    jobs: int = 0
    superseded: int = 0
    faded: int = 0
    excess: int = 0
    least: tuple[Archived, ...] = ()
    job: str | None = None


@dataclass(frozen=True, slots=True)
class _Run:
    """One run: whose client, by which rules, when, how long vectors are, and whether it changes anything."""

    scope: Scope
    rules: RetentionSettings
    budget: int
    now: datetime
    dimensions: int
    apply: bool

    COUNTS: ClassVar = ("living", "expired", "receipts", "jobs", "superseded", "faded", "excess")

    def over(self, whose: list[str]) -> Stage[tuple[Counter[str], list[Row]]]:
        """What is done in these scopes, and what is archived in them."""
        done, least = Counter[str](), list[Row]()
        for token in whose:
            counts = yield from self._swept([token])
            told, archived = yield from self._archived(token)
            done += counts + told
            least += archived[: SHOWN - len(least)]
        return done, least

    def _swept(self, token: list[str]) -> Stage[Counter[str]]:
        found = yield from self._expired(token)
        if not self.apply:
            told = {name: found[name] for name in ("expired", "receipts", "jobs")}
            return Counter({**told, "superseded": len(_wrong(found))})
        done: Counter[str] = Counter()
        while found["memories"]:
            ids, wrong = [one["id"] for one in found["memories"]], _wrong(found)
            event = Event(at=self.now, what="superseded", by=RETENTION, reason="what corrected it has expired")
            moves = [Move(token[0], id_, ARCHIVABLE, Status.SUPERSEDED, event) for id_ in wrong]
            swept = Call(statement("govern/retention_sweep"), {"scopes": token, "ids": ids, "now": self.now})
            calls = [held(moves, token, ids), moved(moves, token, self.now), swept, settled(self.dimensions)]
            answered = yield Write(calls)
            done += Counter(superseded=len(answered[1]), expired=answered[2][0]["deleted"])
            found = yield from self._expired(token)
        done["receipts"] = yield from self._deleted("govern/retention_receipts", {"scopes": token, "now": self.now})
        done["jobs"] = yield from self._deleted("govern/retention_jobs", {"scopes": token, "before": self._before})
        return done

    @property
    def _before(self) -> datetime:
        return self.now - timedelta(days=self.rules.job_days)

    def _deleted(self, name: str, given: Mapping[str, Any]) -> Stage[int]:
        done, gone = 0, BATCH
        while gone >= BATCH:
            (rows,) = yield Write([Call(statement(name), {**given, "most": BATCH})])
            gone = rows[0]["deleted"]
            done += gone
        return done

    def _expired(self, token: list[str]) -> Stage[Row]:
        given = {"scopes": token, "now": self.now, "before": self._before, "most": BATCH if self.apply else UNLIMITED}
        rows = yield Read(Call(statement("govern/retention_expired"), given))
        row: Row = rows[0]
        return row

    def _archived(self, token: str) -> Stage[tuple[Counter[str], list[Row]]]:
        found = yield from self._least(token)
        done, first = Counter(living=found["living"]), list(found["least"][:SHOWN])
        if not self.apply:
            return done + Counter(faded=found["faded"], excess=found["excess"]), first
        while found["least"]:
            why = {one["id"]: one["why"] for one in found["least"]}
            moves = [self._move(token, one) for one in found["least"]]
            answered = yield Write([held(moves, [token]), moved(moves, [token], self.now)])
            if not answered[1]:
                break  # others were faster with all of them
            done += Counter(COUNTED[why[row["id"]]] for row in answered[1])
            found = yield from self._least(token)
        return done, first

    def _move(self, token: str, one: Row) -> Move:
        reason = f"{one['why']}: weight {one['weight']:.4g}"
        event = Event(at=self.now, what="archived", by=RETENTION, reason=reason)
        return Move(token, one["id"], ARCHIVABLE, Status.RETIRED, event, spare=True)

    def _least(self, token: str) -> Stage[Row]:
        given = {"scopes": [token], "scope": token, "rules": self.rules.model_dump(exclude={"budget", "job_days"})}
        last = {"budget": self.budget, "now": self.now, "most": BATCH}
        rows = yield Read(Call(statement("govern/retention_least"), {**given, **last}))
        row: Row = rows[0]
        return row


def retention(
    order: Order,
    scope: Scope,
    rules: RetentionSettings,
    now: datetime,
    dimensions: int,
    clock: Callable[[], datetime],
) -> Stage[Retention]:
    """Delete what has expired and archive what is of little use, or (without `apply`) tell what that would be.

    Each batch is one transaction: it may be stopped and run again, and a second run finds nothing left to do. A run
    that applies leaves a Job, and says of earlier ones that never ended that they were killed. What holds `now` holds
    for the whole run; `clock` tells when it ended. Raises InvalidInput when a user's client asks for everything.
    """
    whose = yield from tokens(scope, order.everything)
    budget = order.budget if order.budget is not None else rules.budget
    run = _Run(scope, rules, UNLIMITED if budget is None else budget, now, dimensions, order.apply)
    if not order.apply:
        return _told(run, whose, *(yield from run.over(whose)))
    job = new_id()
    begun = {"kind": RETENTION, "tenant": scope.tenant, "user": scope.user, "state": "running"}
    begin = _job("jobs/begin", job, scope, {**begun, "started_at": now, "until": now + LEASE})
    yield Write([begin, Call(statement("jobs/abandoned"), {"scope": scope.own, "kind": RETENTION, "now": now})])
    try:
        done, least = yield from run.over(whose)
    except Exception as error:
        told = (str(error) or type(error).__name__)[:1000]
        yield Write([_job("jobs/end", job, scope, {"state": "failed", "ended_at": clock(), "error": told})])
        raise
    counts = {name: done[name] for name in _Run.COUNTS}
    yield Write([_job("jobs/end", job, scope, {**counts, "state": "done", "ended_at": clock(), "scopes": len(whose)})])
    return _told(run, whose, done, least, job)


def pin(said: Pin, scope: Scope, now: datetime) -> Stage[Stored]:
    """Spare a memory from being archived, or no longer; what the caller recorded stays as it was said.

    Raises NotFound when it is not in this scope or has expired, InvalidInput when it is shared, and the scope a user's.
    """
    event = Event(at=now, what="pinned" if said.pinned else "unpinned", by=said.by)
    given = {"scopes": [scope.own], "id": said.id, "pinned": said.pinned, "event": event.text, "kept": KEPT, "now": now}
    rows = (yield Write([hold([said.id], scope), Call(statement("govern/retention_pin"), given)]))[-1]
    if rows:
        return to_stored(rows[0]["node"])
    known = yield Read(Call(statement("record/known"), {"scopes": scope.visible, "ids": [said.id], "now": now}))
    if known:
        raise InvalidInput(f"memory {said.id} is shared by the tenant; give share=True to change it for everybody")
    raise NotFound(f"no memory {said.id} in this scope, or it has expired; nothing was changed")


def _wrong(found: Row) -> list[str]:
    return sorted({id_ for one in found["memories"] for id_ in one["wrong"]})


def _told(run: _Run, whose: list[str], done: Mapping[str, int], least: list[Row], job: str | None = None) -> Retention:
    shown: list[dict[str, Any]] = [{name: one[name] for name in Archived.model_fields} for one in least]
    counts = {name: done.get(name, 0) for name in _Run.COUNTS}
    first = tuple(Archived(**one) for one in shown)
    return Retention(applied=run.apply, scopes=len(whose), least=first, job=job, **counts)


def _job(name: str, id_: str, scope: Scope, properties: Mapping[str, Any]) -> Call:
    return Call(statement(name), {"scope": scope.own, "id": id_, "properties": properties})
