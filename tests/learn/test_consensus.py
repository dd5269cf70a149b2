"""Common steps: what more than half of the sequences have, in order, whatever the order of the sequences."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphmem.learn.consensus import MAX_LENGTH, MAX_SEQUENCES, MAX_STEPS, _common_length, actions, consensus, key
from graphmem.models import Step

UNHURRIED = settings(deadline=None)

STEPS = st.lists(st.sampled_from("abcdefg"), max_size=9)
SEQUENCES = st.lists(STEPS, max_size=6)


def is_subsequence(short: tuple[str, ...], long: tuple[str, ...]) -> bool:
    rest = iter(long)
    return all(step in rest for step in short)


def longest_by_trying(one: list[str], other: list[str]) -> int:
    return next(
        size
        for size in range(len(one), -1, -1)
        if any(is_subsequence(part, tuple(other)) for part in itertools.combinations(one, size))
    )


@pytest.mark.parametrize(
    ("sequences", "common"),
    [
        ([], ()),
        ([[], ["a"]], ("a",)),
        ([["a", "b", "b", "a"]], ("a", "b", "a")),
        ([["a", "b", "c"], ["a", "x", "c"]], ("a", "c")),
        ([["a", "b", "c"], ["x", "y"]], ()),
        ([["a", "b", "c", "d"], ["a", "c", "d", "b"], ["a", "c", "x"]], ("a", "c", "d")),
        ([["a", "b", "a"], ["a", "c", "a"]], ("a",)),  # what was between them is gone, so it is a repeat
        ([["open  Door"], ["Open door"], ["OPEN DOOR "]], ("OPEN DOOR",)),
        ([["ｏｐｅｎ"], ["open"]], ("open",)),
        ([[" ", "a", "​"]], ("a",)),
    ],
)
def test_by_hand(sequences: list[list[str]], common: tuple[str, ...]) -> None:
    assert consensus(sequences) == common


@UNHURRIED
@given(STEPS, STEPS)
def test_the_length_of_what_two_have_in_common(one: list[str], other: list[str]) -> None:
    assert _common_length(one, other) == longest_by_trying(one, other)


@UNHURRIED
@given(STEPS, STEPS)
def test_of_two_it_is_a_longest_common_subsequence(one: list[str], other: list[str]) -> None:
    left, right = consensus([one]), consensus([other])
    if left and right:
        common = consensus([one, other])
        assert is_subsequence(common, left)
        assert is_subsequence(common, right)
        without_repeats = consensus([common])
        assert common == without_repeats
        assert len(common) <= longest_by_trying(list(left), list(right))
        assert bool(common) == bool(set(left) & set(right))


@UNHURRIED
@given(SEQUENCES, st.randoms(use_true_random=False))
def test_the_order_of_the_sequences_does_not_matter(sequences: list[list[str]], random: object) -> None:
    mixed = list(sequences)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    assert consensus(mixed) == consensus(sequences)


@UNHURRIED
@given(SEQUENCES)
def test_more_than_half_have_each_step_and_nothing_is_left_of_a_second_pass(sequences: list[list[str]]) -> None:
    common = consensus(sequences)
    said = [set(sequence) for sequence in sequences if sequence]
    assert all(2 * sum(step in each for each in said) > len(said) for step in common)
    assert consensus([common]) == common
    assert consensus([common, common, common]) == common


@UNHURRIED
@given(SEQUENCES.filter(any))
def test_the_same_evidence_twice_says_the_same(sequences: list[list[str]]) -> None:
    assert consensus([*sequences, *sequences]) == consensus(sequences)


def test_it_is_bounded_in_what_it_reads_and_says() -> None:
    long = [f"step {number}" for number in range(3 * MAX_LENGTH)]
    assert consensus([long]) == tuple(long[:MAX_STEPS])
    many = [[*long[number:], str(number)] for number in range(3 * MAX_SEQUENCES)]
    assert len(consensus(many)) == MAX_STEPS
    # of more steps than fit, those that more sequences have stay
    rare, common = [f"r{n}" for n in range(MAX_STEPS)], [f"c{n}" for n in range(MAX_STEPS)]
    assert consensus([rare + common, rare + common, common]) == tuple(common)


def test_actions_are_as_they_were_said() -> None:
    trajectory = [Step(action=text, observation="seen") for text in (" Go  north", "go north ", "", "def f():\n  pass")]
    assert actions(trajectory) == ("Go  north", "def f():\n  pass")
    assert key(" Go  NORTH ") == "go north"


def test_long_actions_that_differ_at_the_end_are_not_the_same() -> None:
    long = "x" * 100_000
    one, other, spelt = long + "a", long + "b", "X" + long[1:]
    assert consensus([[one, other, long], [other, spelt]]) == (other, spelt)
