"""The last phase: which skills are trusted, by what is known of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from graphmem.errors import StoreError
from graphmem.govern.status import Event, Move, held, moved
from graphmem.learn.consensus import grounded
from graphmem.learn.evidence import Evidence, Policy, Ruling, Tried, Used, Verdict, decide
from graphmem.learn.models import Decided
from graphmem.learn.work import Tally, Work
from graphmem.models import Status
from graphmem.record.properties import intact
from graphmem.steps import Call, Read, Row, Stage, Write

PAGE = 20  # skills looked at in one transaction
BY = "consolidation"


@dataclass(frozen=True, slots=True)
class _Judged:
    """A skill, and what its evidence says."""

    row: Row
    verdict: Verdict

    @property
    def id(self) -> str:
        return str(self.row["id"])

    @property
    def promoted(self) -> bool:
        """Whether it is to become active."""
        return self.verdict.ruling is Ruling.PROMOTE

    @property
    def change(self) -> str:
        """From what to what; empty when it stays as it is."""
        ruling, status = self.verdict.ruling, self.row["status"]
        if ruling is Ruling.PROMOTE and status == Status.CANDIDATE:
            return f"{status} → {Status.ACTIVE.value}"
        if ruling is Ruling.DEMOTE:
            return f"{status} → {Status.QUARANTINED.value}"
        return ""


def judge(work: Work, tally: Tally, dry_run: bool = False, only: Sequence[str] | None = None) -> Stage[None]:
    """Promote candidates that are proven, take skills that keep failing out of use, and note how well each is proven.

    A skill that takes the place of an older version corrects it. In a dry run it is only said. Without `only`,
    the ids of skills, all of the scope are judged. Nothing is written unless this worker leads.
    """
    after = ""
    while True:
        rows = yield Read(work.call("evidence", now=work.clock(), after=after, most=PAGE, only=only))
        if not rows:
            return
        judged = [one for row in rows if (one := _judged(row, work, tally)) is not None]
        after = str(rows[-1]["id"])
        changed = [one for one in judged if one.change and not _outdone(one, judged)]
        if not dry_run:
            made = {row["id"] for row in (yield Write(_calls(judged, changed, work)))[-2]}
            changed = [one for one in changed if one.id in made]
        tally.decided += [Decided(id=one.id, change=one.change, reason=one.verdict.reason) for one in changed]


def _judged(row: Row, work: Work, tally: Tally) -> _Judged | None:
    try:
        with intact(row):
            return _Judged(row, decide(_evidence(row), _policy(work)))
    except StoreError as error:
        tally.warn((str(error),))
        return None


def _evidence(row: Row) -> Evidence:
    """What counts: attempts only if the skill says what they did, so that no words are proven by others' deeds."""
    done = [(json.loads(one["trajectory"] or "[]"), one["techniques"] or []) for one in row["grounds"]]
    actions = [[step["action"] for step in steps] + [f"Use {one}" for one in used] for steps, used in done]
    return Evidence(
        attempts=tuple(Tried(**attempt) for attempt in row["attempts"]) if grounded(row["steps"], actions) else (),
        uses=tuple(Used(**use) for use in row["uses"]),
        contradictions=row["contradictions"],
        approved_by=row["approved_by"] or "",
        demoted=row["demoted"],
    )


def _outdone(one: _Judged, judged: Sequence[_Judged]) -> bool:
    """Whether a newer version of the same skill is promoted as well."""
    family, version = one.row["family"], one.row["version"]
    return one.promoted and any(
        other.promoted and family is not None and other.row["family"] == family and other.row["version"] > version
        for other in judged
    )


def _policy(work: Work) -> Policy:
    return Policy(**{name: getattr(work.settings, name) for name in Policy.model_fields})


def _calls(judged: Sequence[_Judged], changed: Sequence[_Judged], work: Work) -> list[Call]:
    proven = [
        {
            "id": one.id,
            "support": one.verdict.tally.support,
            "rate": one.verdict.tally.successes / one.verdict.tally.trials if one.verdict.tally.trials else 0.0,
            "low": one.verdict.lower,
        }
        for one in judged
    ]
    scopes, now = [work.scope.own], work.clock()
    moves = [move for one in changed for move in _moves(one, work, now)]
    newer = [
        {"older": older, "newer": one.id, "reason": f"version {one.row['version']} of the skill"}
        for one in changed
        if one.promoted
        for older in one.row["older"]
    ]
    return [
        work.turn(),
        held(moves, scopes, [one.id for one in judged]),
        work.call("proven", rows=proven, worker=work.worker),
        moved(moves, scopes, now),
        work.call("supersede", rows=newer, by=BY, now=now),
    ]


def _moves(one: _Judged, work: Work, now: datetime) -> Iterator[Move]:
    """The change of the skill itself; when it is promoted, its older versions make way."""
    to = Status.ACTIVE if one.promoted else Status.QUARANTINED
    yield _move(one.id, Status(one.row["status"]), to, one.verdict.reason, work, now)
    for older in one.row["older"] if one.promoted else ():
        why = f"version {one.row['version']} is active"
        yield _move(older, Status.ACTIVE, Status.SUPERSEDED, why, work, now, needs=one.id)


def _move(id_: str, was: Status, to: Status, why: str, work: Work, now: datetime, needs: str | None = None) -> Move:
    event = Event(at=now, what="promoted" if to is Status.ACTIVE else to.value, by=BY, reason=why)
    return Move(work.scope.own, id_, frozenset({was}), to, event, needs=needs, lead=work.worker)
