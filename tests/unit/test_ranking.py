"""Measures of rankings and of confidences, against values worked out by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.measure.ranking import (
    Point,
    auroc,
    dcg_at,
    ndcg_at,
    precision_at,
    recall_at,
    reciprocal_rank,
    risk_coverage,
    success_at_1,
)

GRADES = [0, 2, 1, 0, 1]


def test_precision_counts_the_ranks_asked_for() -> None:
    assert precision_at(GRADES, 1) == 0
    assert precision_at(GRADES, 3) == pytest.approx(2 / 3)
    assert precision_at([1, 1], 4) == 0.5  # two ranks stayed empty


def test_recall_counts_what_there_is() -> None:
    assert recall_at(GRADES, 2, relevant=4) == 0.25
    assert recall_at(GRADES, 5, relevant=4) == 0.75


def test_the_reciprocal_rank_is_that_of_the_first_relevant_one() -> None:
    assert reciprocal_rank(GRADES) == 0.5
    assert reciprocal_rank([1, 0]) == 1
    assert reciprocal_rank([0, 0]) == 0
    assert reciprocal_rank([]) == 0


def test_dcg_by_hand() -> None:
    # rank 2: 3 / log2(3) = 1.8928, rank 3: 1 / log2(4) = 0.5, rank 5: 1 / log2(6) = 0.3869
    assert dcg_at(GRADES, 3) == pytest.approx(2.3928, abs=1e-4)
    assert dcg_at(GRADES, 5) == pytest.approx(2.7797, abs=1e-4)


def test_ndcg_by_hand() -> None:
    # the best order 2, 1, 1: 3 + 1 / log2(3) + 1 / log2(4) = 4.1309
    assert ndcg_at(GRADES, 5, ideal=[2, 1, 1, 0, 0]) == pytest.approx(2.7797 / 4.1309, abs=1e-4)
    assert ndcg_at([2, 1, 1], 10, ideal=[2, 1, 1]) == 1
    assert ndcg_at([1, 2], 1, ideal=[2, 1]) == pytest.approx(1 / 3)
    assert ndcg_at([0], 10, ideal=[]) == 0


def test_success_at_1_wants_the_best_grade_first() -> None:
    assert success_at_1([2, 1], best=2) == 1
    assert success_at_1([1, 2], best=2) == 0
    assert success_at_1([], best=1) == 0


def test_auroc_by_hand() -> None:
    # of 6 pairs 4 are in order, 1 is tied: 4.5 / 6
    assert auroc([3, 2], [1, 2, 2.5]) == pytest.approx(4.5 / 6)
    assert auroc([1, 1], [1, 1, 1]) == 0.5
    assert auroc([2], [1]) == 1
    assert auroc([1], [2]) == 0
    assert math.isnan(auroc([], [1]))
    assert math.isnan(auroc([1], []))


SCORES = st.lists(st.integers(0, 5), min_size=1, max_size=12)


@given(SCORES, SCORES)
def test_auroc_is_the_share_of_pairs_in_order(positives: list[int], negatives: list[int]) -> None:
    won = sum((p > n) + (p == n) / 2 for p in positives for n in negatives)
    assert auroc(positives, negatives) == pytest.approx(won / (len(positives) * len(negatives)))


def test_the_risk_coverage_curve_has_a_point_for_each_confidence() -> None:
    assert risk_coverage([0.9, 0.5, 0.5, 0.1], [False, True, False, True]) == (
        Point(0.9, 0.25, 0),
        Point(0.5, 0.75, pytest.approx(1 / 3)),
        Point(0.1, 1, 0.5),
    )
    assert risk_coverage([], []) == ()
