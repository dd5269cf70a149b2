"""Scope tokens, and what is no scope."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.errors import InvalidInput, ScopeError
from graphmem.scope import Scope, new_id, scope

NAME = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=40)


@given(NAME, NAME)
def test_a_token_is_one_word_of_letters_and_digits(tenant: str, user: str) -> None:
    found = scope(tenant, user)
    assert all(re.fullmatch("s[0-9a-f]{32}", token) for token in found.visible)
    assert found.visible == [found.own, found.shared] == [found.own, scope(tenant).own]
    assert found.own != found.shared


@given(NAME, NAME, NAME, NAME)
def test_two_scopes_share_a_token_only_if_they_are_one(t1: str, u1: str, t2: str, u2: str) -> None:
    assert (Scope(t1, u1).own == Scope(t2, u2).own) == ((t1, u1) == (t2, u2))


@pytest.mark.parametrize(
    ("one", "other"),
    [(("ab", "c"), ("a", "bc")), (("a", "b"), ("ab", "")), (("1:a", ""), ("a", "")), (("A", ""), ("a", "")),
     (("café", ""), ("cafe\u0301", ""))],
)  # fmt: skip
def test_names_that_run_together_or_look_alike_are_kept_apart(one: tuple[str, str], other: tuple[str, str]) -> None:
    assert Scope(*one).own != Scope(*other).own


def test_tokens_never_change() -> None:
    # They stand in databases that exist.
    assert Scope("acme").shared == "s32e24c86b00b5088482178341fb704d7"
    assert Scope("acme", "u7").own == "scd31077beb8f61ce6756adf1589843ee"


def test_a_tenant_alone_sees_and_writes_what_is_shared() -> None:
    found = scope("acme")
    assert found.visible == [found.shared]
    assert found.writes(share=False) == found.writes(share=True) == found


def test_a_user_writes_its_own_unless_it_shares() -> None:
    found = scope("acme", "u7")
    assert found.writes(share=False) == found
    assert found.writes(share=True) == scope("acme")


BAD = [
    "",
    " ",
    " x",
    "x ",
    "a\nb",
    "a\x00b",
    "a\u200bb",
    "\u00a0x",
    "\ud800",
    "x" * 201,
    "x" * 300,
    5,
    True,
    b"x",
    ["x"],
]


@pytest.mark.parametrize("bad", [None, *BAD], ids=repr)
def test_what_is_no_tenant_is_refused(bad: object) -> None:
    with pytest.raises(ScopeError, match="tenant") as caught:
        scope(bad)
    assert isinstance(caught.value, InvalidInput)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("bad", BAD, ids=repr)
def test_what_is_no_user_is_refused(bad: object) -> None:
    with pytest.raises(ScopeError, match="user"):
        scope("acme", bad)


def test_who_gives_no_tenant_is_told_each_way_to_give_one() -> None:
    with pytest.raises(ScopeError, match=r"--tenant or Memory\(tenant=…\), or set GRAPHMEM_TENANT"):
        scope(None)


@pytest.mark.parametrize("good", ["a", "a b", "Ünal & Søn", "東京", "🙂", "x" * 200, "a/b:c", "tenant-1"])
def test_ordinary_names_are_taken(good: str) -> None:
    assert scope(good, good) == Scope(good, good)


def test_ids_are_fresh() -> None:
    assert len({new_id() for _ in range(1000)}) == 1000
