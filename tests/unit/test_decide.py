"""The decision, branch by branch: relevances decide, nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem import Decision, Kind
from graphmem.errors import ConfigurationError
from graphmem.recall.decide import FALLBACK_THRESHOLD, Policy, Verdict, budget, policy
from graphmem.recall.decide import decide as decided
from graphmem.recall.models import Candidate, Components, Evidence
from graphmem.recall.parameters import Parameters
from graphmem.settings import RecallSettings, Weights
from tests.embedders import HashEmbedder

VOUCHED = Policy(Parameters(threshold=0.6, band=0.1), vouched=True)


def decide(candidates: list[Candidate], by: Policy, lexical_only: bool, raised: float = 0.0) -> Verdict:
    """The decision on candidates, of which the best relevance is evidence, with the bar raised above θ."""
    best = max((candidate.relevance for candidate in candidates), default=0.0)
    return decided(candidates, Evidence(best=best, bar=by.parameters.threshold + raised), by, lexical_only)


def candidate(relevance: float, lexical: float = 0.0, **given: Any) -> Candidate:
    parts = dict.fromkeys(Components.model_fields, 0.0) | {"semantic": relevance, "lexical": lexical}
    fields = {"id": "m", "kind": Kind.EPISODE, "user": "", "label": "m", "rank": 1, "score": 0.0, "hop": 0}
    return Candidate(**{**fields, "replaces": None, **given}, relevance=relevance, components=Components(**parts))


@pytest.mark.parametrize(
    ("relevances", "decision"),
    [
        ([], Decision.NOVEL),
        ([0.0], Decision.NOVEL),
        ([0.599], Decision.NOVEL),
        ([0.6], Decision.VERIFY),
        ([0.699], Decision.VERIFY),
        ([0.7], Decision.USE),
        ([1.0], Decision.USE),
        ([0.2, 0.9, 0.1], Decision.USE),
    ],
)
def test_the_best_relevance_decides(relevances: list[float], decision: Decision) -> None:
    verdict = decide([candidate(relevance) for relevance in relevances], VOUCHED, lexical_only=False)
    assert verdict.decision is decision
    assert verdict.reason


@pytest.mark.parametrize(
    ("raised", "decision"),
    [(0.0, Decision.USE), (0.15, Decision.VERIFY), (0.21, Decision.NOVEL)],
)
def test_disagreement_and_crowded_surroundings_raise_the_bar(raised: float, decision: Decision) -> None:
    verdict = decide([candidate(0.8)], VOUCHED, lexical_only=False, raised=raised)
    assert verdict.decision is decision
    assert ("crowded" in verdict.reason) == (raised > 0)


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_what_is_answered_has_a_confidence_from_the_threshold_on(best: float, theta: float, raised: float) -> None:
    evidence = Evidence(best=best, bar=theta + raised)
    assert evidence.confidence(theta) <= best
    if abs(best - evidence.bar) > 1e-9:
        assert (best >= evidence.bar) == (evidence.confidence(theta) >= theta)


@pytest.mark.parametrize("relevance", [0.6, 0.7, 1.0])
def test_without_a_chosen_threshold_nothing_is_used_unverified(relevance: float) -> None:
    unvouched = Policy(VOUCHED.parameters, vouched=False)
    assert decide([candidate(relevance)], unvouched, lexical_only=False).decision is Decision.VERIFY
    assert decide([candidate(0.5)], unvouched, lexical_only=False).decision is Decision.NOVEL


def test_by_words_alone_never_more_than_verify() -> None:
    assert decide([candidate(0.0, 0.9)], VOUCHED, lexical_only=True).decision is Decision.VERIFY
    assert decide([candidate(1.0, 0.9)], VOUCHED, lexical_only=True).decision is Decision.VERIFY
    assert decide([candidate(0.0, 0.0)], VOUCHED, lexical_only=True).decision is Decision.NOVEL
    assert decide([], VOUCHED, lexical_only=True).decision is Decision.NOVEL


@given(st.lists(st.floats(0, 1), min_size=1), st.floats(0, 1), st.floats(0, 1), st.floats(-5, 5), st.integers(0, 2))
def test_neither_score_nor_place_nor_company_changes_a_decision(
    relevances: list[float], theta: float, band: float, score: float, hop: int
) -> None:
    rule = Policy(Parameters(threshold=theta, band=band), vouched=True)
    plain = decide([candidate(max(relevances))], rule, lexical_only=False)
    company = [candidate(one, lexical=0.9, score=score, hop=hop) for one in relevances]
    assert decide(company, rule, lexical_only=False) == plain
    assert (plain.decision is Decision.USE) == (max(relevances) >= max(theta, theta + band))


def test_where_the_threshold_comes_from() -> None:
    def vouched(theta: float) -> Policy:
        return Policy(Parameters(threshold=theta, band=0.05, weights=Weights()), vouched=True)

    embedder = HashEmbedder(threshold=0.3)
    assert policy(RecallSettings(threshold=0.8), embedder) == vouched(0.8)
    assert policy(RecallSettings(threshold=0.0), embedder) == vouched(0.0)
    assert policy(RecallSettings(), embedder) == vouched(0.3)
    assert policy(RecallSettings(), HashEmbedder(threshold=None)).vouched is False
    assert policy(RecallSettings(), None) == Policy(
        Parameters(threshold=FALLBACK_THRESHOLD, band=0.05, weights=Weights()), vouched=False
    )
    with pytest.raises(ConfigurationError, match="threshold of embedder 'hash'"):
        policy(RecallSettings(), HashEmbedder(threshold=1.5))


def test_a_budget_is_granted_when_there_is_nothing_to_go_by() -> None:
    rules = RecallSettings(zero_shot_attempts=4)
    for decision in (Decision.NOVEL, Decision.POLICY_ONLY):
        granted = budget(decision, rules)
        assert granted is not None
        assert granted.attempts == 4
        assert granted.checks
    assert budget(Decision.USE, rules) is None
    assert budget(Decision.VERIFY, rules) is None
