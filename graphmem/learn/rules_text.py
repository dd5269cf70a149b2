"""How the rules word a lesson: short, readable, and the same for the same evidence; so equal lessons have one id."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from graphmem.text import has_words, normalise

INSIGHT = 400  # characters of an insight, at most; the others are what its parts may have
TASK = 120
REASON = 140
SUMMARY = 118
STEP = 90
TECHNIQUE, TECHNIQUES = 30, 4
LABEL = 200  # what a condition or a guardrail may have
_READ = 2_000  # characters of a text that are looked at

# What differs from attempt to attempt and teaches nothing, as parsers of logs mask it (He et al. 2017, "Drain").
_MASKS = (
    (re.compile(r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b", re.I), "<id>"),
    (re.compile(r"\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?(?![\w-])"), "<time>"),
    (re.compile(r"\b\d\d?:\d\d:\d\d(?:[.,]\d+)?\b"), "<time>"),
    (re.compile(r"\b0x[0-9a-f]+\b", re.I), "<id>"),
    (re.compile(r"\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{8,}\b", re.I), "<id>"),
    (re.compile(r"\b\d+(?:\.\d+)?(?= ?(?:ms|s|sec|seconds|milliseconds)\b)"), "<number>"),
    (re.compile(r"\b\d{6,}\b"), "<number>"),
)
_QUOTES = re.compile("[“”]")
_BEFORE, _STEPS = ", this worked: ", "; "


def short(text: str, most: int) -> str:
    """A text in its normal form, without the stop at its end, and cut at a word to at most `most` characters."""
    plain = normalise(text[: max(_READ, most)]).rstrip(" .;:,!")
    if len(plain) <= most:
        return plain
    cut = plain[: most - 1]
    head, space, _ = cut.rpartition(" ")
    return (head if space and len(head) > most // 2 else cut).rstrip(" .;:,!") + "…"


def masked(text: str, most: int = REASON) -> str:
    """`short`, with ids, times, durations and long numbers replaced by what they are."""
    plain = text[:_READ]
    for pattern, name in _MASKS:
        plain = pattern.sub(name, plain)
    return short(plain, most)


def quoted(text: str, most: int = TASK) -> str:
    """A text as a quotation; quotation marks inside it become simple ones."""
    return "“" + _QUOTES.sub("'", short(text, most)) + "”"


def step(text: str) -> str:
    """A step as it stands in an insight: one piece of a list parted by semicolons."""
    return short(text.replace(";", ","), STEP)


def worked(task: str, steps: Sequence[str], techniques: Sequence[str], summary: str) -> str:
    """The insight of a success: its steps as far as they fit, else its summary, else that it succeeded."""
    opening = _opening(task) + _BEFORE
    named = ", ".join(short(one, TECHNIQUE) for one in techniques[:TECHNIQUES])
    means = f". Techniques: {named}" if named else ""
    listed = _fitting(steps, INSIGHT - len(opening) - len(means) - 1) or short(summary, SUMMARY)
    return f"{opening}{listed + means if listed else named or 'doing what the task says'}."


def failed(task: str, reason: str, instead: Sequence[str]) -> str:
    """The insight of a failure: what to avoid, and what a success did instead, if one is known."""
    insight = f"{_opening(task)}, avoid this failure: {reason}."
    listed = _fitting(instead, INSIGHT - len(insight) - len(" What worked instead: ."))
    return f"{insight} What worked instead: {listed}." if listed else insight


def named_steps(insight: str, task: str) -> tuple[str, ...] | None:
    """The steps that the insight of a success at this task names; None when it is not one of `worked`."""
    opening = _opening(task) + _BEFORE
    plain = normalise(insight)
    if not plain.startswith(opening):
        return None
    listed = plain.removeprefix(opening).removesuffix(".").split(". Techniques: ")[0]
    return tuple(listed.split(_STEPS))


def guardrails(before: str, steps: Iterable[str], most: int = 5) -> tuple[str, ...]:
    """Checks that begin with the same words, one for each step."""
    return tuple(f"{before} {quoted(one, STEP)}" for one in steps if has_words(one))[:most]


def _opening(task: str) -> str:
    return f"For {quoted(task)}"


def _fitting(steps: Sequence[str], room: int) -> str:
    """As many of the first steps as fit, at least one."""
    pieces = list(dict.fromkeys(piece for one in steps if (piece := step(one))))
    while len(pieces) > 1 and len(_STEPS.join(pieces)) > room:
        pieces.pop()
    return _STEPS.join(pieces)
