"""What is counted of contexts and failures, without a server."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from graphmem.measure.conversion import Asked, Context, conversion
from graphmem.measure.patterns import Failure, patterns
from graphmem.models import Outcome
from graphmem.recall import Decision

START = datetime(2025, 1, 1, tzinfo=UTC)


def day(number: float) -> datetime:
    return START + timedelta(days=number)


def context(asked: str, known: tuple[float, ...] = (), outcome: str = "unknown") -> Context:
    """One recall a day: n(ovel), u(se), v(erify); an episode becomes known on each of the given days."""
    decisions = {"n": Decision.NOVEL, "u": Decision.USE, "v": Decision.VERIFY}
    return Context(
        asked=tuple(
            Asked(at=day(number), decision=decisions[letter], outcome=Outcome(outcome))
            for number, letter in enumerate(asked)
        ),
        known=tuple(map(day, known)),
    )


@pytest.mark.parametrize(
    ("asked", "known", "told"),
    [
        ("n", (), (1, 0, 0, 0, 0, None)),
        ("n", (0.5, 0.6), (1, 0, 0, 0, 0, None)),
        ("nn", (), (1, 1, 0, 0, 0, None)),
        ("nn", (0.5,), (1, 1, 1, 0, 0, None)),
        ("nu", (0.5,), (1, 1, 1, 0, 1, 1.0)),
        ("nnv", (0.5, 1.5), (1, 1, 1, 1, 1, 2.0)),
        ("nu", (0.5, 0.6), (1, 1, 0, 1, 1, 1.0)),
        ("nu", (1.5,), (1, 1, 0, 0, 1, 1.0)),
        ("unu", (0.5,), (1, 1, 1, 0, 1, 1.0)),
        ("uun", (0.5,), (1, 0, 0, 0, 0, None)),
        ("uu", (0.5,), (0, 0, 0, 0, 0, None)),
    ],
)
def test_a_context_counts_from_its_first_novel_recall(
    asked: str, known: tuple[float, ...], told: tuple[object, ...]
) -> None:
    found = conversion([context(asked, known)])
    numbers = (found.contexts, found.asked_again, found.one_shot, found.few_shot, found.converted, found.days)
    assert numbers == told


def test_contexts_add_up_and_the_days_are_their_median() -> None:
    found = conversion(
        [context("nu", outcome="fail"), context("nnnu", outcome="success"), context("nnu"), context("n")]
    )
    assert (found.contexts, found.converted, found.days) == (4, 3, 2.0)
    assert found.zero_shot.model_dump() == {"success": 3, "mixed": 0, "fail": 1, "unknown": 3}


def failure(reason: str, at: float = 0, domain: str = "plant", id_: str = "m") -> Failure:
    return Failure(domain=domain, reason=reason, id=id_, at=day(at))


@pytest.mark.parametrize(
    "other", ["Timeout after 9 s", "  timeout\nafter 45 s!", "timeout after 1,000.5 s", "ＴＩＭＥＯＵＴ after 3 s"]
)
def test_reasons_that_differ_in_form_alone_are_one(other: str) -> None:
    (found,) = patterns([failure("timeout after 30 s", 0), failure(other, 1)])
    assert (found.count, found.last_seen, found.mode) == (2, day(1), " ".join(other.split()))


@pytest.mark.parametrize("other", ["timeout before 30 s", "timeout after 30 h", "", "!!"])
def test_other_reasons_are_not(other: str) -> None:
    assert patterns([failure("timeout after 30 s"), failure(other)]) == ()


def test_what_says_nothing_is_no_mode() -> None:
    assert patterns([failure("..."), failure("!"), failure(" ")]) == ()


def test_the_most_frequent_come_first_and_only_so_many() -> None:
    listed = [failure(f"mode {letter}", at) for at, letter in enumerate("aabbbccd")]
    found = patterns(listed)
    assert [(one.mode, one.count) for one in found] == [("mode b", 3), ("mode c", 2), ("mode a", 2)]
    assert patterns(listed, most=1) == found[:1]
    assert len(patterns(listed, least=1)) == 4


def test_domains_are_apart_and_examples_are_the_newest() -> None:
    listed = [failure("x", at, domain, f"m{at % 5}") for at, domain in enumerate(["a"] * 8 + ["b"])]
    (found,) = patterns(listed)
    assert (found.domain, found.count, found.examples) == ("a", 8, ("m2", "m1", "m0"))
