"""Secure memories are found by those who ask for them, and by nobody else, on whatever way."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from graphmem import Memory, Reflection, Request, Skill
from graphmem.errors import InvalidInput
from tests.memories import NOW, Clock, ids, ranked, won

Connect = Callable[..., Memory]
Cypher = Callable[..., list[dict[str, Any]]]


def test_it_is_found_by_vector_and_words_only_when_asked_for(make: Connect) -> None:
    memory = make()
    memory.record_many([won("open", "pump north:0.8"), won("shut", "pump north:0.95", secure=True)])
    plain, asked = memory.recall_many([Request(text="pump north:1"), Request(text="pump north:1", include_secure=True)])
    assert (ids(plain), ranked(plain)) == (["open"], ["open"])
    assert ids(asked) == ["shut", "open"]
    assert asked.candidates[0].path == ("vector", "text")
    assert "shut" not in plain.to_json() + plain.as_prompt() + plain.explain()
    assert 'id="shut"' in asked.as_prompt()
    assert asked.as_prompt().count('secure="yes"') == 1


def test_without_vectors_it_is_found_by_words_only_when_asked_for(make: Connect, connect: Connect) -> None:
    make().record_many([won("open", "descale the pump"), won("shut", "descale the pump slowly", secure=True)])
    wordy = connect(embedder=None, settings=_without_model(make))
    assert ids(wordy.recall("descale the pump")) == ["open"]
    assert {*ids(wordy.recall("descale the pump", include_secure=True))} == {"open", "shut"}


def _without_model(make: Connect) -> Any:
    settings = make().settings
    return settings.model_copy(update={"embedding": settings.embedding.model_copy(update={"model": "none"})})


@pytest.mark.parametrize("asked", [False, True])
def test_a_rare_tag_finds_it_only_when_asked_for(make: Connect, asked: bool) -> None:
    memory = make(vector_candidates=1, text_candidates=1)
    memory.record_many([won("near", "pump north:0.9"), won("shut", "lamp north:0.8", secure=True, tags=["rare"])])
    assert ids(memory.recall("pump north:1", tags=["rare"], include_secure=asked)) == ["shut"] * asked


@pytest.mark.parametrize("asked", [False, True])
def test_a_hop_leads_to_it_and_through_it_only_when_asked_for(make: Connect, asked: bool) -> None:
    memory = make(vector_candidates=1, text_candidates=1)
    memory.record_many(
        [won("seed", "pump north:0.97"), won("shut", "lamp north:0.75", secure=True), won("far", "lime north:0.71")]
    )
    memory.link("seed", "shut")
    memory.link("shut", "far")
    recall = memory.recall("pump north:1", limit=1, include_secure=asked)
    assert ranked(recall) == (["seed", "shut", "far"] if asked else ["seed"])


@pytest.mark.parametrize("asked", [False, True])
def test_it_takes_the_place_of_what_it_corrects_only_when_asked_for(make: Connect, asked: bool) -> None:
    memory = make()
    memory.record_many([won("wrong", "pump north:0.9"), won("right", "lamp north:0.2", secure=True)])
    memory.correct(wrong="wrong", right="right", reason="it was the lamp")
    recall = memory.recall("pump north:1", include_secure=asked)
    assert ids(recall) == (["right"] if asked else [])
    assert ("right" in recall.to_json()) is asked


@pytest.mark.parametrize("asked", [False, True])
def test_what_it_doubles_is_shown_by_itself_unless_it_is_asked_for(make: Connect, asked: bool) -> None:
    memory = make()
    memory.record_many([won("a-shut", "pump north:0.9", secure=True, domain="x"), won("b-open", "pump north:0.8")])
    memory.link("a-shut", "b-open", kind="duplicate")
    recall = memory.recall("pump north:1", include_secure=asked)
    assert len(recall.candidates) == 1
    assert ids(recall) == (["a-shut"] if asked else ["b-open"])
    assert recall.left.duplicates == int(asked)


@pytest.mark.parametrize(
    "fields", [{"outcome": "unknown"}, {"expires_at": NOW}, {"expires_at": NOW - timedelta(days=1)}]
)
def test_asking_for_secure_ones_opens_nothing_else(make: Connect, fields: dict[str, Any]) -> None:
    past = Clock()
    past.now = NOW - timedelta(days=2)
    memory = make(clock=past)
    memory.record_many([won("open", "pump north:0.8"), won("shut", "pump north:0.95", secure=True, **fields)])
    memory.record(won("gone", "pump north:0.9"))
    memory.retire("gone")
    past.now = NOW
    assert ranked(memory.recall("pump north:1", include_secure=True)) == ["open"]


def test_only_the_scopes_own_are_found(make: Connect) -> None:
    for user in (None, "u1", "u2"):
        make(user=user).record(won(f"of-{user}", "pump north:0.9", secure=True, metadata={"u": user}))
    asked = {user: {*ids(make(user=user).recall("pump north:1", include_secure=True))} for user in (None, "u1", "u2")}
    assert asked == {None: {"of-None"}, "u1": {"of-None", "of-u1"}, "u2": {"of-None", "of-u2"}}


def test_many_that_are_not_in_use_do_not_crowd_it_out(make: Connect) -> None:
    memory = make(vector_candidates=10, text_candidates=1)
    memory.record_many([won(f"audit-{n}", "pump north:0.95", outcome="unknown", metadata={"n": n}) for n in range(60)])
    memory.record_many([won("open", "lime north:0.75"), won("shut", "lamp north:0.8", secure=True)])
    assert ids(memory.recall("pump north:1", include_secure=True)) == ["shut", "open"]


def test_what_is_derived_of_it_is_found_as_it_is(make: Connect) -> None:
    memory = make()
    memory.record_many(
        [
            won("e", "lime north:0.1", secure=True),
            won("f", "lime north:0.1", metadata={"n": 1}),
            Reflection(id="r", insight="pump north:0.9", sources=["e", "f"]),
            Skill(id="s", name="pump north:0.85", steps=["pump"], sources=["r"], approved_by="ada"),
        ]
    )
    assert [memory.get(id_).memory.secure for id_ in ("e", "f", "r", "s")] == [True, False, True, True]
    assert ranked(memory.recall("pump north:1")) == ["f"]
    assert ids(memory.recall("pump north:1", include_secure=True)) == ["r", "s"]
    memory.retire("s")
    assert ids(memory.recall("pump north:1", include_secure=True)) == ["r"]
    memory.review("s", approve=True, by="ada")
    assert ids(memory.recall("pump north:1", include_secure=True)) == ["r", "s"]
    assert memory.check() == ()


@pytest.mark.parametrize("asked", ["yes", 1, None])
def test_it_is_asked_for_by_true_alone(make: Connect, asked: Any) -> None:
    with pytest.raises(InvalidInput, match="include_secure"):
        make().recall("pump north:1", include_secure=asked)


def test_an_older_store_gets_its_keys_once(make: Connect, cypher: Cypher, tenant: str) -> None:
    memory = make()
    memory.record_many([won("shut", "pump north:0.9", secure=True), won("audit", secure=True, outcome="unknown")])
    cypher("MATCH (m:Memory {tenant: $t}) SET m.recall_key = ''", t=tenant)
    assert [(one.rule, one.id) for one in memory.check()] == [("recall_key", "shut")]
    for _ in range(2):
        cypher("MATCH (m:Migration {number: 21}) DELETE m")
        assert make().init() == ("021_secure_keys",)
        assert memory.check() == ()
    assert ids(memory.recall("pump north:1", include_secure=True)) == ["shut"]
