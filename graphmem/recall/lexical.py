"""A query as Lucene words: every sign that the grammar knows is escaped, so any text is only words."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.text import terms


def lucene(text: str, keys: Sequence[str]) -> str:
    """The full-text query for a text within scopes, by their recall keys; empty when nothing in it can be searched.

    The key is a required word without weight, so it takes no part in the score.
    """
    found = terms(text)
    if not found:
        return ""
    asked = " ".join(f"text:{_escaped(term)}" for term in found)
    return f"+recall_key:({' '.join(keys)})^0 +({asked})"


def _escaped(term: str) -> str:
    if term.isalnum():
        return term
    return "".join(char if char.isalnum() or char == "_" or not char.isascii() else f"\\{char}" for char in term)
