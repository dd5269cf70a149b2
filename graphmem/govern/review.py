"""The verbs `review`, `reviews` and `retire`: what a person decides about memories, and what waits for a decision."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field

from graphmem.correct.correction import CLOSE
from graphmem.errors import InvalidInput, StoreUnavailable
from graphmem.govern.ended import Ending, end
from graphmem.govern.status import Event, Move, Standing, held, moved, standing
from graphmem.models import Identifier, Input, Kind, Outcome, Status, Text, Value, Words
from graphmem.scope import Scope
from graphmem.steps import Call, Read, Row, Stage, Write
from graphmem.store.catalogue import statement
from graphmem.text import Instant

ATTEMPTS = 50  # each loss means that another writer won
APPROVED, REJECTED = "approved", "rejected"
APPROVABLE = frozenset({Status.CANDIDATE, Status.QUARANTINED, Status.RETIRED, Status.ACTIVE})
REJECTABLE = frozenset(Status) - {Status.AUDIT}


class Verdict(Ending):
    """What a person says of a memory: whether it may be used, who says so, and why.

    With an `outcome` it also says how an episode ended that nobody knew the end of.
    """

    id: Identifier
    approve: Annotated[bool, Field(strict=True)]
    by: Words
    reason: Text = ""

    @property
    def word(self) -> str:
        """The verdict as the graph keeps it: approved or rejected."""
        return APPROVED if self.approve else REJECTED


class Retirement(Input):
    """Which memory is to be recalled no longer, who says so, and why."""

    id: Identifier
    by: Words
    reason: Text = ""


class Standings(Value):
    """Where a memory stands now, and where it stood; `changed` is false when it stood there already."""

    id: str
    before: Status
    status: Status
    recallable: bool
    changed: bool


class Reviewed(Standings):
    """What a verdict did: `settled` are the memories that this one contradicted openly until now.

    `superseded` are the older versions of the skill that were active.
    """

    verdict: str
    by: str
    settled: tuple[str, ...] = ()
    superseded: tuple[str, ...] = ()


class Why(StrEnum):
    """Why something waits for a person."""

    CANDIDATE = "candidate"
    CONTRADICTION = "contradiction"
    DEAD = "dead"
    QUARANTINED = "quarantined"


class Waiting(Value):
    """A memory that waits for a person: why, since when, and what it contradicts (`other`), if that is why."""

    why: Why
    id: str
    kind: Kind
    user: str
    label: str
    reason: str
    since: Instant | None
    other: str | None = None


class Page(Input):
    """How many to list."""

    limit: int = Field(50, ge=1, le=1000, strict=True)


def reviews(page: Page, scope: Scope, now: datetime) -> Stage[tuple[Waiting, ...]]:
    """What waits for a person in this scope, by reason, the longest waiting first."""
    given = {"scopes": scope.visible, "now": now, "limit": page.limit}
    rows = yield Read(Call(statement("govern/reviewable"), given))
    shown = ("why", "id", "kind", "user", "label", "since", "other")
    return tuple(Waiting(**{name: row[name] for name in shown}, reason=_reason(row)) for row in rows)


def review(said: Verdict, scope: Scope, now: datetime) -> Stage[Reviewed]:
    """Give a verdict: approved is active, rejected is retired; both settle the memory's open contradictions.

    An approved version of a skill takes the place of an older one; with an outcome, an episode that waited for one ends
    in it. Said again, nothing changes. Raises NotFound, and InvalidInput for an episode whose outcome is unknown still,
    or another one, for what was superseded, an older version of a keyed value too, and while a newer version is active.
    """
    superseded: list[str] = []
    for _ in range(ATTEMPTS):
        found = yield from standing(said.id, scope, now)
        ended = yield from end(said, found, scope)
        _check(said, found, ended)
        target = Status.ACTIVE if said.approve else Status.RETIRED
        event = Event(at=now, what=said.word, by=said.by, reason=said.reason)
        out_of = (APPROVABLE if said.approve else REJECTABLE) | ({Status.AUDIT} if ended else set())
        own = Move(found.scope, found.id, out_of, target, event, said.word, said.outcome)
        older = [one.id for one in found.versions if said.approve and one.status is Status.ACTIVE]
        why = f"version {found.version} ({found.id}) was approved"
        replaced = Event(at=now, what="superseded", by=said.by, reason=why)
        others = [Move(found.scope, id_, frozenset({Status.ACTIVE}), Status.SUPERSEDED, replaced) for id_ in older]
        stands = found.status is target and found.review == said.word
        moves = others if stands else [*others, own]
        calls = [
            held([own], scope.visible, [one.id for one in found.versions]),
            *ended,
            moved(moves, scope.visible, now),
            *(_corrects(found.id, id_, said, scope, now) for id_ in older),
            *([_revive(found, scope)] if said.approve else []),
            _settle(found, said, scope, now),
        ]
        answered = yield Write(calls)
        changed = {row["id"]: row["before"] for row in answered[1 + len(ended)]}
        superseded += [id_ for id_ in older if id_ in changed]
        if stands or found.id in changed:
            after = yield from standing(said.id, scope, now)
            return Reviewed(
                id=found.id,
                before=Status(changed.get(found.id, found.status)),
                status=after.status,
                recallable=after.recallable,
                changed=found.id in changed,
                verdict=said.word,
                by=said.by,
                settled=tuple(sorted(row["id"] for row in answered[-1])),
                superseded=tuple(sorted(superseded)),
            )
    raise _lost(said.id)


def retire(said: Retirement, scope: Scope, now: datetime) -> Stage[Standings]:
    """Take a memory out of recall; it stays to be looked at, and an approval brings it back. Raises NotFound."""
    event = Event(at=now, what="retired", by=said.by, reason=said.reason)
    for _ in range(ATTEMPTS):
        found = yield from standing(said.id, scope, now)
        if found.status is Status.RETIRED:
            return Standings(id=found.id, before=found.status, status=found.status, recallable=False, changed=False)
        move = Move(found.scope, found.id, frozenset({found.status}), Status.RETIRED, event)
        answered = yield Write([held([move], scope.visible), moved([move], scope.visible, now)])
        if answered[1]:
            return Standings(id=found.id, before=found.status, status=Status.RETIRED, recallable=False, changed=True)
    raise _lost(said.id)


def _check(said: Verdict, found: Standing, ended: Sequence[Call]) -> None:
    if found.outcome is Outcome.UNKNOWN and not ended:
        raise InvalidInput(
            f"nobody knows how episode {found.id} ended, so there is nothing to judge; say its outcome with the verdict"
        )
    if not said.approve:
        return
    if found.newest is not None:
        raise InvalidInput(
            f"memory {found.id} is an older version of a value whose newest one is {found.newest}; review that one, or "
            "put the older value again"
        )
    newer = [one for one in found.versions if one.status is Status.ACTIVE and one.number > found.version]
    if newer:
        told = f"{newer[-1].id}, version {newer[-1].number}"
        raise InvalidInput(f"a newer version of that skill is active ({told}); retire that one first")
    if found.status is Status.SUPERSEDED:
        raise InvalidInput(f"memory {found.id} was superseded; approve what took its place, or record it anew")


def _corrects(right: str, wrong: str, said: Verdict, scope: Scope, now: datetime) -> Call:
    given: dict[str, Any] = {"wrong": wrong, "right": right, "context": None, "receipt": None, "close": CLOSE}
    said_so = {"reason": said.reason or "a newer version was approved", "by": said.by}
    return Call(statement("correct/correct"), {**given, **said_so, "scopes": scope.visible, "now": now})


def _settle(found: Standing, said: Verdict, scope: Scope, now: datetime) -> Call:
    whose = {"scopes": scope.visible, "scope": found.scope, "id": found.id}
    return Call(statement("govern/reviewable_settle"), {**whose, "verdict": said.word, "by": said.by, "now": now})


def _revive(found: Standing, scope: Scope) -> Call:
    given = {"scopes": scope.visible, "scope": found.scope, "id": found.id}
    return Call(statement("govern/reviewable_revive"), given)


def _reason(row: Row) -> str:
    if row["why"] == Why.CANDIDATE:
        used = f"used with success {row['successes']} times, without {row['failures']}"
        support = "not counted yet" if row["support"] is None else row["support"]
        return f"distinct successful attempts behind it: {support}; {used}"
    if row["why"] == Why.CONTRADICTION:
        return f"it contradicts {row['other']}"
    return str(row["problem"] or "nobody said why")


def _lost(id_: str) -> StoreUnavailable:
    return StoreUnavailable(f"memory {id_} was changed by others {ATTEMPTS} times meanwhile; try again")
