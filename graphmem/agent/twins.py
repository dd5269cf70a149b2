"""Twins: a thing with another name of the same form, where the demonstration's own is not there.

A demonstration used a red lamp; here are a green lamp and a blue one, so one of them stands for it from now on, and
never for another lamp as well.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from graphmem.agent.align import Pairs
from graphmem.agent.words import ARTICLES, content, tokens

_PARTS = re.compile(r"[,.:()]|\bcontaining\b")
_LONGEST = 4  # words of a name


def names(lines: Iterable[str]) -> list[tuple[str, ...]]:
    """The names of things in lines of sight, in order: what stands between marks, without its article."""
    found: dict[tuple[str, ...], None] = {}
    for line in lines:
        for part in _PARTS.split(line):
            words = tokens(part)
            own = words[1:] if words and words[0] in ARTICLES else words
            if 1 < len(own) <= _LONGEST and not ARTICLES & set(own):
                found.setdefault(own)
    return list(found)


def twin(
    phrase: str, before: Iterable[str], here: Iterable[str], taken: Collection[str], avoided: Collection[str]
) -> Pairs:
    """What stands here for the thing that a phrase of a demonstration names, as a pair of names; none if it is here.

    `before` and `here` are the lines in sight then and now. What is `taken` stands for something else already; what the
    demonstration itself uses is `avoided`: it is taken where there is nothing else.
    """
    padded = f" {' '.join(tokens(phrase))} "
    named = [name for name in names(before) if f" {' '.join(name)} " in padded]
    old = max(named, key=len, default=())
    now = names(here)
    if not old or old in now:
        return ()
    alike = [" ".join(name) for name in now if _differs_in_one(old, name)]
    free = [name for name in alike if name not in taken]
    best = min(free, key=lambda name: any(name in other for other in avoided), default="")
    return ((" ".join(old), best),) if best else ()


def _differs_in_one(old: tuple[str, ...], new: tuple[str, ...]) -> bool:
    if len(old) != len(new) or not content(old[-1]) & content(new[-1]):
        return False
    return sum(a != b for a, b in zip(old, new, strict=True)) == 1
