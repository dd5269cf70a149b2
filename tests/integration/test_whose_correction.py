"""Corrections belong to whoever makes them: what others said is neither shown, nor changed, nor undone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest

from graphmem import Decision, Memory, Settings
from graphmem.embed import Embedder
from tests.angles import Angles
from tests.embedders import AwayEmbedder
from tests.memories import ids, won

Cypher = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def make(connect: Callable[..., Memory], embedder: Embedder) -> Callable[..., Memory]:
    """Clients with cosines by hand and one clock that goes on."""
    ticks: Iterator[int] = count()
    start = datetime(2025, 6, 1, tzinfo=UTC)
    return lambda user=None: connect(
        embedder=Angles(embedder.name), clock=lambda: start + timedelta(seconds=next(ticks)), user=user
    )


def ranked(memory: Memory) -> list[str]:
    return [candidate.id for candidate in memory.recall("north:1").candidates]


def test_users_correct_the_same_shared_pair_apart(make: Callable[..., Memory]) -> None:
    shared, ann, bob = make(), make("ann"), make("bob")
    shared.record_many([won("s1", "pump north:0.9"), won("s2", "lamp up:1")])
    ann.correct(wrong="s1", right="s2", reason="ann's reason", context="ann's private east:1")
    told = bob.correct(wrong="s1", right="s2", reason="bob's reason", context="bob's own east:1")
    assert told.contexts == ("bob's own east:1",)
    ann.correct(wrong="s1", right="s2", reason="ann says everywhere")
    assert ranked(ann)[0] == "s2"
    assert ranked(bob)[0] == ranked(shared)[0] == "s1"


def test_a_reversal_revokes_only_ones_own_words(make: Callable[..., Memory], cypher: Cypher, tenant: str) -> None:
    shared, bob = make(), make("bob")
    shared.record_many([won("s1", "pump north:0.9"), won("s2", "lamp up:1")])
    bob.record(won("x", "lime up:0.5"))
    bob.correct(wrong="s2", right="x", reason="for me")
    bob.correct(wrong="x", right="s1", reason="for me")
    shared.correct(wrong="s1", right="s2", reason="for all")
    shared.correct(wrong="s2", right="s1", reason="after all")
    revoked = cypher(
        "MATCH (a:Memory {tenant: $t})-[c:CORRECTS]->(b) WHERE c.revoked_at IS NOT NULL RETURN a.id AS a, b.id AS b",
        t=tenant,
    )
    assert revoked == [{"a": "s2", "b": "s1"}]
    assert ranked(shared)[0] == "s1"


def test_a_users_opposite_word_counts_for_the_user(make: Callable[..., Memory]) -> None:
    shared, ann = make(), make("ann")
    shared.record_many([won("s1", "pump north:0.9"), won("s2", "lamp north:0.6")])
    shared.correct(wrong="s1", right="s2", reason="for all")
    ann.correct(wrong="s2", right="s1", reason="not for me")
    assert ranked(shared) == ["s2"]
    assert ranked(ann) == ["s1"]


@pytest.mark.parametrize("alls", [None, "north:1"], ids=["everywhere", "there"])
@pytest.mark.parametrize("anns", [None, "north:1"], ids=["everywhere", "there"])
def test_a_users_opposite_word_clears_what_was_blamed_for_all(
    make: Callable[..., Memory], alls: str | None, anns: str | None
) -> None:
    shared, ann = make(), make("ann")
    shared.record_many([won("s1", "pump north:0.9"), won("s2", "lamp")])
    shared.correct(wrong="s1", right="s2", reason="for all", context=alls)
    assert ids(ann.recall("north:1")) == ["s2"]
    ann.correct(wrong="s2", right="s1", reason="not for me", context=anns)
    assert ids(ann.recall("north:1")) == ["s1"]
    assert ids(shared.recall("north:1")) == ["s2"]


def test_a_users_word_continues_what_is_said_for_all_later(make: Callable[..., Memory]) -> None:
    shared, ann = make(), make("ann")
    shared.record_many([won("s1", "pump north:0.9"), won("s2", "lamp"), won("s3", "lime")])
    ann.correct(wrong="s2", right="s3", reason="for me", context="north:1")
    shared.correct(wrong="s1", right="s2", reason="for all", context="north:1")
    assert ids(ann.recall("north:1")) == ["s3"]
    assert ids(shared.recall("north:1")) == ["s2"]


def test_what_was_revoked_begins_anew(make: Callable[..., Memory]) -> None:
    memory = make()
    memory.record_many([won("a", "pump north:0.9"), won("b", "lamp up:1")])
    memory.correct(wrong="a", right="b", reason="everywhere")
    memory.correct(wrong="b", right="a", reason="after all not")
    told = memory.correct(wrong="a", right="b", reason="only there", context="east:1")
    assert (told.everywhere, told.contexts) == (False, ("east:1",))
    assert "a" in ranked(memory)


@pytest.mark.parametrize("length", [3, 7, 12])
def test_a_ring_of_corrections_ends_at_the_last_word(make: Callable[..., Memory], length: int) -> None:
    memory = make()
    memory.record_many([won("c0", "pump north:0.9")] + [won(f"c{n}", f"lamp {n}") for n in range(1, length)])
    for n in range(length):
        memory.correct(wrong=f"c{n}", right=f"c{(n + 1) % length}", reason="better")
    assert ranked(memory)[0] == "c0"


def test_a_ring_that_no_scope_closed_alone_loses_nothing(make: Callable[..., Memory]) -> None:
    shared, ann = make(), make("ann")
    shared.record_many([won("a", "pump north:0.9"), won("b", "lamp up:1"), won("c", "lime up:1")])
    shared.correct(wrong="a", right="b", reason="for all")
    shared.correct(wrong="b", right="c", reason="for all")
    ann.correct(wrong="c", right="a", reason="for me")
    assert ranked(ann)


def test_a_chain_longer_than_is_followed_still_replaces(make: Callable[..., Memory]) -> None:
    memory = make()
    memory.record_many([won("c0", "pump north:0.9")] + [won(f"c{n}", f"lamp {n}") for n in range(1, 26)])
    for n in range(25):
        memory.correct(wrong=f"c{n}", right=f"c{n + 1}", reason="better")
    assert ranked(memory)
    assert "c0" not in ranked(memory)


def test_a_context_said_while_the_model_was_away_is_known_once_it_is_said_again(
    make: Callable[..., Memory], connect: Callable[..., Memory], embedder: Embedder
) -> None:
    memory = make()
    memory.record_many([won("wrong", "pump north:0.9"), won("right", "lamp up:1")])
    ruling = {"wrong": "wrong", "right": "right", "reason": "it floods", "context": "north:1"}
    told = connect(embedder=AwayEmbedder(name=embedder.name)).correct(**ruling)
    assert "say it again" in told.warnings[0]
    assert ranked(memory)[0] == "wrong"
    assert memory.correct(**ruling).warnings == ()
    answer = memory.recall("north:1")
    assert answer.decision is Decision.USE
    assert [hit.id for hit in answer.hits] == ["right"]


def test_a_users_link_between_shared_memories_leads_only_that_user(
    make: Callable[..., Memory], connect: Callable[..., Memory], settings: Settings, embedder: Embedder
) -> None:
    rules = settings.recall.model_copy(update={"vector_candidates": 1, "text_candidates": 1})
    narrow = settings.model_copy(update={"recall": rules})
    shared, ann, bob = (
        connect(embedder=Angles(embedder.name), user=user, settings=narrow) for user in (None, "ann", "bob")
    )
    shared.record_many([won("near", "pump north:0.9"), won("far", "lamp north:0.6")])
    quiet = [candidate.id for candidate in bob.recall("pump north:1", limit=1).candidates]
    ann.link("near", "far")
    assert quiet == ["near"]
    assert [candidate.id for candidate in ann.recall("pump north:1", limit=1).candidates] == ["near", "far"]
    assert [candidate.id for candidate in bob.recall("pump north:1", limit=1).candidates] == quiet
    assert [candidate.id for candidate in shared.recall("pump north:1", limit=1).candidates] == quiet
    shared.link("near", "far")
    assert [candidate.id for candidate in bob.recall("pump north:1", limit=1).candidates] == ["near", "far"]
