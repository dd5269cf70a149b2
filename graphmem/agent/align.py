"""Substitution: the words in which two descriptions of the same kind of thing differ."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from graphmem.agent.matching import matching
from graphmem.agent.words import FUNCTION_WORDS, content, tokens

_SHORTENED = 2  # a longer name may be shortened to its first words, but not to fewer than these

_WORD_OR_MARK = re.compile(r"[^\W_]+(?:\.\d+)?(?:'[a-z]+)?|[.,;:()]")
_SHIFTED = 0.15  # a text whose positions agree less than its sequence by this much has words moved in it

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Substitution:
    """Words of one text, each with the words that stand in their place in another.

    `whole` are the differing passages; `likeness` is the share of words that the two texts have in common, in order.
    `heads` are the words that follow the old passages where a name goes on: "red", replaced in "red lamp", has "lamp".
    `odd` are meaningful passages that only one of the texts has, where the other has nothing.
    """

    whole: Pairs
    likeness: float = 1.0
    heads: tuple[tuple[str, str], ...] = ()
    odd: tuple[str, ...] = ()

    def __call__(self, text: str) -> str:
        """The text with all words replaced at once, so that two names can change places."""
        table = self._table()
        if not table or not text:
            return text
        ordered = sorted(filter(str.split, table), key=lambda old: (-len(old.split()), -len(old), old))
        # A group for each, since what is found need not read as it is written here: "cup.3" is one word, "cup 3" two.
        pattern = "|".join(r"(\b" + r"\W+".join(map(re.escape, old.split())) + r"\b)" for old in ordered)
        return re.sub(pattern, lambda found: table[ordered[(found.lastindex or 1) - 1]], text, flags=re.IGNORECASE)

    def _table(self) -> dict[str, str]:
        table = dict(self.whole)
        for old, new in self.whole:
            words = old.split()
            for length in range(len(words) - 1, _SHORTENED - 1, -1):
                table.setdefault(" ".join(words[:length]), new)
        return table

    def extended(self, pairs: Iterable[tuple[str, str]]) -> Substitution:
        """With more words replaced; the newer ones win."""
        return replace(self, whole=tuple({**dict(self.whole), **dict(pairs)}.items()))

    @property
    def new(self) -> frozenset[str]:
        """The meaningful words that it puts in."""
        return frozenset(word for _, phrase in self.whole for word in content(phrase))


def align(old_text: str, new_text: str) -> Substitution:
    """Compare two texts word by word: position by position where they are equally long, else along what they share.

    Nothing is replaced where more differs than can be compared (`matching`).
    """
    old, new = _marked(old_text), _marked(new_text)
    found = matching(old, new)
    spans = [(a, b, c, d) for tag, a, b, c, d in found.differing if tag == "replace"]
    ratio = found.ratio
    gaps = [_words((*old[a:b], *new[c:d])) for tag, a, b, c, d in found.differing if tag in ("insert", "delete")]
    if found.whole and len(old) == len(new):
        same = sum(a == b for a, b in zip(old, new, strict=True)) / max(1, len(old))
        if same >= ratio - _SHIFTED:
            spans, ratio, gaps = _positional(old, new), same, []
    table: dict[str, str] = {}
    heads: dict[str, str] = {}
    for start, end, first, last in spans:
        before, after = _words(old[start:end]), _words(new[first:last])
        if before != after and before and not all(word in FUNCTION_WORDS for word in (before + " " + after).split()):
            table.setdefault(before, after)
            follows = old[end] if end < len(old) else ""
            heads.setdefault(before, follows if tokens(follows) and follows not in FUNCTION_WORDS else "")
    odd = tuple(gap for gap in gaps if content(gap))
    return Substitution(tuple(table.items()), ratio, tuple(heads.items()), odd)


def _marked(text: str) -> tuple[str, ...]:
    """Words and punctuation, so that two names in a list stay two."""
    return tuple(_WORD_OR_MARK.findall(text.lower()))


def _words(marked: tuple[str, ...]) -> str:
    return " ".join(tokens(" ".join(marked)))


def _positional(old: tuple[str, ...], new: tuple[str, ...]) -> list[tuple[int, int, int, int]]:
    """The runs of positions at which two equally long texts differ."""
    spans: list[tuple[int, int, int, int]] = []
    start = None
    for position in range(len(old) + 1):
        differs = position < len(old) and old[position] != new[position]
        if differs and start is None:
            start = position
        elif not differs and start is not None:
            spans.append((start, position, start, position))
            start = None
    return spans
