"""Intervals for what was measured on a sample of queries: the percentile bootstrap (Efron and Tibshirani 1993)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

RESAMPLES = 1000
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its interval [low, high], from `n` queries; NaN throughout when there were none."""

    value: float
    low: float
    high: float
    n: int


def mean_interval(values: Sequence[float], seed: int = 0, resamples: int = RESAMPLES, level: float = LEVEL) -> Estimate:
    """The mean of one value a query, and the interval that holds `level` of the means of resampled queries.

    The same seed gives the same interval. Needs numpy (the extra `local`).
    """
    import numpy

    n = len(values)
    if n == 0:
        return Estimate(math.nan, math.nan, math.nan, 0)
    column = numpy.asarray(values, dtype=float)
    random = numpy.random.default_rng(seed)
    means = [float(column[random.integers(0, n, n)].mean()) for _ in range(resamples)]
    return _between(float(column.mean()), means, level, n)


def interval(
    n: int,
    statistic: Callable[[Sequence[int]], float],
    seed: int = 0,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
) -> Estimate:
    """Any `statistic` of `n` queries, which it is given by their positions; resamples where it is NaN are left out.

    The same seed gives the same interval. Needs numpy (the extra `local`).
    """
    import numpy

    if n == 0:
        return Estimate(math.nan, math.nan, math.nan, 0)
    random = numpy.random.default_rng(seed)
    drawn = [statistic([int(place) for place in random.integers(0, n, n)]) for _ in range(resamples)]
    return _between(statistic(range(n)), [value for value in drawn if not math.isnan(value)], level, n)


def _between(value: float, drawn: Sequence[float], level: float, n: int) -> Estimate:
    if not drawn:
        return Estimate(value, math.nan, math.nan, n)
    tail, ordered = (1 - level) / 2, sorted(drawn)
    return Estimate(value, _quantile(ordered, tail), _quantile(ordered, 1 - tail), n)


def _quantile(ordered: Sequence[float], share: float) -> float:
    """Linear interpolation between order statistics (type 7 of Hyndman and Fan 1996)."""
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])
