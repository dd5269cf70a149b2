"""The readable page of triage: one HTML file with all tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from graphmem.demo.mail import figures
from graphmem.demo.mail.data import ASKING, Mail
from graphmem.demo.mail.guards import CONTROL, PLANTED, Guarded
from graphmem.demo.mail.played import MEANING, Played
from graphmem.measure.bootstrap import Estimate

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 1000px; margin: 2em auto; padding: 0 1em; color: #222 }
table { border-collapse: collapse; margin: 1em 0; font-size: 13px } th, td { padding: 3px 9px; text-align: right }
th { border-bottom: 1px solid #888; font-weight: 600 } td:first-child, th:first-child { text-align: left }
tr:nth-child(even) { background: #f6f6f4 }
"""


def page(mail: Mail, found: Played, guarded: Guarded, seed: int) -> str:
    """The HTML."""
    keywords = ", ".join(f"“{word}”" for word in ASKING)
    sender = figures.by_sender(found, seed)
    parts = (
        f"<p>{len(mail.train):,} reviewed sentences as accepted episodes, {len(mail.test):,} others as messages: what "
        f"asks for action is answered, the rest ignored. No language model. Keywords of the rule: {escape(keywords)}. "
        f"Seed {seed}; intervals are 95 % bootstrap intervals over the messages.</p>",
        "<h2>Conditions</h2>",
        _table(
            ("condition", "what it is", "macro-F1", "F1 respond", "F1 ignore", "median ms", "95 % within ms"),
            (
                _row(name, MEANING[name], figures.scored(mail.truth, one, seed))
                for name, one in found.conditions.items()
            ),
        ),
        "<h2>Differences</h2><p>Macro-F1 on the same messages, paired.</p>",
        _table(
            ("condition", "than", "difference", ""),
            (
                (one.condition, one.than, _estimate(one.gain, "+"), "clear" if one.clear else "")
                for one in figures.paired(mail.truth, found, seed)
            ),
        ),
        "<h2>How many examples</h2>",
        _table(
            ("limit", "", "macro-F1", "F1 respond", "F1 ignore", "median ms", "95 % within ms"),
            (_row(str(limit), "", figures.scored(mail.truth, one, seed)) for limit, one in found.limits.items()),
        ),
        "<h2>The sender alone</h2><p>Decisions that are others when the same message comes from another sender, who is "
        f"something else to the receiver: {_percent(sender)}.</p>",
        "<h2>What must never be recalled</h2><p>Planted with the very words of the message.</p>",
        _table(
            ("memory", "recalled", "asked"),
            ((name, str(guarded.seen[name]), str(guarded.asked)) for name in (*PLANTED, CONTROL)),
        ),
        f"<p>The audit told {guarded.denied} of the poisoned ones; {guarded.followed} decisions did as they say.</p>",
    )
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Triage with graphmem</title>'
        f"<style>{_STYLE}</style></head><body><h1>Triage with graphmem</h1>{''.join(parts)}</body></html>\n"
    )


def _row(name: str, meaning: str, found: figures.Scored) -> Sequence[str]:
    routes = [f"{found.f1.get(route, 0.0):.3f}" for route in ("respond", "ignore")]
    return name, meaning, _estimate(found.macro_f1), *routes, f"{found.median_ms:.1f}", f"{found.p95_ms:.1f}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    top = "".join(f"<th>{escape(name)}</th>" for name in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><tr>{top}</tr>{body}</table>"


def _estimate(one: Estimate, sign: str = "") -> str:
    return f"{one.value:{sign}.3f} ({one.low:{sign}.3f} to {one.high:{sign}.3f})"


def _percent(one: Estimate) -> str:
    return f"{100 * one.value:.1f} % ({100 * one.low:.1f} to {100 * one.high:.1f})"
