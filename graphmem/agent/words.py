"""Words: the little English that the agent knows, and none of any world.

An action reads as a verb and the phrases that its prepositions part: "put the book on the shelf" is ``put``, ``book``,
``shelf``. A phrase is seen in a line of text as far as its words occur there, the rare ones counting more.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache

PREPOSITIONS = frozenset(
    [
        "about",
        "at",
        "by",
        "down",
        "for",
        "from",
        "in",
        "inside",
        "into",
        "of",
        "off",
        "on",
        "onto",
        "out",
        "over",
        "through",
        "to",
        "under",
        "up",
        "using",
        "with",
    ]
)
ARTICLES = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "be",
        "called",
        "containing",
        "currently",
        "her",
        "his",
        "is",
        "it",
        "its",
        "my",
        "n",
        "named",
        "or",
        "that",
        "the",
        "there",
        "this",
        "which",
        "your",
    ]
)
FUNCTION_WORDS = PREPOSITIONS | ARTICLES
REFUSALS = frozenset(
    [
        "already",
        "broken",
        "can't",
        "cannot",
        "couldn't",
        "doesn't",
        "don't",
        "impossible",
        "isn't",
        "nothing",
        "unable",
        "won't",
    ]
)

_TOKEN = re.compile(r"[^\W_]+(?:\.\d+)?(?:'[a-z]+)?")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")

Weight = Callable[[str], float]


@lru_cache(maxsize=65536)
def tokens(text: str) -> tuple[str, ...]:
    """All words and numbers of a text, in lower case."""
    return tuple(_TOKEN.findall(text.lower()))


@lru_cache(maxsize=65536)
def content(text: str) -> frozenset[str]:
    """The words that carry meaning: no articles, no prepositions, plurals without their s."""
    return frozenset(singular(word) for word in tokens(text) if word not in FUNCTION_WORDS)


def singular(word: str) -> str:
    """The word without a plural s."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


@lru_cache(maxsize=65536)
def phrases(action: str) -> tuple[str, ...]:
    """The phrases of an action: what stands between its prepositions, without the verb."""
    found: list[list[str]] = [[]]
    for word in tokens(action)[1:]:
        if word in PREPOSITIONS:
            found.append([])
        elif found[-1] or word not in ARTICLES:
            found[-1].append(word)
    return tuple(" ".join(words) for words in found if words)


@lru_cache(maxsize=65536)
def parse(action: str) -> tuple[str, tuple[frozenset[str], ...]]:
    """The verb of an action and the phrases after it, each as a set of meaningful words."""
    return (tokens(action) or ("",))[0], tuple(content(phrase) for phrase in phrases(action))


def coverage(phrase: Iterable[str], within: frozenset[str], weight: Weight) -> float:
    """How much of a phrase occurs in a set of words, from 0 to 1; a phrase without any weight counts as seen."""
    words = list(phrase)
    total = sum(weight(word) for word in words)
    return sum(weight(word) for word in words if word in within) / total if total else 1.0


def likeness(one: str, other: str) -> float:
    """How alike two texts are, numbers apart: the share of their meaningful words that both have, from 0 to 1."""
    left, right = (frozenset(word for word in content(text) if not word[0].isdigit()) for text in (one, other))
    return len(left & right) / len(left | right) if left or right else 1.0


def refuses(observation: str) -> bool:
    """Whether an answer says that nothing happened ("is already open", "you can't …")."""
    return any(word in REFUSALS for word in tokens(observation))
