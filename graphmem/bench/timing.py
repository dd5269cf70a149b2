"""Seconds of actions that take turns, and ratios between them with intervals."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence

from graphmem.measure.bootstrap import Estimate, interval

Action = Callable[[int], object]
"""Does one thing; it is given the number of the round."""


def interleaved(
    actions: Mapping[str, Action], rounds: int, warm: int = 0, told: Callable[[int], object] = int
) -> dict[str, list[float]]:
    """The seconds that each action took in each of so many rounds, after `warm` uncounted ones.

    In a round every action has one turn, so that whatever else the machine does hits all of them alike; who begins
    changes from round to round. `told` is given the count of rounds that are done.
    """
    names = list(actions)
    taken: dict[str, list[float]] = {name: [] for name in names}
    for number in range(warm + rounds):
        turn = number % len(names)
        for name in (*names[turn:], *names[:turn]):
            start = time.perf_counter()
            actions[name](number)
            if number >= warm:
                taken[name].append(time.perf_counter() - start)
        told(number + 1)
    return taken


def ratio(of: Sequence[float], to: Sequence[float], seed: int = 0) -> Estimate:
    """The median of one column divided by that of another, the interval over resampled rounds."""
    n = min(len(of), len(to))
    return interval(
        n,
        lambda drawn: statistics.median(of[place] for place in drawn) / statistics.median(to[place] for place in drawn),
        seed,
    )


def median(values: Sequence[float], seed: int = 0) -> Estimate:
    """The median with its interval."""
    return interval(len(values), lambda drawn: statistics.median(values[place] for place in drawn), seed)


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which this share of them lies (nearest rank)."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, round(share * (len(ordered) - 1)))]
