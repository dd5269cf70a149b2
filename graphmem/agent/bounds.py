"""Texts as they can be kept and shown: without characters that no text can hold, and, where they are cut, redacted
first, since half a secret is not recognised as one.
"""

from __future__ import annotations

from dataclasses import replace

from graphmem.agent.world import View
from graphmem.redact import Redactor, told

LONGEST = 8000  # characters of an observation that are kept: its beginning and its end


def plain(text: str) -> str:
    """The text without what cannot be encoded."""
    return text.encode("utf-8", "replace").decode()


def kept(text: str, redactor: Redactor | None = None) -> str:
    """A text as it can be kept: what is longer than 8000 characters loses its middle, after it was redacted."""
    said = _redacted(plain(text), LONGEST, redactor)
    left = len(said) - LONGEST
    if left <= 0:
        return said
    return f"{said[: LONGEST // 2]}\n[{left} characters left out]\n{said[-LONGEST // 2 :]}"


def cut(text: str, most: int, redactor: Redactor | None) -> str:
    """The beginning of a text, at most so many characters, cut after it was redacted."""
    said = _redacted(plain(text), most, redactor)
    return said if len(said) <= most else said[: most - 1] + "…"


def bounded(view: View, redactor: Redactor | None) -> View:
    """The view as it can be kept. Raises TypeError for what is none."""
    texts, said = (view.observation, view.surroundings, view.belongings), (view.understood, view.done)
    if not all(isinstance(one, str) for one in texts) or not all(isinstance(one, bool) for one in said):
        raise TypeError("a View has texts, and whether it was understood and is done as True or False")
    return replace(
        view,
        observation=kept(view.observation, redactor),
        surroundings=kept(view.surroundings, redactor),
        belongings=kept(view.belongings, redactor),
    )


def _redacted(text: str, most: int, redactor: Redactor | None) -> str:
    return told(redactor, text) if len(text) > most else text
