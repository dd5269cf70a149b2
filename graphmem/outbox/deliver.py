"""Delivery: what waits is written as if it had been said now, in its order, and then gone from the outbox.

An entry goes only after its transaction was committed, and each write may be said twice: so whoever dies when, nothing
is lost and nothing doubled. What the store refuses for good becomes a dead letter; what it cannot take now stays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from graphmem.correct import feedback
from graphmem.errors import Conflict, GraphmemError, InvalidInput, NotFound, StoreError, StoreUnavailable
from graphmem.outbox.entry import Entry, recorded, said_of
from graphmem.outbox.file import Lease
from graphmem.record import BATCH, Order, Recorded, Result, record
from graphmem.scope import Scope
from graphmem.steps import Knock, Pending, Settle, Stage, Turn
from graphmem.telemetry import logger

_LOG = logger("outbox")
OTHERS = "another client is delivering what came before"
MORE = "more wait than one call delivers"
UNFIT = ("Neo.ClientError.Statement.TypeError", "Neo.ClientError.Statement.ArgumentError")
"""What the server says of a value that it cannot keep."""
DAMAGED = (ValueError, KeyError, TypeError)


@dataclass(frozen=True, slots=True)
class Means:
    """What entries are delivered with.

    The vectors' model, for how many days receipts are kept, how ids are made, and what gets the database ready.
    """

    embedding_model: str
    keep_days: float
    new_id: Callable[[], str]
    ready: Callable[[], Stage[None]]


@dataclass(frozen=True, slots=True)
class Delivery:
    """What was delivered, and why some of it still waits: `left` is empty when nothing does.

    `away` is the error of a store that was away, or went away meanwhile.
    """

    delivered: int = 0
    unchanged: int = 0
    left: str = ""
    away: StoreUnavailable | None = None


@dataclass(slots=True)
class _Tally:
    """What became of the entries of one batch so far."""

    delivered: list[int] = field(default_factory=list)
    dead: dict[int, str] = field(default_factory=dict)
    results: Counter[Result] = field(default_factory=Counter)


def deliver(
    scope: Scope, means: Means, most: int, patience: float, progress: Callable[[int], object] = lambda done: None
) -> Stage[Delivery]:
    """Deliver at most so many entries of a client's scope, the oldest first, waiting for others who do the same.

    Where none wait, nothing is asked of the store. `progress` is told how many are delivered. Raises what else keeps
    the store from taking anything, such as AccessDenied, and OutboxError; what was not delivered waits on.
    """
    done: Counter[Result] = Counter()
    if not (yield Pending(scope)):
        return Delivery()
    try:
        yield Knock()
        yield from means.ready()
        lease: Lease | None = yield Turn(patience)
        if lease is None:
            return _delivery(done, OTHERS if (yield Pending(scope)) else "")
        with lease:
            while handled := (yield from _batch(scope, means, min(BATCH, most), done)):
                most -= handled
                progress(done.total())
                if most <= 0:
                    return _delivery(done, MORE if (yield Pending(scope)) else "")
    except StoreUnavailable as error:
        return _delivery(done, str(error), error)
    return _delivery(done)


def _delivery(done: Counter[Result], left: str = "", away: StoreUnavailable | None = None) -> Delivery:
    return Delivery(done.total(), done[Result.UNCHANGED], left, away)


def _batch(scope: Scope, means: Means, most: int, done: Counter[Result]) -> Stage[int]:
    """Deliver the oldest entries; how many there were. What was written before a failure is settled all the same."""
    entries: Sequence[Entry] = yield Pending(scope, most)
    tally = _Tally()
    try:
        for _, run in groupby(entries, key=_together):
            yield from _run(list(run), means, tally)
    except GraphmemError:
        yield from _settled(tally, done)
        raise
    yield from _settled(tally, done)
    return len(entries)


def _settled(tally: _Tally, done: Counter[Result]) -> Stage[None]:
    if tally.delivered or tally.dead:
        yield Settle(tally.delivered, tally.dead)
    if tally.delivered:
        _LOG.info("delivered from the outbox: %d", len(tally.delivered))
    if tally.dead:
        _LOG.warning("refused for good, now dead letters ('graphmem flush'): %d", len(tally.dead))
    done.update(tally.results)


def _together(entry: Entry) -> tuple[str, str, int]:
    """Neighbours that are written in one transaction are equal in this: records that go to the same scope."""
    return entry.verb, entry.owner, entry.number if entry.verb == "feedback" else 0


def _run(entries: Sequence[Entry], means: Means, tally: _Tally) -> Stage[None]:
    read: list[Entry] = []
    for entry in entries:
        try:
            _ = recorded(entry) if entry.verb == "record" else said_of(entry)
            read.append(entry)
        except DAMAGED as error:
            tally.dead[entry.number] = f"it was damaged in the outbox: {' '.join(str(error).split())[:200]}"
    if read:
        yield from _written(read, means, tally)


def _written(entries: Sequence[Entry], means: Means, tally: _Tally) -> Stage[None]:
    """Write entries in one transaction; where it is refused because of some, the halves of it, so the others get in."""
    try:
        if entries[0].verb == "record":
            yield from _recorded(entries, means, tally)
        else:
            yield from _said(entries[0], means, tally)
    except GraphmemError as error:
        if not _for_good(error):
            raise
        if len(entries) == 1:
            tally.dead[entries[0].number] = str(error)
            return
        half = len(entries) // 2
        yield from _written(entries[:half], means, tally)
        yield from _written(entries[half:], means, tally)


def _recorded(entries: Sequence[Entry], means: Means, tally: _Tally) -> Stage[None]:
    last = entries[-1]
    order = Order(last.scope, last.share, last.at, means.embedding_model, means.new_id)
    answers: tuple[Recorded, ...] = yield from record([recorded(entry) for entry in entries], order)
    for entry, answer in zip(entries, answers, strict=True):
        if answer.stored:
            tally.delivered.append(entry.number)
            tally.results[answer.result] += 1
        else:
            tally.dead[entry.number] = answer.problem


def _said(entry: Entry, means: Means, tally: _Tally) -> Stage[None]:
    about, verdict = said_of(entry)
    yield from feedback(about, verdict, entry.scope, entry.at, means.keep_days, means.embedding_model)
    tally.delivered.append(entry.number)
    tally.results[Result.CREATED] += 1


def _for_good(error: GraphmemError) -> bool:
    """Whether it is this very write that is refused, whenever it is tried."""
    if isinstance(error, StoreError):
        return getattr(error.__cause__, "code", "") in UNFIT
    return isinstance(error, Conflict | InvalidInput | NotFound)
