"""How good a ranking is, and how well a confidence tells right answers from wrong ones.

A ranking is given as the grades of its memories, best rank first: 0 is irrelevant, 1 relevant, more is better.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


def precision_at(grades: Sequence[float], k: int) -> float:
    """The share of the first `k` ranks that is relevant, in [0, 1]; a rank without a memory is not."""
    return sum(grade > 0 for grade in grades[:k]) / k


def recall_at(grades: Sequence[float], k: int, relevant: int) -> float:
    """The share of all `relevant` memories (at least 1) that is within the first `k` ranks, in [0, 1]."""
    return sum(grade > 0 for grade in grades[:k]) / relevant


def reciprocal_rank(grades: Sequence[float]) -> float:
    """1 / rank of the first relevant memory, 0 without one. Its mean over queries is MRR (Voorhees 1999, TREC-8)."""
    return next((1 / rank for rank, grade in enumerate(grades, 1) if grade > 0), 0.0)


def dcg_at(grades: Sequence[float], k: int) -> float:
    """Σ (2^grade − 1) / log2(rank + 1) over the first `k` ranks.

    Järvelin and Kekäläinen 2002, "Cumulated gain-based evaluation of IR techniques", with the exponential gain of
    Burges et al. 2005, "Learning to rank using gradient descent".
    """
    return sum((2**grade - 1) / math.log2(rank + 1) for rank, grade in enumerate(grades[:k], 1))


def ndcg_at(grades: Sequence[float], k: int, ideal: Sequence[float]) -> float:
    """DCG as a share of the best possible one, in [0, 1]; `ideal` are the grades of all memories, the best first."""
    best = dcg_at(ideal, k)
    return dcg_at(grades, k) / best if best > 0 else 0.0


def success_at_1(grades: Sequence[float], best: float) -> float:
    """1 when the first memory has at least the grade `best`, else 0."""
    return float(bool(grades) and grades[0] >= best)


def auroc(positives: Sequence[float], negatives: Sequence[float]) -> float:
    """The chance that a random positive scores above a random negative, a tie counting one half; in [0, 1].

    The Mann-Whitney U statistic from mean ranks (Hanley and McNeil 1982). NaN when either side is empty.
    """
    if not positives or not negatives:
        return math.nan
    scored = sorted([(score, True) for score in positives] + [(score, False) for score in negatives])
    ranks, start = 0.0, 0
    while start < len(scored):
        end = start
        while end < len(scored) and scored[end][0] == scored[start][0]:
            end += 1
        ranks += (start + 1 + end) / 2 * sum(positive for _, positive in scored[start:end])
        start = end
    n = len(positives)
    return (ranks - n * (n + 1) / 2) / (n * len(negatives))


@dataclass(frozen=True, slots=True)
class Point:
    """One operating point: the share of queries that is answered, and the share of the answers that is wrong."""

    threshold: float
    coverage: float
    risk: float


def risk_coverage(confidences: Sequence[float], wrong: Sequence[bool]) -> tuple[Point, ...]:
    """The risk-coverage curve (El-Yaniv and Wiener 2010), one point for each distinct confidence, falling."""
    ordered = sorted(zip(confidences, wrong, strict=True), key=lambda pair: -pair[0])
    points, failed = [], 0
    for answered, (confidence, is_wrong) in enumerate(ordered, 1):
        failed += is_wrong
        if answered == len(ordered) or ordered[answered][0] != confidence:
            points.append(Point(confidence, answered / len(ordered), failed / answered))
    return tuple(points)
