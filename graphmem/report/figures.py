"""Rows of the graph as the figures of a report: pure counting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date

from graphmem.measure import spread
from graphmem.models import Outcome, Status
from graphmem.recall import Decision
from graphmem.report.models import Attempt, Blamed, Corrections, Ended, Week
from graphmem.steps import Row

WEEKS = 53  # that are shown, the last ones
TOLD_APART = 10  # attempts at one task; the later ones are counted together
OPEN = 10  # memories that misled and are not corrected
KNOWN = (Outcome.SUCCESS, Outcome.MIXED, Outcome.FAIL)


def weeks(recalls: Sequence[Row], attempts: Sequence[Row]) -> tuple[Week, ...]:
    """The last weeks in which anything was asked or lived, oldest first."""
    starts = sorted({row["week"] for row in (*recalls, *attempts)})[-WEEKS:]
    return tuple(
        _week(
            start,
            [row for row in recalls if row["week"] == start],
            [row for row in attempts if row["week"] == start],
        )
        for start in starts
    )


def ended(counts: Iterable[tuple[str, int]]) -> Ended:
    """How attempts ended, from outcomes and how often each was; unknown ones do not count."""
    total: Counter[str] = Counter()
    for outcome, count in counts:
        total[outcome] += count
    return Ended.of(**{outcome.value: total[outcome.value] for outcome in KNOWN})


def curve(rows: Sequence[Row]) -> tuple[Attempt, ...]:
    """How first, second, … attempts at their tasks ended."""
    return tuple(
        Attempt(
            n=n,
            open_ended=n > TOLD_APART,
            ended=ended((row["outcome"], row["episodes"]) for row in rows if row["attempt"] == n),
        )
        for n in sorted({row["attempt"] for row in rows})
    )


def corrections(rows: Sequence[Row]) -> Corrections:
    """What became of memories that misled, from since when they did and when that was answered."""
    answered = [row for row in rows if row["answered"] is not None]
    return Corrections(
        blamed=len(rows),
        corrected=len(answered),
        took=spread((row["answered"] - row["since"]).total_seconds() for row in answered),
        open=tuple(_blamed(row) for row in rows if row["answered"] is None)[:OPEN],
    )


def _week(start: str, recalls: Sequence[Row], attempts: Sequence[Row]) -> Week:
    asked: Counter[str] = Counter()
    for row in recalls:
        asked[row["decision"]] += row["recalls"]
    return Week(
        starts=date.fromisoformat(start),
        **{decision.value: asked[decision.value] for decision in Decision},
        recalls=ended((row["outcome"], row["recalls"]) for row in recalls),
        episodes=ended((row["outcome"], row["episodes"]) for row in attempts),
    )


def _blamed(row: Row) -> Blamed:
    plain = {name: row[name] for name in ("id", "label", "times", "since")}
    return Blamed(**plain, status=Status(row["status"]))
