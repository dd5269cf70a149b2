"""The quartiles of a sample."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import quantiles

from graphmem.models import Value


class Spread(Value):
    """The quartiles of a sample: a quarter of it is at most `lower`, half at most `median`, three at most `upper`."""

    lower: float
    median: float
    upper: float


def spread(sample: Iterable[float]) -> Spread | None:
    """The quartiles, between neighbours in proportion (type 7 of Hyndman and Fan 1996); None of an empty sample."""
    numbers = sorted(sample)
    if not numbers:
        return None
    lower, median, upper = quantiles(numbers * 2 if len(numbers) == 1 else numbers, n=4, method="inclusive")
    return Spread(lower=lower, median=median, upper=upper)
