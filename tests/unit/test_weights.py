"""The weights of S: fitted to judged recalls, and accepted only when a replay says so."""

from __future__ import annotations

import random

import pytest

from graphmem.measure.weights import (
    FITTED,
    LEAST,
    Comparison,
    fit_weights,
    ordered,
    reciprocal_rank,
    score,
    sign_test,
)
from graphmem.recall import Components
from graphmem.settings import Weights

DEFAULTS = Weights(outcome=0.15, lexical=0.15)


def component(source: random.Random) -> Components:
    return Components(
        semantic=0.6 + 0.3 * source.random(),
        outcome=source.choice([0.0, 0.5, 1.0]),
        recency=source.random(),
        specificity=source.choice([0.0, 0.5, 1.0]),
        centrality=source.random(),
        lexical=0.7 * source.random(),
        false_hit=source.choice([0.0, 0.0, 0.2]),
    )


def judged(n: int, truth: Weights, seed: int, noise: float = 0.05) -> list[Comparison]:
    """Recalls of four memories, of which the one that is best by the true weights, give or take noise, is right."""
    source, made = random.Random(seed), []
    for number in range(n):
        found = sorted(
            (component(source) for _ in range(4)), key=lambda one: -score(one, truth) + source.gauss(0, noise)
        )
        made.append(Comparison(id=f"{seed}-{number}", right=tuple(found[:1]), wrong=tuple(found[1:])))
    return made


@pytest.mark.parametrize("truth", [{"outcome": 0.6}, {"lexical": 0.6}, {"outcome": 0.0, "lexical": 0.0}])
def test_weights_that_were_wrong_are_found_and_accepted(truth: dict[str, float]) -> None:
    wanted = DEFAULTS.model_copy(update=truth)
    trial = fit_weights(judged(300, wanted, seed=1), DEFAULTS, DEFAULTS)
    assert trial.weights is not None, trial.reason
    assert trial.reason.startswith("accepted: of 100 recalls held out")
    assert trial.before is not None
    assert trial.after is not None
    assert trial.after > trial.before + 0.03
    for name, value in truth.items():
        default = getattr(DEFAULTS, name)
        assert abs(getattr(trial.weights, name) - value) < abs(default - value) / 2, name
    assert (trial.weights.semantic, trial.weights.false_hit) == (DEFAULTS.semantic, DEFAULTS.false_hit)
    assert min(getattr(trial.weights, name) for name in FITTED) >= 0


def test_weights_that_were_right_stay() -> None:
    for seed in range(5):
        trial = fit_weights(judged(150, DEFAULTS, seed=seed), DEFAULTS, DEFAULTS)
        assert trial.weights is None
        assert trial.reason.startswith("not accepted: ")


def test_a_component_that_only_harms_gets_no_weight_below_zero() -> None:
    source = random.Random(5)
    recalls = []
    for number in range(120):
        good, bad = component(source), component(source)
        good, bad = (one.model_copy(update={"semantic": 0.8, "false_hit": 0.0}) for one in (good, bad))
        good, bad = good.model_copy(update={"centrality": 0.0}), bad.model_copy(update={"centrality": 1.0})
        recalls.append(Comparison(id=str(number), right=(good,), wrong=(bad,)))
    trial = fit_weights(recalls, DEFAULTS.model_copy(update={"centrality": 1.0}), DEFAULTS)
    assert trial.weights is not None
    assert trial.weights.centrality == 0


def test_few_recalls_hold_the_weights_to_the_defaults() -> None:
    wanted = DEFAULTS.model_copy(update={"outcome": 1.0})
    few, many = (fit_weights(judged(n, wanted, seed=6), Weights(outcome=0.0), DEFAULTS) for n in (45, 600))
    assert few.weights is not None
    assert many.weights is not None
    assert DEFAULTS.outcome < few.weights.outcome < many.weights.outcome < 1.2


def test_too_few_recalls_with_both_say_so() -> None:
    recalls = judged(LEAST - 1, DEFAULTS, seed=7)
    one_sided = [one.model_copy(update={"wrong": ()}) for one in judged(100, DEFAULTS, seed=8)]
    trial = fit_weights([*recalls, *one_sided], DEFAULTS, DEFAULTS)
    assert trial.weights is None
    assert trial.reason == "29 recalls have right and wrong memories, at least 30 are needed"


def test_the_order_of_the_recalls_does_not_matter() -> None:
    recalls = judged(90, Weights(outcome=0.6), seed=9)
    assert fit_weights(recalls, DEFAULTS, DEFAULTS) == fit_weights(recalls[::-1], DEFAULTS, DEFAULTS)


def test_the_measures_of_a_replay() -> None:
    low, high = (component(random.Random(1)).model_copy(update={"semantic": value}) for value in (0.1, 0.9))
    best_first = Comparison(id="a", right=(high,), wrong=(low, low))
    assert (ordered(best_first, DEFAULTS), reciprocal_rank(best_first, DEFAULTS)) == (1.0, 1.0)
    last = Comparison(id="b", right=(low,), wrong=(high, high))
    assert (ordered(last, DEFAULTS), reciprocal_rank(last, DEFAULTS)) == (0.0, 1 / 3)
    tied = Comparison(id="c", right=(low,), wrong=(low,))
    assert (ordered(tied, DEFAULTS), reciprocal_rank(tied, DEFAULTS)) == (0.5, 0.5)


@pytest.mark.parametrize(
    ("better", "worse", "chance"),
    [(0, 0, 1.0), (5, 0, 1 / 32), (4, 0, 1 / 16), (1, 1, 0.75), (0, 3, 1.0), (8, 1, 10 / 512)],
)
def test_the_sign_test_is_exact(better: int, worse: int, chance: float) -> None:
    assert sign_test(better, worse) == pytest.approx(chance)
