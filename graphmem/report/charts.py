"""Charts as places in a drawing, which the page then draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphmem.report.models import Ended, Week

WIDTH, HEIGHT = 360.0, 180.0  # of a chart, in units of its own: the width of a small phone
LEFT, RIGHT, TOP, BOTTOM = 38.0, 10.0, 10.0, 24.0
LABELS = 5  # below the axis, at most
TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on an axis: where, and what it says."""

    place: float
    label: str


@dataclass(frozen=True, slots=True)
class Point:
    """A rate in a chart: where it stands."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Curve:
    """A rate in [0, 1] over something: `points` are joined by `line`, around which `band` is the interval."""

    points: tuple[Point, ...]
    line: str
    band: str
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]


@dataclass(frozen=True, slots=True)
class Bar:
    """A piece of a bar: of which kind it is, and where."""

    kind: str
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Bars:
    """Counts in pieces, one bar for each week."""

    pieces: tuple[Bar, ...]
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]


def curve(steps: Sequence[tuple[str, Ended]]) -> Curve | None:
    """The rates of named steps, with their intervals; None where nothing is known of any."""
    known = [(label, ended) for label, ended in steps if ended.rate is not None]
    if not known:
        return None
    places = [_across(place, len(known)) for place in range(len(known))]
    points = [Point(x, _up(ended.rate or 0.0)) for x, (_, ended) in zip(places, known, strict=True)]
    above = [f"{x:g},{_up(ended.upper):g}" for x, (_, ended) in zip(places, known, strict=True)]
    below = [f"{x:g},{_up(ended.lower):g}" for x, (_, ended) in zip(places, known, strict=True)]
    return Curve(
        points=tuple(points),
        line=" ".join(f"{point.x:g},{point.y:g}" for point in points),
        band=" ".join([*above, *reversed(below)]),
        across=_labels(places, [label for label, _ in known]),
        up=tuple(Tick(_up(tick), f"{tick:.0%}") for tick in TICKS),
    )


def mix(weeks: Sequence[Week], kinds: Sequence[str]) -> Bars | None:
    """How many recalls of each week were decided how; None where nothing was asked."""
    asked = [week for week in weeks if week.asked]
    if not asked:
        return None
    most = max(week.asked for week in asked)
    width = (WIDTH - LEFT - RIGHT) / len(asked)
    pieces: list[Bar] = []
    for place, week in enumerate(asked):
        below = 0
        for kind in kinds:
            count = getattr(week, kind)
            if count:
                y, end = _up((below + count) / most), _up(below / most)
                x = round(LEFT + width * (place + 0.1), 1)
                pieces.append(Bar(kind, x, y, round(min(width * 0.8, 40.0), 1), round(end - y, 1)))
                below += count
    middles = [round(LEFT + width * (place + 0.1) + min(width * 0.8, 40.0) / 2, 1) for place in range(len(asked))]
    labels = [f"{week.starts:%d %b}" for week in asked]
    ticks = sorted({0, most // 2, most})
    return Bars(tuple(pieces), _labels(middles, labels), tuple(Tick(_up(tick / most), str(tick)) for tick in ticks))


def _labels(places: Sequence[float], labels: Sequence[str]) -> tuple[Tick, ...]:
    step = max(1, -(-len(places) // LABELS))
    return tuple(Tick(place, label) for place, label in list(zip(places, labels, strict=True))[::step])


def _across(place: int, of: int) -> float:
    inner = WIDTH - LEFT - RIGHT - 30
    return round(LEFT + 15 + (inner / 2 if of == 1 else inner * place / (of - 1)), 1)


def _up(share: float) -> float:
    return round(TOP + (HEIGHT - TOP - BOTTOM) * (1 - share), 1)
