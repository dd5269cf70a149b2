"""Where in a text something was found, and texts as a reader sees them: width folded, invisible characters gone."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """A place in a text, from `start` up to `end` exclusive, and the kind of what stands there."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class Folded:
    """A text in compatibility form, digits of any script as ASCII, without format characters.

    `origin` has the place in the original of each of its characters; it is None where nothing was folded.
    """

    text: str
    origin: tuple[int, ...] | None = None

    def back(self, span: Span) -> Span:
        """The same place in the original text."""
        if self.origin is None:
            return span
        return Span(self.origin[span.start], self.origin[span.end - 1] + 1, span.kind)


def fold(text: str) -> Folded:
    """The form in which a text is searched, so that no width or invisible character hides anything."""
    if text.isascii():
        return Folded(text)
    parts: list[str] = []
    origin: list[int] = []
    changed = False
    for place, char in enumerate(text):
        seen = char if char.isascii() else _seen(char)
        changed = changed or seen != char
        parts.append(seen)
        origin += [place] * len(seen)
    return Folded("".join(parts), tuple(origin)) if changed else Folded(text)


def _seen(char: str) -> str:
    category = unicodedata.category(char)
    if category == "Cf":
        return ""
    if category == "Nd":
        return str(unicodedata.decimal(char))
    return unicodedata.normalize("NFKC", char)


def merged(spans: Iterable[Span]) -> list[Span]:
    """The spans in order; those that overlap are one, of the kind of the one that begins first, or is longest."""
    joined: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if joined and span.start < joined[-1].end:
            last = joined[-1]
            joined[-1] = Span(last.start, max(last.end, span.end), last.kind)
        else:
            joined.append(span)
    return joined
