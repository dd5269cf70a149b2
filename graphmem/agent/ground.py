"""Grounding: from what a demonstration did to what can be done here."""

from __future__ import annotations

from graphmem.agent.body import Body
from graphmem.agent.words import content, coverage, parse

ENOUGH, SURE = 0.55, 0.75
_UNSEEN = 2.0  # the weight of a word that was never seen in any place


def closest(body: Body, intent: str, required: frozenset[str], enough: float = ENOUGH) -> str | None:
    """The valid action that is most like an intended one: the same verb, its phrases covered in order.

    An action without the `required` words will not do, nor one that is less alike than `enough`; where it has to be
    sure, what comes first in it must be what comes first in the intended one.
    """
    verb, wanted = parse(intent)
    best: tuple[float, int, str] | None = None
    for action in body.valid_actions():
        other, given = parse(action)
        if other != verb or len(given) < min(1, len(wanted)) or not required <= content(action):
            continue
        if enough >= SURE and wanted and given and mutual(body, wanted[0], given[0]) < ENOUGH:
            continue
        candidate = (-alike(body, wanted, given), len(action), action)
        if best is None or candidate < best:
            best = candidate
    return best[2] if best and -best[0] >= enough else None


def alike(body: Body, wanted: tuple[frozenset[str], ...], given: tuple[frozenset[str], ...]) -> float:
    """How alike the phrases of two actions are, in order, from 0 to 1; phrases that only one has cost a little."""
    short, long = sorted((wanted, given), key=len)
    if not short:
        return 1.0 if not long else 0.0
    total, start = 0.0, 0
    for position, phrase in enumerate(short):
        reach = range(start, len(long) - len(short) + position + 1)
        scores = [mutual(body, *((phrase, long[i]) if short is wanted else (long[i], phrase))) for i in reach]
        best = max(scores)
        start = reach[scores.index(best)] + 1
        total += best
    return total / len(short) - 0.05 * (len(long) - len(short))


def mutual(body: Body, one: frozenset[str], other: frozenset[str]) -> float:
    """How far two phrases name the same thing, from 0 to 1; words of the first weigh more."""

    def weight(word: str) -> float:
        return body.weight(word) or _UNSEEN

    return 0.7 * coverage(one, other, weight) + 0.3 * coverage(other, one, weight)
