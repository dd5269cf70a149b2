"""Substitution by the letter: file names, flags and paths that differ between two tasks, as they are written."""

from __future__ import annotations

import re
from collections.abc import Iterator

from graphmem.agent.matching import Matching, matching
from graphmem.agent.words import FUNCTION_WORDS

_EDGES = "\"'“”‘’`()[]{}<>,;:!?."
_ALIKE = 0.4  # tasks that have less in common are of another kind: nothing is replaced
_SHIFTED = 0.15  # tasks whose places agree less than their sequence by this much have words moved in them
_SHORTEST = 2  # characters of a name's stem that is replaced by itself

Names = tuple[tuple[str, str], ...]


def renames(old_task: str, new_task: str) -> Names:
    """The words of one task, each with the word that stands in its place in the other, by the letter.

    Where two file names differ, so do their stems: what was made of `data.csv` is called `data.json`.
    """
    old, new = _parts(old_task), _parts(new_task)
    found = matching(old, new)
    if not found.whole or found.ratio < _ALIKE:
        return ()
    table: dict[str, str] = {}
    for before, after in _replaced(old, new, found):
        if before.lower() not in FUNCTION_WORDS:
            table.setdefault(before, after)
    for before, after in tuple(table.items()):
        for stem, other in _stems(before, after):
            table.setdefault(stem, other)
    return tuple(table.items())


def renamed(text: str, names: Names) -> str:
    """The text with all names replaced at once, the longest first."""
    table = dict(names)
    if not table:
        return text
    listed = "|".join(re.escape(name) for name in sorted(table, key=lambda name: (-len(name), name)))
    return re.sub(rf"(?<!\w)(?:{listed})(?!\w)", lambda found: table[found[0]], text)


def _replaced(old: list[str], new: list[str], found: Matching) -> Iterator[tuple[str, str]]:
    """The words that differ: place by place where two texts agree that way as well, else along what they share."""
    if len(old) == len(new):
        same = sum(one == other for one, other in zip(old, new, strict=True)) / max(1, len(old))
        if same >= found.ratio - _SHIFTED:
            yield from (pair for pair in zip(old, new, strict=True) if pair[0] != pair[1])
            return
    for tag, a, b, c, d in found.differing:
        if tag == "replace" and b - a == d - c:
            yield from zip(old[a:b], new[c:d], strict=True)


def _parts(task: str) -> list[str]:
    stripped = (word.strip(_EDGES) for word in task.split())
    return [word for word in stripped if word]


def _stems(before: str, after: str) -> Iterator[tuple[str, str]]:
    stem, dot, ending = before.rpartition(".")
    other, _, same = after.rpartition(".")
    if dot and other and ending == same and len(stem) >= _SHORTEST:
        yield stem, other
