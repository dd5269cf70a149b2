"""What is made of answers: metrics, abstention, feedback figures, ablation, the page; all by hand, without a server."""

from __future__ import annotations

import json
import math
from random import Random

import pytest

from graphmem.measure.bootstrap import Estimate
from graphmem.measure.evaluate.ablation import ablate
from graphmem.measure.evaluate.abstain import abstention, by_confidence
from graphmem.measure.evaluate.data import Ask, DataSet
from graphmem.measure.evaluate.feedback import Case, estimates
from graphmem.measure.evaluate.judge import Bar, Judged, difference, values
from graphmem.measure.evaluate.page import page
from graphmem.measure.evaluate.report import Report, to_json
from graphmem.measure.evaluate.systems import Ranked, showing_all
from graphmem.settings import Weights, load_settings
from tests.evaluation.answers import answer

SET = DataSet("set", (), graded=True)


def judged(ids: str, relevant: str, better: str = "", confidence: float = 0.5) -> Judged:
    groups = frozenset({"g"} if relevant else ())
    return Judged(
        Ask("ask", "text", groups), Bar(frozenset(relevant), frozenset(better)), Ranked(tuple(ids), confidence)
    )


def test_grades_and_metrics_by_hand() -> None:
    answers = [judged("xab", "abc", "b"), judged("cxx", "c"), judged("xyz", "")]
    assert [one.grades for one in answers] == [[0, 1, 2], [1, 0, 0], [0, 0, 0]]
    assert [one.wrong for one in answers] == [True, False, True]
    found = values(SET, answers)
    assert found["mrr"] == [0.5, 1.0]  # nothing is relevant to the third
    assert found["recall@10"] == [pytest.approx(2 / 3), 1.0]
    assert found["precision@3"] == [pytest.approx(2 / 3), pytest.approx(1 / 3)]
    assert found["success@1"] == [0.0]  # there is a better one for the first alone
    best = 3 + 1 / math.log2(3) + 1 / math.log2(4)
    assert found["ndcg@10"][0] == pytest.approx((1 / math.log2(3) + 3 / math.log2(4)) / best)
    plain = values(DataSet("plain", ()), answers[:2])
    assert plain["success@1"] == [0.0, 1.0]


def test_differences_are_paired() -> None:
    found = difference([1.0, 0.5, 0.0], [0.5, 0.0, -0.5], seed=0)
    assert (found.value, found.low, found.high) == (0.5, 0.5, 0.5)


def test_abstention_finds_what_can_be_told_apart() -> None:
    random = Random(1)
    right = [judged("a", "a", confidence=0.7 + 0.2 * random.random()) for _ in range(200)]
    strange = [judged("x", "", confidence=0.5 + 0.2 * random.random()) for _ in range(200)]
    found = abstention([*right, *strange], by_confidence([*right, *strange]), seed=0)
    assert found["novelty_auroc"].value == 1
    assert found["coverage@0.05"].value == 1
    assert 0 < found["false_hit@0.05"].value <= 0.06
    assert found["coverage@0.05"].n == 200
    assert found["false_hit@0.10"].n == 400


def test_abstention_pays_for_what_cannot() -> None:
    random = Random(2)
    mixed = [judged("a", "a" if place % 2 else "", confidence=random.random()) for place in range(600)]
    found = abstention(mixed, by_confidence(mixed), seed=0)
    assert found["novelty_auroc"].value == pytest.approx(0.5, abs=0.06)
    assert found["false_hit@0.05"].value <= 0.055
    assert found["false_hit@0.10"].value <= 0.105
    assert found["coverage@0.05"].value < found["coverage@0.10"].value < 0.3


def test_feedback_figures_are_shares_of_questions() -> None:
    found = estimates([Case(10, 8, 1, 1, 4, 4, 0.2), Case(30, 12, 1, 0, 0, 0, None)], seed=0)
    assert found["repeat_before_feedback"].value == 0.5
    assert found["repeat_after_feedback"].value == 0.05
    assert found["repeat_after_feedback"].n == 40
    assert found["repeat_where_before"].value == 0.05  # one of the 20 that had it
    assert found["repeat_where_before"].n == 20
    assert found["kept_after_feedback"].value == 1
    assert found["kept_after_feedback"].n == 4
    assert found["corrected_at_once"].value == 0.5
    assert found["time_to_correction"].value == 0.2
    assert estimates([], seed=0) == {}


def test_a_component_that_is_the_same_for_all_candidates_is_not_exercised() -> None:
    """Lexical alone lifts the right one; recency differs by the seconds that recording took."""
    found = ablate(DataSet("set", (), metrics=("mrr",)), [answered()], Weights(), seed=0)
    losses = {one.component: one.loss for one in found}
    assert {name for name, loss in losses.items() if loss is not None} == {"semantic", "lexical"}
    assert losses["lexical"] is not None
    assert losses["lexical"].value == 0.5
    html = page([Report("set", 2, 1, 1.0, {"graphmem": {"mrr": Estimate(1, 1, 1, 1)}}, ablation=found)], seed=0)
    assert html.count("<small>not exercised</small>") == 5
    assert "false_hit needs feedback" in html


def answered() -> Judged:
    """One question whose right answer is less near, and says the words that were asked."""
    near = {"semantic": 0.72, "lexical": 0.0, "recency": 1.0}
    right = {"semantic": 0.70, "lexical": 0.5, "recency": 0.9999999}
    recall = answer({"near": near, "right": right})
    return Judged(
        Ask("ask", "text", frozenset({"g"})),
        Bar(frozenset({"right"}), frozenset()),
        Ranked(("right", "near"), 0.7, recall),
    )


def test_every_candidate_is_shown_to_other_weights() -> None:
    settings = load_settings()
    rules = showing_all(settings).recall
    assert rules.shown == rules.vector_candidates + rules.text_candidates + 2 * rules.neighbours
    assert rules.model_copy(update={"shown": settings.recall.shown}) == settings.recall


def test_json_has_null_for_what_could_not_be_measured_and_the_page_stands_alone() -> None:
    systems = {
        "graphmem": {
            "mrr": Estimate(0.5, 0.4, 0.6, 9),
            "repeat_where_before": Estimate(0.125, 0.1, 0.2, 8),
            "kept_after_feedback": Estimate(math.nan, math.nan, math.nan, 0),
        },
        "vector": {"mrr": Estimate(0.25, 0.2, 0.3, 9)},
    }
    report = Report("a<b", 1, 9, 1.0, systems)
    content = json.loads(to_json([report]))
    assert content["a<b"]["vector"]["mrr"] == {"value": 0.25, "low": 0.2, "high": 0.3, "n": 9}
    assert content["a<b"]["graphmem"]["kept_after_feedback"]["value"] is None
    html = page([report], seed=7)
    assert "a&lt;b" in html
    assert "<svg" in html
    assert "0.500" in html
    assert "0.125" in html
    assert "shares of <i>all</i> paraphrases" in html
    assert "looks at those alone that had" in html
    assert "src=" not in html
    assert "a<b" not in html
