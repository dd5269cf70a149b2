"""The error-pattern log: what goes wrong again and again, by domain."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphmem.models import Value
from graphmem.text import Instant, normalise

EXAMPLES = 3
SHOWN = 20
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_EDGES = re.compile(r"^\W+|\W+$")


class Failure(Value):
    """One thing that went wrong: in which domain, why, at which memory, when."""

    domain: str
    reason: str
    id: str
    at: Instant


class Pattern(Value):
    """A failure mode that recurs: in its latest wording, how often, when last, with the ids of its latest memories."""

    domain: str
    mode: str
    count: int
    last_seen: Instant
    examples: tuple[str, ...]


def patterns(failures: Sequence[Failure], least: int = 2, most: int = SHOWN) -> tuple[Pattern, ...]:
    """The modes seen at least `least` times, the most frequent first, at most `most`.

    Reasons are one mode when they differ in case, spacing, numbers and the signs around them at most.
    """
    groups: dict[tuple[str, str], list[Failure]] = {}
    for failure in sorted(failures, key=lambda one: (one.at, one.id), reverse=True):
        groups.setdefault((failure.domain, _mode(failure.reason)), []).append(failure)
    found = [
        Pattern(
            domain=domain,
            mode=" ".join(group[0].reason.split()),
            count=len(group),
            last_seen=group[0].at,
            examples=tuple(dict.fromkeys(one.id for one in group))[:EXAMPLES],
        )
        for (domain, mode), group in groups.items()
        if mode and len(group) >= least
    ]
    return tuple(sorted(found, key=lambda one: (-one.count, -one.last_seen.timestamp(), one.domain, one.mode))[:most])


def _mode(reason: str) -> str:
    return _EDGES.sub("", _NUMBER.sub("0", normalise(reason).casefold()))
