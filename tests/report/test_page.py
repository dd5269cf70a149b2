"""The page of a report in a real browser, on a phone and on a desk, by day and by night."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page

from graphmem.measure import Metrics
from graphmem.measure.conversion import Conversion
from graphmem.report import Report
from graphmem.report.page import page
from tests.browser import browsing, shots
from tests.report.story import HIDDEN

__all__ = ["shots"]
EMPTY = Report(
    tenant="acme",
    user="",
    at=datetime(2025, 6, 1, tzinfo=UTC),
    metrics=Metrics(domains=(), conversion=Conversion(), patterns=()),
)
CONTRAST = (Path(__file__).parent / "contrast.js").read_text("utf-8")
SEEN = [(width, scheme) for width in (360, 1280) for scheme in ("light", "dark")]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserContext]:
    """One browser for all of these tests."""
    with browsing(tmp_path_factory.mktemp("profile"), viewport={"width": 1280, "height": 900}) as made:
        yield made


@pytest.fixture
def show(browser: BrowserContext, tmp_path: Path) -> Iterator[Any]:
    """Open a report at a width and in a scheme; whatever it complains of or asks for is noted on the page."""
    opened: list[Page] = []

    def shown(report: Report, width: int = 1280, scheme: Any = "light") -> Page:
        file = tmp_path / "report.html"
        file.write_text(page(report), "utf-8")
        view = browser.new_page()
        opened.append(view)
        view.set_viewport_size({"width": width, "height": 800})
        view.emulate_media(color_scheme=scheme)
        noted: list[str] = []
        view.on("console", lambda message: noted.append(message.text))
        view.on("pageerror", lambda error: noted.append(str(error)))
        view.on("dialog", lambda dialog: (noted.append(dialog.message), dialog.dismiss()))
        view.on("request", lambda request: noted.append(request.url))
        view.goto(file.as_uri())
        assert noted == [file.as_uri()], "it asks for nothing but itself, and complains of nothing"
        return view

    yield shown
    for view in opened:
        view.close()


@pytest.mark.parametrize("report", ["told", "empty"])
@pytest.mark.parametrize(("width", "scheme"), SEEN)
def test_it_is_readable_on_a_phone_and_on_a_desk_by_day_and_by_night(
    show: Any, told: Report, shots: Path, report: str, width: int, scheme: str
) -> None:
    view = show(told if report == "told" else EMPTY, width, scheme)
    for shut in view.locator("details").all():
        shut.locator("summary").click()
    size = view.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert size[0] <= size[1] == width, "nothing makes the page scroll sideways"
    scrolling = view.evaluate(
        "[...document.querySelectorAll('.wide')].filter(e => e.scrollWidth > e.clientWidth).length"
    )
    assert scrolling == 0, "nor has any table to be"
    faint = view.evaluate(CONTRAST)
    assert faint["looked"] > (100 if report == "told" else 5)
    assert faint["faint"] == []
    shot = shots / f"{report}-{width}-{scheme}.png"
    view.screenshot(path=shot, full_page=True)
    assert shot.stat().st_size > 5_000


def test_the_contrast_that_is_computed_tells_faint_from_clear(show: Any) -> None:
    view = show(EMPTY)
    view.evaluate("document.querySelector('footer p').style.color = '#999'")
    (faint,) = view.evaluate(CONTRAST)["faint"]
    assert faint["text"].startswith("Recalls are those")
    assert faint["ratio"] == pytest.approx(2.85, abs=0.01)


def test_a_screen_reader_finds_its_way(show: Any, told: Report) -> None:
    view = show(told)
    assert view.evaluate("document.documentElement.lang") == "en"
    heads = view.evaluate("[...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map(e => +e.tagName[1])")
    assert heads.count(1) == 1
    assert heads[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(heads)), "no level is left out"
    snapshot = view.locator("body").aria_snapshot()
    for landmark in ("banner", "main", "contentinfo", 'navigation "Contents"'):
        assert re.search(rf"^- {landmark}", snapshot, re.MULTILINE), landmark
    for region in ("Learning", "Decisions", "False hits and corrections", "Skills", "Speed", "Graph"):
        assert f'region "{region}"' in snapshot
    for picture in ("Success rate by attempt at the same task", "Recalls by decision and week",
                    "The best connected memories"):  # fmt: skip
        assert f'img "{picture}"' in snapshot
    assert 'table "The slowest recalls"' in snapshot
    assert 'columnheader "Decision"' in snapshot
    assert 'rowheader "Open a valve' in snapshot
    pictures = view.locator("svg[role=img]")
    assert pictures.count() >= 5
    named = "s => [s.ariaLabelledByElements[0].tagName, s.ariaDescribedByElements[0].tagName]"
    assert {tuple(picture.evaluate(named)) for picture in pictures.all()} == {("title", "desc")}
    assert view.locator("th:not([scope]), table:not(:has(> caption)), svg:not([role=img], [aria-hidden])").count() == 0
    ids = view.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id)")
    assert len(ids) == len({*ids})
    targets = view.evaluate("[...document.querySelectorAll('nav a')].map(a => a.hash.slice(1))")
    assert {*targets} <= {*ids}


def test_what_memories_say_is_text(show: Any, told: Report) -> None:
    view = show(told)
    assert view.locator("script, img, link, iframe, object, [onerror], [onload]").count() == 0
    for shut in view.locator("details").all():
        shut.locator("summary").click()
    text = view.locator("body").inner_text()
    assert "<script>alert('x')</script> \\u202egnp.exe <img src=http://evil.invalid/x>" in text
    assert HIDDEN not in view.content()
    assert "sec1" not in view.content()


def test_what_cannot_be_seen_is_spelt_out() -> None:
    unseen = {"\u200b": "\\u200b", "\u2060": "\\u2060", "\ufeff": "\\ufeff", "\U000e0041": "\\U000e0041"}
    text = page(EMPTY.model_copy(update={"tenant": f"ac{''.join(unseen)}me", "user": "\u0646\u200c\u0647 \u200d"}))
    assert f"graphmem report: ac{''.join(unseen.values())}me, \u0646\u200c\u0647 \u200d</title>" in text
    assert not [one for one in unseen if one in text]


def test_the_figures_are_on_it(show: Any, told: Report) -> None:
    view = show(told)
    text = " ".join(view.locator("main").inner_text().split())
    assert "Success after recall 25% of 4 with feedback" in text
    assert "Answered wrongly: 2 of 3 recalls" in text
    assert "Memories that misled: 2, of which 1 corrected since, 1 not." in text
    assert "it took 2.0 d (median; quartiles 2.0 d and 2.0 d)" in text
    assert (
        "Episodes that wait to be reflected: 1, the oldest since 2025-06-12 00:00 (6.0 h). Tried too often: 0." in text
    )
    assert "Those reflected last had waited 3.6 d (median; quartiles 15.0 h and 7.4 d)." in text
    assert "(5 measured): half at most" in text
    domains = view.get_by_role("region", name="Decisions by domain")
    lab = domains.locator("tr", has=view.get_by_role("rowheader", name="lab", exact=True))
    assert lab.inner_text().split("\t") == ["lab", "1", "0", "1", "0", "1 of 1"]


def test_nothing_recorded_yet_says_how_to_begin(show: Any) -> None:
    view = show(EMPTY)
    assert view.get_by_role("heading", level=2).all_inner_texts() == ["Nothing was recorded yet"]
    assert "graphmem record --task" in view.locator("pre").inner_text()
    assert view.locator("svg, table, nav").count() == 0


def test_printed_it_is_all_there_on_white(show: Any, told: Report) -> None:
    view = show(told, scheme="dark")
    view.emulate_media(media="print", color_scheme="dark")
    assert view.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert not view.locator("nav").is_visible()
    rows = view.locator("details tbody tr").first
    assert rows.bounding_box()["height"] > 0
    assert view.pdf().startswith(b"%PDF")
    assert view.evaluate(CONTRAST)["faint"] == []
