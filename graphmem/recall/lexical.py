"""A query as Lucene words: every sign that the grammar knows is escaped, so any text is only words."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.text import MAX_TOKENS, terms


def lucene(text: str, keys: Sequence[str]) -> str:
    """The full-text query for a text within scopes, by their recall keys; empty when nothing in it can be searched.

    A key is a required word without weight, so it takes no part in the score. It is asked beside each word, which
    Lucene answers up to twice as fast in a big scope as one key beside all words; but a query may have 1,024 words in
    all (Lucene's `maxClauseCount`), so where there are too many the keys stand once.
    """
    found = [f"text:{_escaped(term)}" for term in terms(text)]
    if not found:
        return ""
    key = f"recall_key:({' '.join(keys)})^0"
    if len(found) * len(keys) > MAX_TOKENS:
        return f"+{key} +({' '.join(found)})"
    return " ".join(f"(+{key} +{word})" for word in found)


def _escaped(term: str) -> str:
    if term.isalnum():
        return term
    return "".join(char if char.isalnum() or char == "_" or not char.isascii() else f"\\{char}" for char in term)
