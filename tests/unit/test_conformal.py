"""Conformal risk control: the guarantee for finitely many labels, and the edges of it."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.errors import InvalidInput
from graphmem.measure.conformal import AGREEMENTS, CONTRASTS, Labelled, fit, minimum, threshold

Scored = list[tuple[float, bool]]
RATES = st.sampled_from([0.01, 0.05, 0.1, 0.2, 0.5])
# Few distinct confidences, so that ties are the rule.
SCORED = st.lists(st.tuples(st.integers(0, 8).map(lambda n: n / 8), st.booleans()), min_size=1, max_size=120)


def false_hits(scored: Scored, lowest: float) -> int:
    return sum(score >= lowest and not right for score, right in scored)


@given(SCORED, RATES)
def test_the_threshold_is_the_lowest_that_keeps_the_corrected_risk(scored: Scored, rate: float) -> None:
    n, lowest = len(scored), threshold(scored, rate)
    if n + 1 < 1 / rate - 1e-6:
        assert lowest == math.inf
        return
    assert (false_hits(scored, lowest) + 1) / (n + 1) <= rate + 1e-9
    assert lowest >= min(score for score, _ in scored)
    below = [score for score, _ in scored if score < lowest]
    if below:
        assert (false_hits(scored, max(below)) + 1) / (n + 1) > rate


def test_the_threshold_by_hand() -> None:
    # n = 19: at 0.10 two of twenty, one of which is kept for the next recall
    scored = [(place / 100, place not in (3, 7, 12)) for place in range(19)]
    assert 0.07 < threshold(scored, 0.10) < 0.08
    assert 0.12 < threshold(scored, 0.05) < 0.13
    assert threshold([(0.9, True)] * 18, 0.05) == math.inf
    assert threshold([(0.9, True)] * 19, 0.05) == 0.9  # and nothing less sure than what is known
    assert threshold([], 0.05) == math.inf


@pytest.mark.parametrize(("scale", "shift"), [(40.0, 0.0), (1e12, 0.0), (0.016, 0.0), (1.0, -5.0)])
def test_the_threshold_is_right_on_any_scale(scale: float, shift: float) -> None:
    """BM25 goes far above 1, a fused rank stays far below it, a logarithm is below 0."""
    confidences = [scale * place / 100 + shift for place in range(19)]
    scored = [(confidence, place not in (3, 7, 12)) for place, confidence in enumerate(confidences)]
    assert confidences[7] < threshold(scored, 0.10) < confidences[8]
    right = [(confidence, True) for confidence in confidences]
    assert threshold(right, 0.10) == confidences[0]


def test_a_fitted_threshold_is_a_relevance_and_so_never_below_zero() -> None:
    right = [
        Labelled(id=str(n), best=best, agreed=best, surroundings=0.5, right=True)
        for n, best in enumerate([-0.5, 0.5] * 30)
    ]
    assert fit(right, 0.1).threshold == 0


@given(SCORED, RATES, RATES)
def test_a_stricter_target_never_lowers_the_threshold(scored: Scored, one: float, other: float) -> None:
    assert threshold(scored, min(one, other)) >= threshold(scored, max(one, other))


@given(SCORED, RATES)
def test_a_right_answer_more_never_raises_the_false_hits(scored: Scored, rate: float) -> None:
    more = [*scored, (1.0, True)]
    assert threshold(more, rate) <= threshold(scored, rate)


def drawn(source: random.Random, n: int, tied: bool = False) -> list[Labelled]:
    """Questions of which about 60 % have an answer, more often where the best relevance is high."""
    made = []
    for number in range(n):
        best = source.betavariate(5, 2)
        best = round(best, 1) if tied else best
        crowd = 0.5 + 0.3 * source.random()
        right = source.random() < min(1.0, max(0.0, 2.2 * best - 1.0 - 0.5 * (crowd - 0.5)))
        agreed = best * (0.9 + 0.1 * source.random())
        made.append(Labelled(id=f"r{number}", best=best, agreed=agreed, surroundings=crowd, right=right))
    return made


@pytest.mark.parametrize(("rate", "n"), [(0.05, 60), (0.1, 60), (0.1, 300), (0.3, 50)])
@pytest.mark.parametrize("tied", [False, True])
def test_false_hits_of_the_next_questions_stay_below_the_target_on_average(rate: float, n: int, tied: bool) -> None:
    source = random.Random(f"{rate} {n} {tied}")
    rates, answered = [], 0
    for _ in range(150):
        try:
            found = fit(drawn(source, n, tied), rate)
        except InvalidInput:  # then nothing is answered
            rates.append(0.0)
            continue
        nexts = drawn(source, 100, tied)
        ok = [
            one.right
            for one in nexts
            if one.confidence(found.agreement, found.contrast, found.reference) >= found.threshold
        ]
        rates.append(ok.count(False) / len(nexts))
        answered += len(ok)
    mean = sum(rates) / len(rates)
    error = math.sqrt(sum((one - mean) ** 2 for one in rates)) / len(rates)
    assert mean <= rate + 3 * error
    assert answered > 0


def test_no_choice_of_the_form_looks_at_the_recalls_that_the_threshold_is_taken_from() -> None:
    labelled = drawn(random.Random(1), 300)
    found = fit(labelled, 0.1)
    assert (found.chosen_on, found.fitted_on) == (100, 200)
    assert fit(labelled[::-1], 0.1) == found
    assert 0 < found.false_hits <= 0.1
    assert 0 < found.right_answers < 1
    assert found.agreement in AGREEMENTS
    assert found.contrast in CONTRASTS


def test_what_does_not_help_is_left_out() -> None:
    """Where agreement and surroundings say what the best says, the confidence is the best alone."""
    plain = [
        Labelled(id=str(n), best=n / 99, agreed=n / 99, surroundings=0.5, right=n >= 40 or n % 5 == 0)
        for n in range(100)
    ]
    found = fit(plain, 0.1)
    assert (found.agreement, found.contrast, found.reference) == (0, 0, 0.5)


def test_crowded_surroundings_count_and_calm_ones_never_raise_the_confidence() -> None:
    """Wrong exactly where it is crowded: contrast is chosen, from the reference on alone."""
    source = random.Random(2)
    crowded = [
        Labelled(id=str(n), best=0.7 + 0.1 * source.random(), agreed=0.7, surroundings=crowd, right=crowd < 0.9)
        for n, crowd in enumerate([0.5, 0.9] * 100)
    ]
    found = fit(crowded, 0.05)
    assert found.contrast > 0
    assert found.reference == 0.5
    assert found.false_hits <= 0.05
    assert found.right_answers == pytest.approx(0.5, abs=0.1)
    calm = crowded[0].model_copy(update={"surroundings": 0.1})
    assert calm.confidence(0, 0.75, 0.5) == calm.best


@pytest.mark.parametrize(("rate", "least"), [(0.5, 50), (0.1, 50), (0.05, 50), (0.02, 73), (0.01, 148)])
def test_too_few_labels_are_refused_with_how_many_are_needed(rate: float, least: int) -> None:
    assert minimum(rate) == least
    assert least - least // 3 >= 1 / rate - 1
    labelled = drawn(random.Random(3), least)
    with pytest.raises(InvalidInput, match=f"^{least - 1} labelled recalls .*{least} are needed"):
        fit(labelled[:-1], rate)
    right = [one.model_copy(update={"right": True}) for one in labelled]
    assert fit(right, rate).fitted_on == least - least // 3


def test_where_nothing_was_wrong_nothing_less_sure_than_the_labelled_is_answered() -> None:
    right = [one.model_copy(update={"right": True}) for one in drawn(random.Random(4), 60)]
    found = fit(right, 0.1)
    assert (found.agreement, found.contrast) == (0, 0)
    assert found.threshold >= min(one.best for one in right)
    assert (found.false_hits, found.right_answers) == (0, 1)


def test_where_everything_confident_was_wrong_it_is_refused() -> None:
    labelled = [
        Labelled(id=str(n), best=0.9 if n % 2 else 0.3, agreed=0.3, surroundings=0.5, right=n % 2 == 0 and n % 7 == 0)
        for n in range(100)
    ]
    flat = [one.model_copy(update={"agreed": one.best}) for one in labelled]
    with pytest.raises(InvalidInput, match=r"cannot be kept at 0\.05"):
        fit(flat, 0.05)
