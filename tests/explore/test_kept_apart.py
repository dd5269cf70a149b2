"""What the saved statements do not show: secure memories, what has expired, and what others say of shared memories."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from graphmem import Memory, Reflection, Settings, Skill
from graphmem.explore import colour, statements
from graphmem.scope import Scope
from tests.angles import Angles
from tests.explore.test_statements import given, told
from tests.memories import won

Cypher = Callable[..., list[dict[str, Any]]]
TEXTS = {one.name: one.text for one in statements()}


@pytest.fixture
def memory(settings: Settings, tenant: str) -> Iterator[Memory]:
    """What a tenant shares: a lesson of an episode."""
    with Memory(tenant, settings=settings, embedder=Angles(name="bge-small-en-v1.5")) as made:
        made.record(won("fixed", "pump north:0.9"))
        made.record(Reflection(id="seal", insight="change the seal north:0.7", sources=["fixed"]))
        yield made


@pytest.mark.parametrize("name", [name for name in TEXTS if name != "scope_overview"])
def test_a_secure_memory_is_not_shown(name: str, memory: Memory, cypher: Cypher) -> None:
    memory.record(won("hidden", "pump north:0.85", secure=True))
    memory.record(Reflection(id="hidden-lesson", insight="hidden north:0.6", sources=["hidden"]))
    memory.link("hidden-lesson", "seal", kind="contradicts")
    memory.correct(wrong="hidden", right="fixed", reason="kept apart")
    memory.correct(wrong="seal", right="hidden-lesson", reason="kept apart")
    memory.correct(wrong="seal", right="hidden-lesson", reason="of hidden", context="hidden north:0.9")
    found = memory.recall("pump north:0.85", include_secure=True)
    memory.feedback(found, outcome="fail", used=["fixed"], misled=["hidden"], reason="of hidden")
    receipts = cypher("MATCH (r:Recall {scope: $s}) RETURN r.id AS id", s=memory.scope.own)
    assert len(receipts) == 2
    for id_ in ("", "hidden", "fixed", "seal", *(row["id"] for row in receipts)):
        rows = cypher(TEXTS[name], **given(memory.scope) | {"id": id_, "recall": id_})
        assert "hidden" not in json.dumps(rows, default=str)


def test_what_lay_between_and_has_expired_is_not_shown(memory: Memory, cypher: Cypher, tenant: str) -> None:
    cypher("MATCH (m:Memory {tenant: $t, id: 'seal'}) SET m.expires_at = datetime('2020-01-01T00:00:00Z')", t=tenant)
    rows = cypher(TEXTS["life_of_a_memory"], **given(memory.scope) | {"id": "fixed"})
    assert told(rows, "edge") == set()


def test_an_expired_memory_that_misled_is_neither_named_nor_quoted(memory: Memory, cypher: Cypher, tenant: str) -> None:
    memory.feedback(memory.recall("pump north:1"), outcome="fail", misled=["fixed"], reason="it leaks")
    (row,) = cypher(TEXTS["false_hits_by_domain"], **given(memory.scope))
    assert (row["misled"], row["most_blamed"], row["last_reason"]) == (1, "fixed", "it leaks")
    cypher("MATCH (m:Memory {tenant: $t, id: 'fixed'}) SET m.expires_at = datetime('2020-01-01T00:00:00Z')", t=tenant)
    (row,) = cypher(TEXTS["false_hits_by_domain"], **given(memory.scope))
    assert (row["answered"], row["misled"], row["most_blamed"], row["last_reason"]) == (1, 0, None, None)


def test_whom_a_shared_skill_misled_is_counted_in_the_own_scopes(
    memory: Memory, settings: Settings, tenant: str, cypher: Cypher
) -> None:
    memory.record(Skill(id="skill", name="seal a pump north:0.9", steps=["open"], approved_by="ada"))
    with Memory(tenant, "u1", settings=settings, embedder=Angles(name="bge-small-en-v1.5")) as user:
        user.feedback(user.recall("pump north:1", kind="skill"), outcome="fail", misled=["skill"])
    counts = {
        name: [row["misled"] for row in cypher(TEXTS["stale_skills"], **given(Scope(tenant, name)))]
        for name in ("", "u1", "u2")
    }
    assert counts == {"": [0], "u1": [1], "u2": [0]}


def test_before_centralities_are_there_the_links_of_others_make_no_hub(
    memory: Memory, settings: Settings, tenant: str, cypher: Cypher
) -> None:
    memory.record_many([won("alone", "lamp east:0.9"), won("other", "lamp east:0.8")])
    with Memory(tenant, "u1", settings=settings, embedder=Angles(name="bge-small-en-v1.5")) as user:
        user.record_many(won(f"mine{n}", f"lamp east:0.{n}") for n in range(5))
        for n in range(5):
            user.link(f"mine{n}", "alone")
    shared = [row["hub"]["id"] for row in cypher(TEXTS["hubs"], **given(memory.scope))]
    assert shared == ["fixed", "seal", "alone", "other"]
    own = [row["hub"]["id"] for row in cypher(TEXTS["hubs"], **given(Scope(tenant, "u1")))]
    assert own[0] == "alone"


def test_a_user_colours_the_own_episodes_alone(memory: Memory, settings: Settings, tenant: str, cypher: Cypher) -> None:
    with Memory(tenant, "u1", settings=settings, embedder=Angles(name="bge-small-en-v1.5")) as user:
        user.record(won("mine", "lamp east:0.9"))
        colour(settings, user.scope)
    rows = cypher("MATCH (m:Episode {tenant: $t}) RETURN m.id AS id, 'Success' IN labels(m) AS marked", t=tenant)
    assert {row["id"]: row["marked"] for row in rows} == {"mine": True, "fixed": False}
