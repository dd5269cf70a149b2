"""What a monitor is told of each problem, and what it says of many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphmem.learn.evidence import wilson


@dataclass(frozen=True, slots=True)
class Observation:
    """One problem as a monitor sees it.

    `success` is what the validator said (None: nobody could tell), `novel` whether nothing was remembered that fits,
    `answered` whether anything was, `false_hit` whether that misled. `reflection` is the number of characters of the
    lessons that came of it (None: none did).
    """

    success: bool | None
    novel: bool = False
    answered: bool = False
    false_hit: bool = False
    domain: str = ""
    cohort: str = ""
    reflection: int | None = None


@dataclass(frozen=True, slots=True)
class Cohort:
    """The problems of one kind in the window: how many, how many of them were validated.

    `success_rate` is the share of the validated ones that succeeded (None without any), with its interval, `change` how
    much it rose from the first half of them to the second (None below 4).
    """

    name: str
    seen: int
    validated: int
    success_rate: float | None
    interval: tuple[float, float]
    change: float | None


def cohort_of(name: str, seen: Sequence[Observation]) -> Cohort:
    """The figures of some observations; the interval is Wilson's (1927), at 95 %."""
    verdicts = verdicts_of(seen)
    return Cohort(
        name, len(seen), len(verdicts), rate(verdicts), wilson(sum(verdicts), len(verdicts)), change(verdicts)
    )


def verdicts_of(seen: Sequence[Observation]) -> list[bool]:
    """What the validator said, where it could tell."""
    return [one.success for one in seen if one.success is not None]


def rate(verdicts: Sequence[bool]) -> float | None:
    """The share that is true, in [0, 1]; None of nothing."""
    return sum(verdicts) / len(verdicts) if verdicts else None


def change(verdicts: Sequence[bool]) -> float | None:
    """How much the share of the second half is above that of the first, in [-1, 1]; None for fewer than 4."""
    half = len(verdicts) // 2
    first, second = rate(verdicts[:half]), rate(verdicts[half:])
    return second - first if half >= 2 and first is not None and second is not None else None
