"""The monitor: figures over a sliding window, checked against counting by hand, and the curve."""

from __future__ import annotations

from pathlib import Path
from threading import Thread
from xml.etree import ElementTree

import pytest

from graphmem.agent import Monitor, Observation
from graphmem.errors import InvalidInput

SVG = "{http://www.w3.org/2000/svg}"


def seen(*verdicts: bool | None, **fields: object) -> list[Observation]:
    return [Observation(verdict, **fields) for verdict in verdicts]  # type: ignore[arg-type]


def watching(observations: list[Observation], window: int = 100) -> Monitor:
    monitor = Monitor(window)
    for one in observations:
        monitor.observe(one)
    return monitor


def test_of_nothing_nothing_is_said() -> None:
    report = Monitor().report()
    assert (report.total, report.seen, report.validated, report.unique_domains) == (0, 0, 0, 0)
    assert (report.success_rate, report.improvement, report.novelty_rate, report.false_hit_rate) == (None,) * 4
    assert report.reflection_length is None
    assert report.interval == (0.0, 1.0)
    assert not report.plateau
    assert report.cohorts == ()


def test_only_the_validated_ones_count() -> None:
    report = watching(seen(True, None, False, None, None, True)).report()
    assert (report.seen, report.validated) == (6, 3)
    assert report.success_rate == pytest.approx(2 / 3)
    assert report.interval == pytest.approx((0.2077, 0.9385), abs=1e-3)


def test_the_window_slides() -> None:
    report = watching(seen(*[False] * 150, *[True] * 60)).report()
    assert (report.total, report.seen, report.success_rate) == (210, 100, 0.6)


@pytest.mark.parametrize(
    ("verdicts", "improvement"),
    [
        ([False] * 20 + [True] * 10, 1 / 3),
        ([True] * 20 + [False] * 20, -0.5),
        ([False] * 20, None),
        ([True] * 5, None),
        ([False, True] * 10 + [True] * 100, 0.5),
    ],
)
def test_improvement_is_since_the_first_twenty(verdicts: list[bool], improvement: float | None) -> None:
    assert watching(seen(*verdicts)).report().improvement == (improvement and pytest.approx(improvement))


@pytest.mark.parametrize(
    ("verdicts", "plateau"),
    [
        ([True] * 10, True),
        ([True] * 9, False),  # the window is not full of validated ones
        ([False] * 5 + [True] * 5, False),
        ([True] * 5 + [False] * 5, True),
        ([None] * 5 + [True] * 5, False),
    ],
)
def test_a_plateau_is_a_full_window_that_does_not_get_better(verdicts: list[bool | None], plateau: bool) -> None:
    assert watching(seen(*verdicts), window=10).report().plateau is plateau


def test_novelty_false_hits_domains_and_reflections() -> None:
    report = watching(
        [
            Observation(True, novel=True, domain="a", reflection=100),
            Observation(False, answered=True, false_hit=True, domain="a", reflection=300),
            Observation(True, answered=True, domain="b"),
            Observation(None, domain="c"),
        ]
    ).report()
    assert (report.novelty_rate, report.false_hit_rate) == (0.25, 0.5)
    assert (report.unique_domains, report.reflection_length) == (3, 200)


def test_cohorts_are_told_apart() -> None:
    mixed = seen(False, False, True, True, cohort="sums") + seen(True, None, cohort="verbs")
    sums, verbs = watching(mixed).report().cohorts
    assert (sums.name, sums.seen, sums.validated, sums.success_rate, sums.change) == ("sums", 4, 4, 0.5, 1.0)
    assert (verbs.name, verbs.seen, verbs.validated, verbs.success_rate, verbs.change) == ("verbs", 2, 1, 1.0, None)


def test_threads_lose_no_problem() -> None:
    monitor = Monitor()
    threads = [Thread(target=lambda: [monitor.observe(Observation(True)) for _ in range(500)]) for _ in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert monitor.report().total == 4000


@pytest.mark.parametrize("window", [1, 0, -5, 10_001, 2.0, True])
def test_what_is_no_window_is_refused(window: object) -> None:
    with pytest.raises(InvalidInput):
        Monitor(window)  # type: ignore[arg-type]


def test_the_curve_shows_the_rates_of_the_window(tmp_path: Path) -> None:
    monitor = watching([Observation(False, novel=True)] * 10 + [Observation(True, answered=True)] * 10, window=10)
    path = monitor.curve(tmp_path / "curve.svg", "Sums & <products>")
    root = ElementTree.fromstring(path.read_text("utf-8"))
    assert root.findtext(f"{SVG}title") == "Sums & <products>"
    lines = [
        [tuple(map(float, point.split(","))) for point in line.get("points", "").split()]
        for line in root.iter(f"{SVG}polyline")
    ]
    success, novel, misled = lines
    assert (len(success), len(novel), len(misled)) == (20, 20, 10)
    assert success[0][1] == success[9][1] > success[14][1] > success[19][1]  # upwards is less
    assert success[9][1] - success[14][1] == pytest.approx(success[14][1] - success[19][1], abs=0.2)
    assert novel[0][1] == success[19][1]
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert {"success 100%", "novel 0%", "false hits 0%"} <= set(texts)


@pytest.mark.parametrize("number", [0, 1, 2, 9999])
def test_a_curve_of_any_length_is_drawn(tmp_path: Path, number: int) -> None:
    root = ElementTree.fromstring(watching(seen(*[True] * number)).curve(tmp_path / "c.svg").read_text("utf-8"))
    points = [line.get("points", "").split() for line in root.iter(f"{SVG}polyline")]
    assert all(len(one) <= 402 for one in points)
    assert len(points) == (2 if number else 0)
