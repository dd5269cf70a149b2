"""Intervals by resampling: around the value, the same for the same seed, as wide as theory says."""

from __future__ import annotations

import math
from statistics import median

import pytest

from graphmem.measure.bootstrap import interval, mean_interval

HALF = [0.0, 1.0] * 200


def test_the_interval_of_a_mean_is_as_wide_as_the_normal_approximation() -> None:
    # standard error of a share of one half in 400: sqrt(0.25 / 400) = 0.025, so 0.5 plus and minus 0.049
    found = mean_interval(HALF, seed=1, resamples=4000)
    assert found.value == 0.5
    assert found.n == 400
    assert found.low == pytest.approx(0.451, abs=0.006)
    assert found.high == pytest.approx(0.549, abs=0.006)


def test_a_level_of_a_half_holds_the_middle_half() -> None:
    # 0.6745 standard errors on each side
    found = mean_interval(HALF, seed=1, resamples=4000, level=0.5)
    assert found.low == pytest.approx(0.5 - 0.0169, abs=0.004)
    assert found.high == pytest.approx(0.5 + 0.0169, abs=0.004)


def test_equal_values_have_no_width() -> None:
    found = mean_interval([0.3] * 7)
    assert (found.low, found.high) == (pytest.approx(0.3), pytest.approx(0.3))


def test_the_seed_decides() -> None:
    assert mean_interval(HALF, seed=3) == mean_interval(HALF, seed=3)
    assert mean_interval(HALF, seed=3) != mean_interval(HALF, seed=4)


def test_any_statistic_is_given_places() -> None:
    values = [5.0, 1.0, 9.0]
    found = interval(3, lambda drawn: median(values[place] for place in drawn), seed=2)
    assert (found.value, found.low, found.high, found.n) == (5.0, 1.0, 9.0, 3)


def test_resamples_that_have_no_value_are_left_out() -> None:
    found = interval(2, lambda drawn: math.nan if set(drawn) == {0} else 1.0, seed=0)
    assert (found.value, found.low, found.high) == (1.0, 1.0, 1.0)


def test_nothing_measured_is_nan() -> None:
    for found in (mean_interval([]), interval(0, lambda drawn: 1.0)):
        assert found.n == 0
        assert math.isnan(found.value)
        assert math.isnan(found.low)
        assert math.isnan(found.high)
