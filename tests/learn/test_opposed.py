"""Opposite lessons are told from compatible ones by their words."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphmem.learn.opposed import alike, conditions, opposed
from graphmem.models import Reflection

UNHURRIED = settings(deadline=None)

OPPOSITE = [
    ("Never restart the pod before draining.", "Always restart the pod before draining."),
    ("Always retry a payment that timed out.", "Never retry a payment that timed out."),
    ("Do not retry.", "Retry."),
    ("Lock the table without an index", "Lock the table with an index"),
    ("Use redis instead of memcached", "Use memcached instead of redis"),
    ("Use redis, not memcached", "Use memcached, not redis"),
    ("Enable the query cache", "Disable the query cache"),
    ("When the disk is full, delete old logs.", "When the disk is full, don’t delete old logs."),
    ("Restarting the pod works", "Restarting the pod fails"),
    ("In production, never force a push.", "Force a push in production."),
    ("Don't run eval without a sandbox", "Run eval without a sandbox"),
    ("Retry the request after a timeout.", "It is a bad idea to retry the request after a timeout."),
    ("Avoid caching user sessions", "Cache user sessions"),
    ("Avoid: open attachments; click links", "Read the mail; open attachments"),
    ("Read the policy first. Never waive the fee.", "Waive the fee. Be polite to the customer."),
]
COMPATIBLE = [
    ("Never restart the pod before draining. Drain it first.", "Drain the pod first, then restart it."),
    ("If the pod is not ready, restart it", "If the pod is ready, restart it"),
    ("Restart the pod unless it is ready", "Restart the pod if it is ready"),
    ("Don't run eval without a sandbox", "Run eval with a sandbox"),
    ("Add retries to avoid timeouts", "Add retries"),
    ("Clear the cache, otherwise the build fails", "Clear the cache so that the build works"),
    ("For “x y”, this worked: open fridge; take apple.", "For “x y”, this worked: close fridge; take apple."),
    ("Always check the order id before refunding.", "Never refund more than the order total."),
    ("Email tasks: do not open attachments", "Invoices: open attachments"),
    ("When the pod is stuck, drain it. Do not restart it.", "When the node is down, restart it."),
    ("Never delete logs in production", "Delete logs in staging"),
    ("Set the timeout to 30", "Do not set the timeout to 5"),
    ("不要重试付款", "重试付款"),  # not read: nothing is claimed
    ("!!!", "..."),
    ("Add retries and a backoff of a second to avoid timeouts", "Add retries and a backoff of a second"),
    ("Check the queue. Restart it.", "Drain the worker. Do not restart."),
    ("Restart the worker if it does not answer", "Restart the worker if it answers. Never restart the worker twice."),
    ("Do not restart a worker if it answers", "Restart a worker if it does not answer"),
    ("Either way, the first search results were not good. Refine it.", "The first search results were good. Order it."),
    ("It did not help to repeat the search. Change the query.", "Repeat the search. It did help to repeat the search."),
    ("If no cup is found, search the drawers.", "Search the drawers, found cup or not, but never empty them."),
]


def lesson(insight: str, failure_mode: str = "", **fields: object) -> Reflection:
    return Reflection(insight=insight, failure_mode=failure_mode, **fields)


@pytest.mark.parametrize(("one", "other"), OPPOSITE)
def test_opposite_advice(one: str, other: str) -> None:
    assert opposed(lesson(one), lesson(other))
    assert opposed(lesson(other), lesson(one))


@pytest.mark.parametrize(("one", "other"), COMPATIBLE)
def test_compatible_advice(one: str, other: str) -> None:
    assert not opposed(lesson(one), lesson(other))
    assert not opposed(lesson(other), lesson(one))


@pytest.mark.parametrize(
    ("insight", "failure_mode", "success", "are"),
    [
        (
            "For “cook egg”, avoid this failure: {}.",
            "opening the fridge",
            "For “cook egg”, this worked: open fridge.",
            1,
        ),
        (
            "For “cook egg”, avoid this failure: {}.",
            "opening the fridge",
            "For “cook ham”, this worked: open fridge.",
            0,
        ),
        (
            "For “cook egg”, avoid this failure: {}. What worked instead: open fridge.",
            "leaving out “open fridge”",
            "For “cook egg”, this worked: open fridge; take egg.",
            0,
        ),
        ("For “cook egg”, avoid this failure: {}.", "forgot to open the fridge", "For “cook egg”: open fridge.", 0),
        (
            "For “get in”, avoid this failure: {}.",
            "the door was locked",
            "For “get in”, this worked: lock the door.",
            0,
        ),
        ("Restarting the pod loses data.", "restarted the pod", "Restart the pod.", 1),
        ("Ask for the id, do not trust the user.", "refunded without asking for the id", "Ask for the id.", 0),
    ],
)
def test_a_failure_against_a_success(insight: str, failure_mode: str, success: str, are: int) -> None:
    failure = lesson(insight.format(failure_mode), failure_mode)
    assert opposed(failure, lesson(success)) == opposed(lesson(success), failure) == bool(are)


@pytest.mark.parametrize(
    "fields",
    [{"conditions": ("os = mac",)}, {"domain": "games"}, {"task_type": "triage"}, {"toolchain": "npm"}],
)
def test_opposite_advice_under_other_conditions_is_no_contradiction(fields: dict[str, object]) -> None:
    one, other = lesson("Never retry payments", conditions=("OS=linux",)), "Retry payments"
    assert opposed(one, lesson(other, conditions=("os =  Linux",)))
    assert not opposed(one, lesson(other, **{"conditions": ("os = linux",), **fields}))
    assert not opposed(one, lesson(other))


def test_alike_is_equality_of_words_and_conditions() -> None:
    one = lesson("Retry  payments.", conditions=("os = linux", "ci = true"))
    assert alike(one, lesson("retry payments", conditions=("CI=true", "os=linux")))
    assert not alike(one, lesson("retry payments", conditions=("os=linux",)))
    assert not alike(one, lesson("retry a payment", conditions=one.conditions))
    assert conditions(("A =  b", "x ")) == {"a=b", "x"}


WORDS = st.lists(
    st.sampled_from(
        ["never", "not", "avoid", "retry", "the", "payment", "pod", "if", ":", ";", ".", "but", "instead of", "“", "”"]
    ),
    min_size=1,
    max_size=12,
).map(" ".join)
LESSONS = st.builds(lesson, WORDS, st.one_of(st.just(""), WORDS))


@UNHURRIED
@given(LESSONS, LESSONS)
def test_it_is_symmetric_and_no_lesson_is_opposed_to_itself(one: Reflection, other: Reflection) -> None:
    assert opposed(one, other) == opposed(other, one)
    assert not opposed(one, one)
    assert alike(one, one)
    if alike(one, other):
        assert not opposed(one, other)


@UNHURRIED
@given(st.lists(st.sampled_from(["retry", "payment", "pod", "drain", "cache"]), min_size=2, max_size=5, unique=True))
def test_advice_is_opposed_to_its_negation_alone(words: list[str]) -> None:
    advice = " ".join(words)
    assert opposed(lesson(advice), lesson(f"never {advice}"))
    assert not opposed(lesson(advice), lesson(f"never avoid {advice}"))
    assert not opposed(lesson(f"never {advice}"), lesson(f"Do not {advice}"))


@UNHURRIED
@given(st.text(min_size=1).filter(str.strip), st.text())
def test_any_text_can_be_read(insight: str, mode: str) -> None:
    try:
        one = lesson(insight, mode)
    except ValueError:
        return
    assert opposed(one, lesson("Retry.")) in (True, False)


def test_a_long_lesson_is_read_in_bounded_time() -> None:
    long = "never retry a payment; " * 50_000
    assert not opposed(lesson(long, "x" * 100_000), lesson("if " * 50_000 + ": " * 1000))
