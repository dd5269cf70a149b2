"""The picture and the charts, without a server: what is chosen, and where it stands."""

from __future__ import annotations

import math
import random
import re
from datetime import date, timedelta
from typing import Any

import pytest

from graphmem.measure import spread
from graphmem.report import charts
from graphmem.report.figures import WEEKS, curve, weeks
from graphmem.report.layout import COLUMN, ROW, WIDTH, drawn
from graphmem.report.models import Ended, Graph, Week
from graphmem.report.picture import MOST, picture

KINDS = ("episode", "reflection", "skill")


def node(id_: str, kind: str = "episode", user: str = "") -> dict[str, Any]:
    outcome = "success" if kind == "episode" else None
    return {"id": id_, "user": user, "kind": kind, "label": id_, "status": "active", "outcome": outcome}


def edge(start: str, end: str, kind: str = "similar", user: str = "") -> dict[str, Any]:
    return {"start": start, "start_user": user, "end": end, "end_user": user, "kind": kind}


def drawable(count: int, seed: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    source = random.Random(seed)
    nodes = [node(f"n{n}", source.choice(KINDS)) for n in range(count)]
    pairs = {tuple(source.sample(range(count), 2)) for _ in range(2 * count)}
    return nodes, [edge(f"n{a}", f"n{b}") for a, b in sorted(pairs)]


def test_the_best_linked_part_is_shown() -> None:
    nodes = [node(name) for name in ("lone", "a", "b", "c", "hub", "d", "x", "y")]
    edges = [edge("hub", other) for other in "abcd"] + [edge("x", "y"), edge("a", "nowhere")]
    shown = picture(nodes, edges)
    assert shown.nodes[0].id == "hub"
    assert {one.id: one.links for one in shown.nodes} == {
        "hub": 4, "a": 1, "b": 1, "c": 1, "d": 1, "x": 1, "y": 1,
    }  # fmt: skip


def test_of_very_many_memories_sixty_are_shown_and_they_hang_together() -> None:
    nodes = [node(f"n{n}") for n in range(300)]
    edges = [edge(f"n{n}", f"n{n + 1}") for n in range(299) if n != 150]
    shown = picture(nodes, edges)
    assert len(shown.nodes) == MOST == 60
    assert len(shown.edges) == 59, "one chain"


def test_two_memories_of_one_id_are_two() -> None:
    shown = picture([node("a"), node("a", user="u7"), node("b", user="u7")], [edge("a", "b", user="u7")])
    assert [(one.id, one.user) for one in shown.nodes] == [("a", "u7"), ("b", "u7")]


def test_a_link_that_is_told_twice_is_one_and_nothing_linked_is_nothing() -> None:
    assert len(picture([node("a"), node("b")], [edge("a", "b"), edge("a", "b")]).edges) == 1
    assert picture([node("a")], []) == Graph()
    assert picture([], []) == Graph()


@pytest.mark.parametrize("count", [2, 7, 60, 200])
@pytest.mark.parametrize("seed", range(3))
def test_equal_graphs_give_equal_drawings_in_which_nothing_overlaps(count: int, seed: int) -> None:
    graph = picture(*drawable(count, seed))
    drawing = drawn(graph)
    assert drawing == drawn(graph)
    assert [spot.number for spot in drawing.spots] == list(range(1, len(graph.nodes) + 1))
    for spot in drawing.spots:
        assert 12 <= spot.x <= WIDTH - 12
        assert 30 <= spot.y <= drawing.height - 12
        nearest = min(COLUMN, key=lambda kind: abs(COLUMN[kind] - spot.x))
        assert nearest is spot.node.kind
    for place, one in enumerate(drawing.spots):
        for other in drawing.spots[place + 1 :]:
            assert math.dist((one.x, one.y), (other.x, other.y)) >= ROW - 0.11
    assert len(drawing.lines) == len(graph.edges)


def test_what_is_linked_stands_at_like_heights() -> None:
    """Each episode leads to one reflection, named in the opposite order: no two lines cross."""
    nodes = [node(f"e{n}") for n in range(8)] + [node(f"r{n}", "reflection") for n in range(8)]
    drawing = drawn(picture(nodes, [edge(f"e{n}", f"r{7 - n}", "derives") for n in range(8)]))
    assert {line.start.y - line.end.y for line in drawing.lines} == {0.0}
    assert {line.look for line in drawing.lines} == {"derives"}
    assert drawing.led(drawing.lines[0].start) == f"derives {drawing.lines[0].end.number}"


def test_a_rate_without_any_attempt_is_none_and_one_has_its_interval() -> None:
    assert Ended.of() == Ended(rate=None, lower=0.0, upper=1.0)
    half = Ended.of(success=5, mixed=2, fail=3)
    assert (half.known, half.rate) == (10, 0.5)
    assert (half.lower, half.upper) == (pytest.approx(0.2366, abs=1e-4), pytest.approx(0.7634, abs=1e-4))


def test_quartiles_are_between_neighbours_in_proportion() -> None:
    assert spread([]) is None
    one = spread([7])
    assert one is not None
    assert (one.lower, one.median, one.upper) == (7, 7, 7)
    four = spread([40, 10, 30, 20])
    assert four is not None
    assert (four.lower, four.median, four.upper) == (17.5, 25, 32.5)


def test_attempts_after_the_tenth_are_counted_together_and_old_weeks_left_out() -> None:
    start = date(2020, 1, 6)
    rows = [
        {"week": str(start + timedelta(weeks=n)), "attempt": min(n, 11), "outcome": "success", "episodes": 1}
        for n in range(1, 100)
    ]
    later = curve(rows)[-1]
    assert (later.n, later.open_ended, later.ended.success) == (11, True, 89)
    found = weeks([], rows)
    assert len(found) == WEEKS
    assert found[-1].starts == start + timedelta(weeks=99)


def test_a_chart_stays_inside_and_is_in_the_right_places() -> None:
    chart = charts.curve([("1", Ended.of(success=1, fail=1)), ("2", Ended()), ("3", Ended.of(success=4))])
    assert chart is not None
    assert [tick.label for tick in chart.across] == ["1", "3"], "of the second nothing is known"
    places = {tick.label: tick.place for tick in chart.up}
    assert [point.y for point in chart.points] == [places["50%"], places["100%"]]
    numbers = [float(number) for number in re.findall(r"[\d.]+", chart.band)]
    assert all(0 <= x <= charts.WIDTH for x in numbers[::2])
    assert all(places["100%"] <= y <= places["0%"] for y in numbers[1::2])
    assert charts.curve([("1", Ended())]) is None


def test_bars_are_as_high_as_what_they_count() -> None:
    start = date(2025, 6, 2)
    kinds = ("use", "novel")
    asked = [Week(starts=start, use=3, novel=1), Week(starts=start + timedelta(weeks=1), use=1)]
    bars = charts.mix([*asked, Week(starts=start + timedelta(weeks=2))], kinds)
    assert bars is not None
    heights = [(bar.kind, bar.height) for bar in bars.pieces]
    unit = heights[1][1]
    assert heights == [("use", pytest.approx(3 * unit)), ("novel", unit), ("use", pytest.approx(unit))]
    assert [tick.label for tick in bars.up] == ["0", "2", "4"]
    assert [tick.label for tick in bars.across] == ["02 Jun", "09 Jun"]
    many = charts.mix([Week(starts=start + timedelta(weeks=n), use=1) for n in range(WEEKS)], kinds)
    assert many is not None
    assert len(many.across) <= charts.LABELS
    assert max(bar.x + bar.width for bar in many.pieces) <= charts.WIDTH
    assert charts.mix([], kinds) is None
