"""What a scope keeps, and what of it waits to be consolidated."""

from __future__ import annotations

from datetime import datetime

from graphmem.measure.spread import Spread, spread
from graphmem.models import Kind, Status, Value
from graphmem.scope import Scope
from graphmem.steps import Call, Read, Stage
from graphmem.store.catalogue import statement
from graphmem.text import Instant


class Stock(Value):
    """How many memories of one kind stand so; secure ones count too."""

    kind: Kind
    status: Status
    memories: int


class Lag(Value):
    """How far consolidation is behind.

    `waiting` episodes are not reflected yet, the oldest since `oldest`; `dead` ones were tried too often. `waited` is
    how long the latest thousand that were reflected had waited, in seconds, from recorded to reflected.
    """

    waiting: int = 0
    oldest: Instant | None = None
    dead: int = 0
    waited: Spread | None = None


def stock(scope: Scope, now: datetime) -> Stage[tuple[Stock, ...]]:
    """What the client's own scope keeps, expired memories left out."""
    rows = yield Read(Call(statement("measure/stock"), {"scope": scope.own, "now": now}))
    return tuple(Stock(**{**row, "kind": Kind(row["kind"]), "status": Status(row["status"])}) for row in rows)


def lag(scope: Scope, now: datetime) -> Stage[Lag]:
    """What waits in the client's own scope, and how long others waited."""
    (row,) = yield Read(Call(statement("learn/queue"), {"scope": scope.own, "now": now}))
    counts = {name: row[name] for name in ("waiting", "oldest", "dead")}
    return Lag(**counts, waited=spread(row["lags"]))
