"""The verb `report`: how a scope's memory works, read in a dozen bounded statements."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from graphmem.measure import metrics
from graphmem.models import Status
from graphmem.report.figures import TOLD_APART, corrections, curve, ended, weeks
from graphmem.report.models import Graph, Proof, Report, Slow, Speed
from graphmem.report.picture import picture
from graphmem.scope import Scope
from graphmem.steps import Call, Read, Row, Stage
from graphmem.store.catalogue import statement

LOOKED = 100_000  # receipts, and episodes, that are counted, the newest
BLAMED = 10_000  # memories that misled, those blamed last
SKILLS = 50
SLOWEST = 10
LINKED = 50_000  # memories among which the best linked are sought, the newest
SEEDS, FANOUT = 40, 10  # best linked ones, and neighbours of each, out of which the picture is made
EDGES = 2_000


def report(scope: Scope, now: datetime) -> Stage[Report]:
    """Measure the client's own scope, and look at the memories that it sees."""
    own = {"scope": scope.own, "now": now, "looked": LOOKED}
    seen = {"scopes": scope.visible, "now": now}
    recalls = yield from _read("recalls", own)
    attempts = yield from _read("attempts", {**seen, "looked": LOOKED, "most": TOLD_APART})
    blamed = yield from _read("blamed", {**own, **seen, "most": BLAMED})
    skills = yield from _read("skills", {**seen, "most": SKILLS})
    speed = yield from _read("speed", {**own, "most": SLOWEST})
    bounds = {"looked": LINKED, "seeds": SEEDS, "fanout": FANOUT, "most": EDGES}
    graph = yield from _read("graph", {**seen, **bounds})
    return Report(
        tenant=scope.tenant,
        user=scope.user,
        at=now,
        metrics=(yield from metrics(None, scope, now)),
        recalls=ended((row["outcome"], row["recalls"]) for row in recalls),
        weeks=weeks(recalls, attempts),
        attempts=curve(attempts),
        corrections=corrections(blamed),
        skills=tuple(Proof(**{**row, "status": Status(row["status"])}) for row in skills),
        speed=_speed(speed[0]),
        graph=picture(graph[0]["nodes"], graph[0]["edges"]) if graph else Graph(),
    )


def _read(name: str, given: dict[str, Any]) -> Stage[Sequence[Row]]:
    rows: Sequence[Row] = yield Read(Call(statement(f"report/{name}"), given))
    return rows


def _speed(row: Row) -> Speed:
    return Speed(**{**row, "slowest": tuple(Slow(**slow) for slow in row["slowest"])})
