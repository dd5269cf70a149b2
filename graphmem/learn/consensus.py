"""What several sequences of actions have in common, in order.

Centre star alignment (Gusfield 1993, "Efficient methods for multiple sequence alignment with guaranteed error bounds"):
the sequence that shares the longest common subsequences with all others is the centre, every other one is aligned with
it by a longest common subsequence (Wagner and Fischer 1974), and the steps of the centre that more than half of all
sequences have at that place remain. The centre is found by bit-parallel lengths (Hyyrö 2004, "Bit-parallel LCS-length
computation revisited"), so the cost is one table of at most MAX_LENGTH² for each sequence.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from graphmem.models import Step
from graphmem.text import normalise

MAX_SEQUENCES = 20
MAX_LENGTH = 200
HEAD = 1_000  # characters
MAX_STEPS = 30  # of the answer; a longer list of steps is a log, not advice


def key(action: str) -> str:
    """What makes two actions the same: their words, whatever the case and the white space.

    Of a long one the first HEAD characters are read so, the others as they are.
    """
    head = normalise(action[:HEAD]).casefold()
    return head if len(action) <= HEAD else f"{head} {hashlib.blake2b(action[HEAD:].encode()).hexdigest()}"


def actions(trajectory: Iterable[Step]) -> tuple[str, ...]:
    """The actions of a trajectory, as they were said; blank ones and immediate repeats are left out."""
    return _without_repeats(step.action for step in trajectory)


def consensus(sequences: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The common ordered steps of sequences of actions, at most MAX_STEPS: those that more of them have go first then.

    Of one sequence that is the sequence itself; empty ones say nothing and are not counted. Immediate repeats count
    once. At most MAX_SEQUENCES are read, evenly over their lengths, and the first MAX_LENGTH steps of each. The order
    of the sequences does not matter; of several spellings of a step the first in the order of text is given.
    """
    shown: dict[str, str] = {}
    read: list[tuple[str, ...]] = []
    for sequence in sequences:
        steps = _without_repeats(sequence)[:MAX_LENGTH]
        for step in steps:
            name = key(step)
            shown[name] = min(step, shown.get(name, step))
        if steps:
            read.append(tuple(key(step) for step in steps))
    read.sort(key=lambda steps: (len(steps), steps))
    if len(read) > MAX_SEQUENCES:
        read = [read[place * len(read) // MAX_SEQUENCES] for place in range(MAX_SEQUENCES)]
    if not read:
        return ()
    at, centre = min(
        enumerate(read), key=lambda one: (-sum(_common_length(one[1], other) for other in read), len(one[1]), one[1])
    )
    support = [1] * len(centre)
    for other in (steps for place, steps in enumerate(read) if place != at):
        for place in _aligned(centre, other):
            support[place] += 1
    places = [place for place, count in enumerate(support) if 2 * count > len(read)]
    if len(places) > MAX_STEPS:
        places = sorted(sorted(places, key=lambda place: (-support[place], place))[:MAX_STEPS])
    return _without_repeats(shown[centre[place]] for place in places)


def _without_repeats(steps: Iterable[str]) -> tuple[str, ...]:
    kept: list[str] = []
    for step in steps:
        if key(step) and (not kept or key(kept[-1]) != key(step)):
            kept.append(step.strip())
    return tuple(kept)


def _common_length(one: Sequence[str], other: Sequence[str]) -> int:
    """The length of a longest common subsequence: a zero bit for every step of `one` that is in it."""
    where: dict[str, int] = {}
    for place, step in enumerate(one):
        where[step] = where.get(step, 0) | 1 << place
    full = (1 << len(one)) - 1
    row = full
    for step in other:
        matched = row & where.get(step, 0)
        row = ((row + matched) | (row - matched)) & full
    return len(one) - row.bit_count()


def _aligned(centre: Sequence[str], other: Sequence[str]) -> list[int]:
    """The places of the centre in a longest common subsequence with another, the earliest where there is a choice."""
    table = [[0] * (len(other) + 1) for _ in range(len(centre) + 1)]
    for i in range(len(centre) - 1, -1, -1):
        row, below, step = table[i], table[i + 1], centre[i]
        for j in range(len(other) - 1, -1, -1):
            row[j] = below[j + 1] + 1 if step == other[j] else max(below[j], row[j + 1])
    places, i, j = [], 0, 0
    while i < len(centre) and j < len(other):
        if centre[i] == other[j]:
            places.append(i)
            i, j = i + 1, j + 1
        elif table[i][j + 1] == table[i][j]:
            j += 1
        else:
            i += 1
    return places


def grounded(steps: Sequence[str], attempts: Sequence[Sequence[str]]) -> bool:
    """Whether every step is an action of more than half of the attempts, but for case, blanks and the like."""
    done = [set(map(key, actions)) for actions in attempts]
    return bool(done) and all(2 * sum(key(step) in one for one in done) > len(done) for step in steps)
