"""A report as one page: it asks for nothing, runs nothing, and shows what memories say as text."""

from __future__ import annotations

import re
from datetime import date, datetime
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from graphmem.models import Kind, Outcome
from graphmem.recall import Decision
from graphmem.report import charts
from graphmem.report.layout import COLUMN, RELATED, drawn
from graphmem.report.models import Report
from graphmem.text import isoformat

# Stored text is anybody's: it must neither hide nor reorder what a person reads.
# U+200C and U+200D stay: scripts and emoji need them.
_STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\U000e0000-\U000e007f]"
)
NOTHING = "–"
UNITS = ((86_400.0, "d"), (3_600.0, "h"), (60.0, "min"), (1.0, "s"))
LOOKS = {
    Outcome.SUCCESS.value: "episode that succeeded",
    Outcome.MIXED.value: "episode, mixed",
    Outcome.FAIL.value: "episode that failed",
    Outcome.UNKNOWN.value: "episode, end unknown",
    Kind.REFLECTION.value: "reflection",
    Kind.SKILL.value: "skill",
}
"""How the memories of the picture are told apart, in words."""
STROKES = {
    "derives": "thin line: derives",
    "generalizes": "thick line: generalizes",
    "corrects": "arrow: corrects",
    RELATED: "dashed line: related",
}
DOMAINS = 50  # that are listed, those asked most


def page(report: Report) -> str:
    """The whole page, UTF-8 when written; nothing in it refers to anything outside."""
    weeks = [(f"{week.starts:%d %b}", week) for week in report.weeks]
    return _environment().get_template("page.html").render(
        report=report,
        attempts=charts.curve([(_nth(one.n, one.open_ended), one.ended) for one in report.attempts]),
        recalls=charts.curve([(label, week.recalls) for label, week in weeks]),
        episodes=charts.curve([(label, week.episodes) for label, week in weeks]),
        mix=charts.mix(report.weeks, [decision.value for decision in Decision]),
        decisions=[decision.value for decision in Decision],
        drawing=drawn(report.graph) if report.graph.nodes else None,
        headings=[(kind.value, x) for kind, x in COLUMN.items()],
        looks=LOOKS,
        strokes=STROKES,
        most=DOMAINS,
    )  # fmt: skip


def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_final,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "percent": _percent,
        "lasting": _lasting,
        "when": _when,
        "nth": _nth,
        "ms": _milliseconds,
        "spaced": _spaced,
    }
    return made


def _final(value: object) -> object:
    if value is None:
        return NOTHING
    if isinstance(value, str) and not isinstance(value, Markup):
        return _STEERING.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), value)
    return value


def _percent(share: float | None) -> str:
    return NOTHING if share is None else f"{share:.0%}"


def _lasting(seconds: float | None) -> str:
    """A span of time in its greatest unit, such as 1.5 h."""
    if seconds is None:
        return NOTHING
    length, unit = next((pair for pair in UNITS if seconds >= pair[0]), UNITS[-1])
    return f"{seconds / length:.1f} {unit}"


def _milliseconds(value: float | None) -> str:
    return NOTHING if value is None else f"{value:,.0f} ms" if value >= 10 else f"{value:.1f} ms"


def _when(at: date | None) -> str | Markup:
    if at is None:
        return NOTHING
    if isinstance(at, datetime):
        return Markup('<time datetime="{}">{}</time>').format(isoformat(at), f"{at:%Y-%m-%d %H:%M}")
    return Markup('<time datetime="{0}">{0}</time>').format(at.isoformat())


def _spaced(name: str) -> str:
    return name.replace("_", " ")


def _nth(n: int, open_ended: bool) -> str:
    return f"{n}+" if open_ended else str(n)
