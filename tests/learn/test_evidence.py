"""Trust: the Wilson interval, evidence that is counted once, and what must not be promoted."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphmem.errors import InvalidInput
from graphmem.learn.evidence import Evidence, Policy, Ruling, Tally, Tried, Used, decide, tally, wilson
from graphmem.models import Outcome

UNHURRIED = settings(deadline=None)

POLICY = Policy()
NAMES = st.sampled_from(["", "a", "b", "c", "d"])
TRIED = st.builds(
    Tried,
    id=st.sampled_from([f"e{n}" for n in range(8)]),
    trace_id=NAMES,
    content_hash=NAMES,
    outcome=st.sampled_from(Outcome),
)
USED = st.builds(Used, recall=st.sampled_from([f"r{n}" for n in range(8)]), trace_id=NAMES, success=st.booleans())
EVIDENCE = st.builds(
    Evidence,
    attempts=st.lists(TRIED, max_size=8).map(tuple),
    uses=st.lists(USED, max_size=8).map(tuple),
    contradictions=st.integers(0, 1),
    approved_by=st.sampled_from(["", "", "ann"]),
    demoted=st.booleans(),
)
TRIALS = st.integers(0, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def tried(outcome: Outcome, *ids: str) -> tuple[Tried, ...]:
    return tuple(Tried(id=id_, trace_id=f"t-{id_}", content_hash=f"h-{id_}", outcome=outcome) for id_ in ids)


def used(success: bool, *recalls: str) -> tuple[Used, ...]:
    return tuple(Used(recall=recall, success=success) for recall in recalls)


WORKED = tried(Outcome.SUCCESS, "e1", "e2", "e3")


@pytest.mark.parametrize(
    ("successes", "trials", "lower", "upper"),
    [
        # Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I, method 3 (score)
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (10, 10, 0.7225, 1.0),
        (3, 3, 0.4385, 1.0),
        (0, 4, 0.0, 0.4899),
    ],
)
def test_known_values_of_the_interval(successes: int, trials: int, lower: float, upper: float) -> None:
    assert wilson(successes, trials) == pytest.approx((lower, upper), abs=5e-5)


@UNHURRIED
@given(TRIALS)
def test_the_interval_holds_the_rate_and_mirrors(counted: tuple[int, int]) -> None:
    successes, trials = counted
    lower, upper = wilson(successes, trials)
    assert 0 <= lower <= upper <= 1
    if trials:
        assert lower <= successes / trials <= upper
    mirrored = wilson(trials - successes, trials)
    assert (1 - mirrored[1], 1 - mirrored[0]) == pytest.approx((lower, upper), abs=1e-12)


@UNHURRIED
@given(TRIALS)
def test_a_success_more_raises_and_a_failure_more_lowers_both_bounds(counted: tuple[int, int]) -> None:
    successes, trials = counted
    lower, upper = wilson(successes, trials)
    better, worse = wilson(successes + 1, trials + 1), wilson(successes, trials + 1)
    assert (better[0] > lower, worse[1] < upper) == (True, True)
    assert (better[1] >= upper, worse[0] <= lower) == (True, True)


@UNHURRIED
@given(TRIALS.filter(lambda counted: counted[1] > 0), st.floats(0.1, 3), st.floats(0.1, 1))
def test_more_confidence_is_wider(counted: tuple[int, int], z: float, more: float) -> None:
    narrow, wide = wilson(*counted, z), wilson(*counted, z + more)
    assert wide[0] <= narrow[0] <= narrow[1] <= wide[1]


@pytest.mark.parametrize(("successes", "trials", "z"), [(-1, 2, 1.96), (3, 2, 1.96), (0, -1, 1.96), (1, 2, 0.0)])
def test_what_is_no_count_is_refused(successes: int, trials: int, z: float) -> None:
    with pytest.raises(InvalidInput, match="no interval"):
        wilson(successes, trials, z)


@UNHURRIED
@given(EVIDENCE, st.integers(0, 2**32))
def test_neither_order_nor_repetition_of_the_evidence_matters(evidence: Evidence, seed: int) -> None:
    source, attempts, uses = Random(seed), list(evidence.attempts) * 2, list(evidence.uses) * 2
    source.shuffle(attempts)
    source.shuffle(uses)
    again = evidence.model_copy(update={"attempts": tuple(attempts), "uses": tuple(uses)})
    assert decide(again, POLICY) == decide(evidence, POLICY)


@UNHURRIED
@given(EVIDENCE)
def test_an_attempt_with_an_unknown_outcome_changes_nothing(evidence: Evidence) -> None:
    known = tuple(one for one in evidence.attempts if one.outcome is not Outcome.UNKNOWN)
    assert decide(evidence.model_copy(update={"attempts": known}), POLICY) == decide(evidence, POLICY)


@UNHURRIED
@given(EVIDENCE)
def test_counts_agree_with_each_other(evidence: Evidence) -> None:
    counted = tally(evidence)
    assert 0 <= counted.support <= counted.successes <= counted.trials
    assert 0 <= counted.use_failures <= counted.uses <= counted.trials
    ids = {one.id for one in evidence.attempts if one.outcome is not Outcome.UNKNOWN}
    assert counted.support <= len(ids)
    assert counted.trials <= len(ids) + len({one.recall for one in evidence.uses})


@UNHURRIED
@given(EVIDENCE)
def test_nothing_is_promoted_without_a_person_or_enough_distinct_successes(evidence: Evidence) -> None:
    verdict = decide(evidence, POLICY)
    if verdict.ruling is Ruling.PROMOTE and not evidence.approved_by:
        assert verdict.tally.support >= POLICY.support_min
        assert verdict.lower >= POLICY.rate_min
        assert not evidence.contradictions
        assert not evidence.demoted


def test_three_distinct_successes_promote_with_their_numbers() -> None:
    verdict = decide(Evidence(attempts=WORKED), POLICY)
    assert verdict.ruling is Ruling.PROMOTE
    assert verdict.reason == (
        "3 distinct successful attempts; 3 of 3 distinct trials succeeded: "
        "the success rate is at least 0.44, 0.40 is needed"
    )
    assert verdict.tally == Tally(support=3, successes=3, trials=3, use_failures=0, uses=0)


@pytest.mark.parametrize(
    "attempts",
    [
        tried(Outcome.SUCCESS, *["e1"] * 5),  # one episode behind five lessons
        tuple(Tried(id=f"e{n}", content_hash="h", outcome=Outcome.SUCCESS) for n in range(5)),  # its copies
        tuple(Tried(id=f"e{n}", trace_id="t", outcome=Outcome.SUCCESS) for n in range(5)),  # a call retried
        tuple(  # copies of retries of copies
            Tried(id=f"e{n}", trace_id=f"t{n // 2}", content_hash=f"h{(n + 1) // 2}", outcome=Outcome.SUCCESS)
            for n in range(6)
        ),
    ],
)
def test_one_call_or_one_episode_is_one_however_often_it_was_written(attempts: tuple[Tried, ...]) -> None:
    verdict = decide(Evidence(attempts=attempts), POLICY)
    assert verdict.ruling is Ruling.KEEP
    assert verdict.tally.support == verdict.tally.trials == 1
    assert verdict.reason == "1 distinct successful attempts, 3 are needed"


def test_no_trace_and_no_content_join_nothing() -> None:
    attempts = tuple(Tried(id=f"e{n}", trace_id=" ", outcome=Outcome.SUCCESS) for n in range(3))
    assert tally(Evidence(attempts=attempts)).support == 3


@pytest.mark.parametrize("other", [Outcome.FAIL, Outcome.MIXED])
def test_retries_that_ended_differently_are_no_success(other: Outcome) -> None:
    outcomes = (Outcome.SUCCESS, other)
    attempts = tuple(Tried(id=f"e{n}", trace_id="t", outcome=outcome) for n, outcome in enumerate(outcomes))
    assert tally(Evidence(attempts=attempts)) == Tally(support=0, successes=0, trials=1, use_failures=0, uses=0)


def test_a_use_and_the_episode_that_tells_of_it_are_one() -> None:
    one = Evidence(attempts=tried(Outcome.SUCCESS, "e1"), uses=(Used(recall="r1", trace_id="t-e1", success=True),))
    assert tally(one) == Tally(support=1, successes=1, trials=1, use_failures=0, uses=1)


def test_mixed_counts_as_failure() -> None:
    counted = tally(Evidence(attempts=(*WORKED, *tried(Outcome.MIXED, "m1", "m2"))))
    assert (counted.successes, counted.trials) == (3, 5)


def test_failures_hold_it_back_by_the_rate() -> None:
    verdict = decide(Evidence(attempts=(*WORKED, *tried(Outcome.FAIL, "f1", "f2", "f3"))), POLICY)
    assert verdict.ruling is Ruling.KEEP
    assert verdict.reason == "3 of 6 distinct trials succeeded: the success rate is at least 0.19, 0.40 is needed"


def test_an_open_contradiction_holds_it_back_until_a_person_approves() -> None:
    held = Evidence(attempts=WORKED, contradictions=1)
    assert decide(held, POLICY).ruling is Ruling.KEEP
    assert "1 open contradiction;" in decide(held, POLICY).reason
    approved = held.model_copy(update={"approved_by": "ann"})
    assert (decide(approved, POLICY).ruling, decide(approved, POLICY).reason) == (Ruling.PROMOTE, "approved by ann")


def test_approval_needs_no_other_evidence() -> None:
    assert decide(Evidence(approved_by="ann"), POLICY).ruling is Ruling.PROMOTE
    assert decide(Evidence(), POLICY).ruling is Ruling.KEEP


@pytest.mark.parametrize("approved_by", ["", "ann"])
def test_what_keeps_failing_in_use_is_demoted_once_and_stays_so_until_a_person_says_else(approved_by: str) -> None:
    failing = Evidence(attempts=WORKED, uses=used(False, "r1", "r2", "r3"), approved_by=approved_by)
    verdict = decide(failing, POLICY)
    assert verdict.ruling is Ruling.DEMOTE
    assert verdict.reason == ("3 of 3 distinct uses failed: its success rate in use is at most 0.56, below 0.60")
    after = failing.model_copy(update={"demoted": True, "approved_by": ""})
    assert decide(after, POLICY).ruling is Ruling.KEEP
    more = after.model_copy(update={"attempts": (*WORKED, *tried(Outcome.SUCCESS, *(f"n{n}" for n in range(50))))})
    assert decide(more, POLICY).ruling is Ruling.KEEP
    assert decide(more.model_copy(update={"approved_by": "ann"}), POLICY).ruling is Ruling.PROMOTE


def test_one_call_that_failed_again_and_again_does_not_demote() -> None:
    uses = tuple(Used(recall=f"r{n}", trace_id="t", success=False) for n in range(9))
    assert decide(Evidence(attempts=WORKED, uses=uses), POLICY).ruling is not Ruling.DEMOTE
    few = used(False, "r1", "r2") + used(True, "r3")
    assert decide(Evidence(uses=few), Policy(demote_below=1)).ruling is Ruling.KEEP
