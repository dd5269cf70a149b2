"""A history for a person, a line for each fact."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from graphmem.govern.history import History, InForce, Linked, Use

LABEL = 60  # characters of a label that are shown
LATEST = 10  # uses that are shown


def told(history: History) -> str:
    """What the memory is, where it comes from, what came of it, how it was used and what was done to it, as plain text.

    Characters that could steer a terminal are escaped.
    """
    return "\n".join(_plain(line) for line in _lines(history))


def _lines(history: History) -> Iterator[str]:
    stored = history.memory
    yield f"{stored.kind.value} {stored.id}, {stored.status.value}: {_short(stored.memory.label())}"
    yield f"recorded {_time(stored.created_at)}, changed {_time(stored.updated_at)}"
    if stored.inherited_from:
        yield f"inherited from {stored.inherited_from}"
    sections = (
        ("came from", history.sources),
        ("became", history.results),
        ("corrected by", history.corrected_by),
        ("corrects", history.corrects),
        ("related to", history.related),
        ("other versions", history.versions),
    )
    for name, links in sections:
        yield from _section(name, [_link(link) for link in links])
    uses = history.uses
    yield (
        f"returned {uses.returned} times, used {uses.used}, misled {uses.misled}; "
        f"{uses.successes} successes, {uses.failures} failures in all"
    )
    yield from (f"  {_use(use)}" for use in uses.latest[:LATEST])
    yield from _section("decided by", [_in_force(one) for one in history.parameters])
    yield from _section("events", [_event(event.at, event.what, event.by, event.reason) for event in history.events])
    if history.cut:
        yield "cut: there is more of it than is told"


def _section(name: str, lines: list[str]) -> Iterator[str]:
    if lines:
        yield f"{name}:"
        yield from (f"{'  '}{line}" for line in lines)


def _link(link: Linked) -> str:
    version = f" version {link.version}" if link.version is not None else ""
    facts = [f"{'  ' * (link.hop - 1)}{link.kind.value} {link.id}{version}, {link.status.value}: {_short(link.label)}"]
    facts.append(" ".join(part for part in (link.edge, _time(link.at), f"by {link.by}" if link.by else "") if part))
    if link.edge == "corrects":
        facts.append("everywhere" if link.everywhere else f"in {len(link.contexts)} contexts")
    if link.reason:
        facts.append(link.reason)
    if link.revoked_at is not None:
        facts.append(f"revoked {_time(link.revoked_at)}")
    if link.resolved_at is not None:
        facts.append(f"settled {_time(link.resolved_at)} by {link.resolved_by}")
    return "; ".join(fact for fact in facts if fact.strip())


def _use(use: Use) -> str:
    done = [word for word, was in (("returned", use.hit), ("used", use.used), ("misled", use.misled)) if was]
    place = f" at rank {use.rank}" if use.rank is not None else ""
    why = f": {use.reason}" if use.reason else ""
    how = ", ".join(done) or "named"
    return f"{_time(use.at)} {use.decision} {use.recall_id}, ended {use.outcome.value}: {how}{place}{why}"


def _in_force(one: InForce) -> str:
    named = f"parameters version {one.version}" if one.version else "the settings"
    domain = f", domain {one.domain}" if one.domain else ""
    bar = f", θ {one.threshold:.3f}" if one.threshold is not None else ""
    return f"{named}{domain}{bar}: {one.recalls} recalls, {_time(one.first_at)} to {_time(one.last_at)}"


def _event(at: datetime, what: str, by: str, reason: str) -> str:
    return f"{_time(at)} {what} by {by}{f': {reason}' if reason else ''}"


def _time(at: datetime | None) -> str:
    return f"{at:%Y-%m-%d %H:%M}" if at is not None else ""


def _short(text: str) -> str:
    return " ".join(text.split())[:LABEL]


def _plain(text: str) -> str:
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text)
