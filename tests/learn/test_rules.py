"""The rules: one lesson for each attempt, the same words for the same evidence, practices from what successes share."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphmem.learn.drafts import Attempt, Case, Distilled, Group, Known, Practice, Reflected, Reflector
from graphmem.learn.opposed import opposed
from graphmem.learn.rules import RuleReflector
from graphmem.learn.rules_text import INSIGHT, masked, named_steps, quoted, short
from graphmem.models import Episode, Outcome, Reflection, Skill, Step
from graphmem.steps import Stage, run
from graphmem.text import instant

UNHURRIED = settings(deadline=None)

TASK = "Refund the order"
NOON = instant("2025-01-01T12:00Z")
SUCCESS, FAIL, MIXED, UNKNOWN = Outcome.SUCCESS, Outcome.FAIL, Outcome.MIXED, Outcome.UNKNOWN
RULES: Reflector = RuleReflector()


def attempt(id_: str, outcome: Outcome, did: str = "", **fields: Any) -> Attempt:
    """An attempt; `did` are its actions, parted by semicolons."""
    trajectory = tuple(Step(action=action) for action in did.split(";")) if did else ()
    given = {"task": TASK, "trajectory": trajectory, **fields}
    assert NOON is not None
    return Attempt(id=id_, episode=Episode(outcome=outcome, **given), happened_at=NOON)


def answered(stage: Stage[Any]) -> Any:
    """The value of a stage that asks for nothing."""
    return run(stage, lambda step: pytest.fail(f"asked for {step}"))


def reflected(*new: Attempt, known: tuple[Attempt, ...] = (), lessons: tuple[Known, ...] = ()) -> Reflected:
    found: Reflected = answered(RULES.reflect(Case(new=new, known=known, lessons=lessons)))
    return found


def distilled(*attempts: Attempt, lessons: tuple[Known, ...] = (), current: Skill | None = None) -> Distilled:
    group = Group(lessons=lessons, attempts=attempts, current=current)
    found: Distilled = answered(RULES.distil(group))
    return found


def insights(found: Reflected) -> list[str]:
    return [lesson.insight for lesson in found.lessons]


WORKED = attempt("s1", SUCCESS, "ask for the id;look it up;refund")
BLIND = attempt("f1", FAIL, "look it up;refund", failure_reason="Refunded the wrong order.")


def test_its_name_is_versioned() -> None:
    assert RULES.name == "rules-1"


def test_a_success_alone_names_its_steps() -> None:
    found = reflected(attempt("s1", SUCCESS, "look it up;refund", techniques=("policy first",)))
    assert insights(found) == ["For “Refund the order”, this worked: look it up; refund. Techniques: policy first."]
    assert found.lessons[0].failure_mode == ""
    assert found.lessons[0].guardrails == ()
    assert found.lessons[0].sources == ("s1",)


def test_what_no_failure_did_comes_first_and_must_not_be_left_out() -> None:
    lesson = reflected(attempt("s1", SUCCESS, "look it up;ask for the id;refund"), known=(BLIND,)).lessons[0]
    assert lesson.insight == "For “Refund the order”, this worked: ask for the id; look it up; refund."
    assert lesson.guardrails == ("do not leave out “ask for the id”",)


def test_key_decisions_come_first_of_all() -> None:
    steps = (Step(action="look it up"), Step(action="refund", decision="The policy allows it"))
    found = reflected(attempt("s1", SUCCESS, trajectory=steps))
    assert insights(found) == ["For “Refund the order”, this worked: The policy allows it; look it up; refund."]


def test_a_failure_says_what_to_avoid_and_what_a_success_did_instead() -> None:
    lesson = reflected(BLIND, known=(WORKED,)).lessons[0]
    assert lesson.insight == (
        "For “Refund the order”, avoid this failure: Refunded the wrong order. What worked instead: ask for the id."
    )
    assert lesson.failure_mode == "Refunded the wrong order"
    assert lesson.guardrails == ("before going on, check that this was done: “ask for the id”",)
    assert insights(reflected(BLIND)) == ["For “Refund the order”, avoid this failure: Refunded the wrong order."]


@pytest.mark.parametrize(
    ("failure", "known", "mode"),
    [
        (attempt("f", FAIL, "look it up;refund"), (WORKED,), "leaving out “ask for the id”"),
        (attempt("f", FAIL, "ask for the id;look it up;refund;guess"), (WORKED,), "doing “guess”"),
        (attempt("f", MIXED, "ask for the id;look it up;refund"), (WORKED,), "the reason was not recorded"),
        (attempt("f", FAIL), (WORKED,), "the reason was not recorded"),
        (
            attempt("f", FAIL, trajectory=(Step(action="go", observation="Error 503."),)),
            (),
            "it ended with “Error 503”",
        ),
        (attempt("f", FAIL, "x", failure_reason=" \n "), (), "the reason was not recorded"),
    ],
)
def test_why_it_failed_when_no_reason_is_stated(failure: Attempt, known: tuple[Attempt, ...], mode: str) -> None:
    assert [lesson.failure_mode for lesson in reflected(failure, known=known).lessons] == [mode]


def test_one_lesson_for_each_reason_however_it_is_written() -> None:
    reasons = ["Wrong order", "Timed out after 31.2 s", "timed  out after 7 s."]
    found = reflected(*(attempt(f"f{n}", FAIL, failure_reason=reason) for n, reason in enumerate(reasons)), WORKED)
    assert [(lesson.failure_mode, lesson.sources) for lesson in found.lessons] == [
        ("", ("s1",)),
        ("Timed out after <number> s", ("f1", "f2")),
        ("Wrong order", ("f0",)),
    ]


def test_an_unknown_outcome_teaches_nothing() -> None:
    found = reflected(attempt("u", UNKNOWN, "a;b"), WORKED)
    assert [lesson.sources for lesson in found.lessons] == [("s1",)]
    assert found.warnings == ("episode u teaches nothing: its outcome is not known",)
    alone = reflected(BLIND, known=(attempt("u", UNKNOWN, "ask for the id"),))
    assert "instead" not in alone.lessons[0].insight


def test_the_same_lesson_from_another_attempt_has_the_same_words() -> None:
    first, second = reflected(WORKED).lessons[0], reflected(attempt("s9", SUCCESS, "Ask for the ID; look it up;refund"))
    assert first.insight.casefold() == second.lessons[0].insight.casefold()
    one = reflected(attempt("f1", FAIL, failure_reason="API key 0x7f31aa expired at 2025-03-04T10:00:00Z"))
    other = reflected(attempt("f2", FAIL, failure_reason="API key 0x99 expired at 2024-01-01"))
    assert insights(one) == insights(other)


def known(lesson_of: Reflected, id_: str = "r1", **fields: Any) -> Known:
    lesson = lesson_of.lessons[0]
    said = {"insight": lesson.insight, "conditions": lesson.conditions, "failure_mode": lesson.failure_mode}
    return Known(id=id_, reflection=Reflection(**{**said, **fields}))


def test_a_known_lesson_keeps_its_words_while_it_holds() -> None:
    lesson = known(reflected(WORKED))
    longer = attempt("s2", SUCCESS, "greet;ask for the id;look it up;check;refund")
    assert insights(reflected(longer, lessons=(lesson,))) == [lesson.reflection.insight]
    assert insights(reflected(longer)) != [lesson.reflection.insight]
    other_way = attempt("s3", SUCCESS, "ask for the id;refund")
    assert insights(reflected(other_way, lessons=(lesson,))) != [lesson.reflection.insight]
    # a failure shows that something else made the difference, which the known lesson does not name
    failure = attempt("f1", FAIL, "ask for the id;look it up;refund;greet")
    assert "check" in insights(reflected(longer, known=(failure,), lessons=(lesson,)))[0]
    elsewhere = known(reflected(WORKED), conditions=("os = mac",))
    assert insights(reflected(longer, lessons=(elsewhere,))) == insights(reflected(longer))


def test_conditions_are_the_environment_that_all_sources_share() -> None:
    metadata = {"os": "linux", "python_version": 3.11, "run": "17", "score": 0.9, "region": ["eu"], "shell": " "}
    one = attempt("s1", SUCCESS, "a", toolchain="uv", metadata=metadata)
    other = attempt("s2", SUCCESS, "a", toolchain="uv", metadata={**metadata, "python_version": 3.12})
    assert reflected(one).lessons[0].conditions == ("os = linux", "python_version = 3.11", "toolchain = uv")
    assert reflected(one, other).lessons[0].conditions == ("os = linux", "toolchain = uv")
    assert reflected(one, attempt("s3", SUCCESS, "a")).lessons[0].conditions == ()
    hostile = {"os`}) DETACH DELETE n //": "x", "version": "1\n= 2" * 99, "ciPlatform": True}
    assert reflected(attempt("s1", SUCCESS, "a", metadata=hostile)).lessons[0].conditions == ("ciPlatform = true",)


def test_without_a_trajectory_the_summary_or_the_techniques_say_what_worked() -> None:
    told = reflected(attempt("s1", SUCCESS, summary="Asked first, then refunded."))
    assert insights(told) == ["For “Refund the order”, this worked: Asked first, then refunded."]
    named = reflected(attempt("s1", SUCCESS, techniques=("ask first",)))
    assert insights(named) == ["For “Refund the order”, this worked: ask first."]
    assert insights(reflected(attempt("s1", SUCCESS))) == [
        "For “Refund the order”, this worked: doing what the task says."
    ]


ACTIONS = st.lists(st.sampled_from(["ask", "look", "pay", "wait", "Ask"]), max_size=5).map(";".join)
REASONS = st.sampled_from(["", "timed out", "Timed out.", "wrong order"])
ATTEMPTS = st.lists(st.tuples(st.sampled_from(Outcome), ACTIONS, REASONS), min_size=1, max_size=7)


@UNHURRIED
@given(ATTEMPTS, st.integers(0, 7), st.integers(0, 2**32))
def test_every_new_attempt_is_in_one_lesson_and_no_order_matters(
    drawn: list[tuple[Outcome, str, str]], cut: int, seed: int
) -> None:
    every = [attempt(f"e{n}", outcome, did, failure_reason=why) for n, (outcome, did, why) in enumerate(drawn)]
    new, before = every[: cut + 1], every[cut + 1 :]
    found = reflected(*new, known=tuple(before))
    sources = [source for lesson in found.lessons for source in lesson.sources]
    assert sorted(sources) == sorted(one.id for one in new if one.episode.outcome is not UNKNOWN)
    failing = {one.id for one in new if one.episode.outcome in (FAIL, MIXED)}
    assert all(
        (source in failing) == bool(lesson.failure_mode) for lesson in found.lessons for source in lesson.sources
    )
    assert len(set(insights(found))) == len(found.lessons)
    source = Random(seed)
    source.shuffle(new)
    source.shuffle(before)
    assert reflected(*new, known=tuple(before)) == found
    lessons = [Reflection(insight=one.insight, failure_mode=one.failure_mode) for one in found.lessons]
    stated = [one for one in lessons if "doing" not in one.failure_mode]
    assert not any(opposed(one, other) for one in stated for other in stated)


@UNHURRIED
@given(st.lists(st.text(max_size=300), max_size=4), st.text(min_size=1).filter(str.strip), st.text(), st.text())
def test_any_text_makes_a_short_lesson(did: list[str], task: str, reason: str, technique: str) -> None:
    try:
        steps = tuple(Step(action=text, decision=text[:50], observation=text) for text in did)
        techniques = (technique,) if technique.strip() else ()
        good = attempt("s", SUCCESS, task=task, trajectory=steps, techniques=techniques)
        bad = attempt("f", FAIL, task=task, trajectory=steps[1:], failure_reason=reason)
    except ValueError:
        return
    found = reflected(good, bad)
    assert len(found.lessons) == 2
    assert all(0 < len(lesson.insight) <= INSIGHT for lesson in found.lessons)
    assert reflected(good, bad) == found


def test_the_longest_texts_fit() -> None:
    long = "word " * 20_000
    steps = tuple(Step(action=f"{n} {long}", decision=long) for n in range(300))
    good = attempt("s", SUCCESS, task=long, trajectory=steps, techniques=tuple(f"{n}{'x' * 150}" for n in range(9)))
    bad = attempt("f", FAIL, task=long, failure_reason=long, trajectory=steps[:1])
    for lesson in reflected(good, bad).lessons:
        assert 300 < len(lesson.insight) <= INSIGHT


def test_a_practice_is_what_the_successes_share() -> None:
    lesson = known(reflected(WORKED), conditions=("os = linux", "CI = true"))
    warning = known(reflected(BLIND), "r2", conditions=("OS=linux",), guardrails=("check the id",))
    found = distilled(WORKED, BLIND, attempt("s2", SUCCESS, "ask for the id;smile;refund"), lessons=(lesson, warning))
    assert found.practice == Practice(
        name=TASK,
        steps=("ask for the id", "refund"),
        preconditions=("OS=linux",),
        quality_notes="Known failures: Refunded the wrong order. Checks: check the id.",
    )
    assert distilled(attempt("s2", SUCCESS, "ask for the id;smile;refund"), BLIND, WORKED).practice is not None
    current = Skill(name="Refunding", steps=("x",))
    renamed = distilled(WORKED, lessons=(lesson,), current=current).practice
    assert renamed is not None
    assert renamed.name == "Refunding"


@pytest.mark.parametrize(
    ("attempts", "reason"),
    [
        ((), "none of its attempts succeeded"),
        ((BLIND, attempt("u", UNKNOWN, "a"), attempt("m", MIXED, "a")), "none of its attempts succeeded"),
        ((WORKED, attempt("s2", SUCCESS, "x")), "its successful attempts have no step in common"),
        ((attempt("s2", SUCCESS),), "its successful attempts left neither trajectories nor techniques in common"),
    ],
)
def test_why_there_is_no_practice(attempts: tuple[Attempt, ...], reason: str) -> None:
    assert distilled(*attempts) == Distilled(practice=None, reason=reason)


def test_techniques_stand_in_for_steps_that_nobody_wrote_down() -> None:
    one, other = (attempt(f"s{n}", SUCCESS, techniques=("Backoff", f"t{n}")) for n in range(2))
    practice = distilled(one, other).practice
    assert practice is not None
    assert practice.steps == ("Use Backoff",)


@pytest.mark.parametrize(
    ("tasks", "name"),
    [
        (["Refund order 17", "Refund order 4"], "Refund order"),
        (["Book a flight to Paris", "Cancel the trip"], "Cancel the trip"),
        (["very very long", "Very very  long"], "Very very long"),
    ],
)
def test_a_practice_is_named_by_what_its_tasks_share(tasks: list[str], name: str) -> None:
    for given_ in (tasks, tasks[::-1]):
        practice = distilled(*(attempt(f"s{n}", SUCCESS, "a", task=task) for n, task in enumerate(given_))).practice
        assert practice is not None
        assert practice.name == name


def test_texts_are_cut_at_words_and_quoted_once() -> None:
    assert short("one two three. ", 9) == "one two…"
    assert short("abcdefghij", 5) == "abcd…"
    assert quoted("say “hi”") == "“say 'hi'”"
    assert masked("id 123e4567-e89b-12d3-a456-426614174000 at 10:11:12, commit deadbeef12, HTTP 404, 12345678") == (
        "id <id> at <time>, commit <id>, HTTP 404, <number>"
    )
    assert named_steps("For “x”, this worked: a; b. Techniques: c.", "x") == ("a", "b")
    assert named_steps("Always a; b.", "x") is None
