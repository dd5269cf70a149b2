"""The weights of S, fitted to judged recalls, and accepted only when a replay of others ranks better with them.

The chance that the right one of a pair ranks above the wrong one is logistic in the difference of their scores
(Bradley and Terry 1952; pairwise as in Burges et al. 2005, "Learning to rank using gradient descent"). A Gaussian
prior holds the weights to the defaults, and none is negative. Semantic is the scale and false_hit decides, so both
stay what they are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from graphmem.measure.split import split
from graphmem.models import Value
from graphmem.recall import Components
from graphmem.settings import Weights

FITTED = ("outcome", "recency", "specificity", "centrality", "lexical")
SHARPNESSES = (5.0, 10.0, 20.0, 40.0, 80.0)  # a lead of 0.1 in S is worth odds of e^0.5 to 1, e to 1, …
SPREAD = 0.15  # how far a weight may stray from its default before it takes evidence: the size of the defaults
SWEEPS = 100
STILL = 1e-5
LEAST = 30  # judged recalls, of which a third is held out
MOST = 1000
DEEP = 3  # memories of each sort that a recall is fitted on: the best ranked ones
SIGNIFICANT = 0.05


class Comparison(Value):
    """A recall in which some memories were right and others wrong: the components of both, better ranked ones first."""

    id: str
    right: tuple[Components, ...]
    wrong: tuple[Components, ...]


class Trial(Value):
    """What came of fitting: the weights if they were accepted, why or why not, and on how many recalls.

    `before` and `after` are the shares of pairs in the right order in the recalls held out, averaged over these.
    """

    weights: Weights | None = None
    reason: str
    fitted_on: int = 0
    held_out: int = 0
    before: float | None = None
    after: float | None = None


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Differences of pairs, right less wrong: the part of S that is fixed, and one column for each fitted weight."""

    shares: list[float]
    fixed: list[float]
    columns: list[list[float]]


def fit_weights(comparisons: Sequence[Comparison], current: Weights, defaults: Weights) -> Trial:
    """Fit on two thirds of the recalls, replay the others with `current` and with the fitted weights.

    They are accepted when, by a one-sided sign test at 5 %, more recalls are ordered better than worse, and the mean
    reciprocal rank is no lower. At most 1,000 recalls are used: the first ones.
    """
    usable = [one for one in comparisons[:MOST] if one.right and one.wrong]
    if len(usable) < LEAST:
        return Trial(reason=f"{len(usable)} recalls have right and wrong memories, at least {LEAST} are needed")
    held_out, training = split(usable)
    third = len(held_out)
    fitted = _fitted(_pairs(training, defaults), defaults)
    changes = [ordered(one, fitted) - ordered(one, current) for one in held_out]
    better, worse = sum(change > 0 for change in changes), sum(change < 0 for change in changes)
    chance = sign_test(better, worse)
    gain = sum(reciprocal_rank(one, fitted) - reciprocal_rank(one, current) for one in held_out)
    accepted = chance <= SIGNIFICANT and gain >= 0
    verdict = "accepted" if accepted else "not accepted"
    return Trial(
        weights=fitted if accepted else None,
        reason=f"{verdict}: of {third} recalls held out {better} are ordered better, {worse} worse (p = {chance:.2g})",
        fitted_on=len(training),
        held_out=third,
        before=sum(ordered(one, current) for one in held_out) / third,
        after=sum(ordered(one, fitted) for one in held_out) / third,
    )


def score(components: Components, weights: Weights) -> float:
    """S of one memory."""
    parts = sum(getattr(weights, name) * getattr(components, name) for name in ("semantic", *FITTED))
    return float(parts - weights.false_hit * components.false_hit)


def ordered(comparison: Comparison, weights: Weights) -> float:
    """The share of pairs, right and wrong, in which S puts the right one first; ties count half."""
    right = [score(one, weights) for one in comparison.right]
    wrong = [score(one, weights) for one in comparison.wrong]
    won = sum((good > bad) + (good == bad) / 2 for good in right for bad in wrong)
    return float(won / (len(right) * len(wrong)))


def reciprocal_rank(comparison: Comparison, weights: Weights) -> float:
    """1 / the place of the first right memory among the judged ones; behind those that it ties with."""
    first = max(score(one, weights) for one in comparison.right)
    return 1 / (1 + sum(score(one, weights) >= first for one in comparison.wrong))


def sign_test(better: int, worse: int) -> float:
    """How likely so many or more were better if better and worse were equally likely: one-sided, exact."""
    trials = better + worse
    return float(sum(math.comb(trials, count) for count in range(better, trials + 1)) / 2**trials)


def _pairs(comparisons: Sequence[Comparison], defaults: Weights) -> _Pairs:
    """Every recall weighs the same, however many pairs it has."""
    pairs = _Pairs([], [], [[] for _ in FITTED])
    for one in comparisons:
        couples = [(good, bad) for good in one.right[:DEEP] for bad in one.wrong[:DEEP]]
        for good, bad in couples:
            pairs.shares.append(1 / len(couples))
            pairs.fixed.append(
                defaults.semantic * (good.semantic - bad.semantic)
                - defaults.false_hit * (good.false_hit - bad.false_hit)
            )
            for column, name in zip(pairs.columns, FITTED, strict=True):
                column.append(getattr(good, name) - getattr(bad, name))
    return pairs


def _fitted(pairs: _Pairs, defaults: Weights) -> Weights:
    """The most probable weights, at the sharpness that explains the pairs best."""
    start = [getattr(defaults, name) for name in FITTED]
    _, weights = min(_descended(pairs, start, sharpness) for sharpness in SHARPNESSES)
    return defaults.model_copy(update=dict(zip(FITTED, weights, strict=True)))


def _descended(pairs: _Pairs, start: Sequence[float], sharpness: float) -> tuple[float, list[float]]:
    """The least loss and its weights: one coordinate after the other by projected gradient steps that never overshoot.

    The loss is convex: Σ share · log(1 + e^(−sharpness · margin)) + Σ (weight − start)² / (2 · spread²).
    """
    held = 1 / SPREAD**2
    curvatures = [
        held + sharpness**2 / 4 * sum(share * x * x for share, x in zip(pairs.shares, column, strict=True))
        for column in pairs.columns
    ]
    weights = list(start)
    margins = [
        fixed + sum(weight * x for weight, x in zip(weights, row, strict=True))
        for fixed, row in zip(pairs.fixed, zip(*pairs.columns, strict=True), strict=True)
    ]
    for _ in range(SWEEPS):
        moved = 0.0
        for place, column in enumerate(pairs.columns):
            pull = sum(
                share * x / (1 + math.exp(min(sharpness * margin, 700.0)))
                for share, x, margin in zip(pairs.shares, column, margins, strict=True)
                if x
            )
            slope = held * (weights[place] - start[place]) - sharpness * pull
            step = max(0.0, weights[place] - slope / curvatures[place]) - weights[place]
            weights[place] += step
            margins = [margin + step * x for margin, x in zip(margins, column, strict=True)]
            moved = max(moved, abs(step))
        if moved < STILL:
            break
    loss = sum(share * _softplus(-sharpness * margin) for share, margin in zip(pairs.shares, margins, strict=True))
    return loss + held / 2 * sum((weight - was) ** 2 for weight, was in zip(weights, start, strict=True)), weights


def _softplus(x: float) -> float:
    """log(1 + e^x), for any x."""
    return max(x, 0.0) + math.log1p(math.exp(-abs(x)))
