"""What may be changed afterwards: tags, metadata, the end; and how memories are linked."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

import pytest

from graphmem import LinkKind, Memory
from graphmem.errors import InvalidInput, NotFound
from graphmem.record import Result
from graphmem.steps import Read, run
from tests.memories import won

Cypher = Callable[..., list[dict[str, Any]]]


Connect = Callable[..., Memory]


@pytest.fixture
def memory(make: Connect) -> Memory:
    return make()


def test_an_update_merges_what_is_given_and_leaves_the_rest(client: Any) -> None:
    client.record(
        won("e", tags=("a",), metadata={"keep": {"deep": [1]}, "change": 1}, title="T", expires_at="2999-01-01")
    )
    before = client.get("e")
    changed = client.update("e", metadata={"change": None, "new": {"x": "y"}})
    assert changed.memory.metadata == {"keep": {"deep": [1]}, "change": None, "new": {"x": "y"}}
    assert changed.memory.tags == ("a",)
    assert client.update("e", tags=[]).memory.tags == ()
    assert client.update("e", expires_at="2998-01-01").memory.expires_at == datetime(2998, 1, 1, tzinfo=UTC)
    after = client.get("e")
    assert after.created_at == before.created_at < after.updated_at
    assert after.memory.model_copy(update={"metadata": {}, "tags": (), "expires_at": None}) == before.memory.model_copy(
        update={"metadata": {}, "tags": (), "expires_at": None}
    )
    assert (after.status, after.recallable, after.embedded) == (before.status, before.recallable, before.embedded)
    assert client.record(after.memory).result is Result.UNCHANGED


def test_new_tags_are_recalled_by(memory: Memory) -> None:
    memory.record(won("e", tags=("old",)))
    memory.update("e", tags=["new"])
    assert [hit.id for hit in memory.recall("descale the boiler", tags=["new"]).hits] == ["e"]
    assert memory.recall("descale the boiler", tags=["old"]).hits == ()
    assert [stored.id for stored in memory.list(tags=["new"])] == ["e"]


SYSTEM: dict[str, Any] = {
    "tenant": "t-blue", "tenant_id": "t-blue", "user": "u", "scope": "s", "id": "other", "embedding": [0],
    "labels": ["Skill"], "created_at": "1999-01-01", "status": "active", "recallable": True, "recall_key": "s",
    "kind": "skill", "content_hash": "h",
}  # fmt: skip


@pytest.mark.parametrize("key", SYSTEM)
def test_system_fields_are_refused_by_name(memory: Memory, nodes: Callable[[], Any], key: str) -> None:
    memory.record(won("e", metadata={"size": 1}))
    before = nodes()
    with pytest.raises(InvalidInput, match=f"metadata cannot set {key}:"):
        memory.update("e", metadata={key: SYSTEM[key], "colour": "green"})
    assert nodes() == before
    assert memory.update("e", metadata={"colour": "green"}).memory.metadata == {"size": 1, "colour": "green"}


def test_all_system_fields_at_once_are_all_named(memory: Memory) -> None:
    memory.record(won("e"))
    with pytest.raises(InvalidInput) as caught:
        memory.update("e", metadata={**SYSTEM, "colour": "green"})
    assert all(key in str(caught.value) for key in SYSTEM)
    assert "colour" not in str(caught.value)


@pytest.mark.parametrize(
    "change",
    [
        {"metadata": [1]}, {"metadata": "text"}, {"metadata": {1: 2}}, {"metadata": {"x": float("nan")}},
        {"metadata": {"x": "\ud800"}}, {"tags": "text"}, {"tags": [""]}, {"tags": [1]}, {"expires_at": "soon"},
        {"expires_at": 5},
    ],
    ids=repr,
)  # fmt: skip
def test_an_unusable_update_changes_nothing(memory: Memory, nodes: Callable[[], Any], change: dict[str, Any]) -> None:
    memory.record(won("e"))
    before = nodes()
    with pytest.raises(InvalidInput):
        memory.update("e", **change)
    assert nodes() == before


def test_concurrent_updates_lose_nothing(memory: Memory) -> None:
    memory.record(won("e"))
    start = threading.Barrier(8)

    def write(writer: int) -> None:
        start.wait()
        for turn in range(4):
            memory.update("e", metadata={f"{writer}-{turn}": turn})

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(8)))
    assert memory.get("e").memory.metadata == {f"{writer}-{turn}": turn for writer in range(8) for turn in range(4)}


@pytest.mark.parametrize("kind", LinkKind)
def test_a_link_is_one_edge_per_kind_and_mutual_kinds_have_no_direction(
    memory: Memory, cypher: Cypher, tenant: str, kind: LinkKind
) -> None:
    memory.record_many([won("a"), won("b", "Descale the kettle")])
    mutual = kind in {LinkKind.SIMILAR, LinkKind.DUPLICATE, LinkKind.CONTRADICTS, LinkKind.OTHER}
    for start, end, weight in (("b", "a", 0.25), ("a", "b", 0.5), ("b", "a", 0.75)):
        told = memory.link(start, end, kind=kind.value, weight=weight)
        assert (told.kind, told.weight) == (kind, weight)
        assert {told.start, told.end} == {"a", "b"}
    found = cypher(
        "MATCH (a:Memory {tenant: $t})-[r:RELATES]->(b) "
        "RETURN a.id AS a, b.id AS b, r.kind AS kind, r.weight AS weight ORDER BY a",
        t=tenant,
    )
    if mutual:
        assert found == [{"a": "a", "b": "b", "kind": kind.value, "weight": 0.75}]
    else:
        assert [(row["a"], row["b"], row["weight"]) for row in found] == [("a", "b", 0.5), ("b", "a", 0.75)]


@pytest.mark.parametrize(
    ("start", "end", "given", "error"),
    [
        ("a", "a", {}, InvalidInput),
        ("a", "nobody", {}, NotFound),
        ("nobody", "a", {}, NotFound),
        ("a", "b", {"kind": "x]->() DETACH DELETE n //"}, InvalidInput),
        ("a", "b", {"kind": "SIMILAR"}, InvalidInput),
        ("a", "b", {"kind": ""}, InvalidInput),
        ("a", "b", {"kind": None}, InvalidInput),
        ("a", "b", {"weight": 1.01}, InvalidInput),
        ("a", "b", {"weight": -0.01}, InvalidInput),
        ("a", "b", {"weight": float("nan")}, InvalidInput),
        ("a", "b", {"weight": "0.5"}, InvalidInput),
        ("a", "\ud800", {}, InvalidInput),
    ],
)
def test_a_link_that_cannot_be_is_refused(
    memory: Memory, edges: Callable[[], Any], start: str, end: str, given: dict[str, Any], error: type[Exception]
) -> None:
    memory.record_many([won("a"), won("b", "Descale the kettle")])
    with pytest.raises(error):
        memory.link(start, end, **given)
    assert edges() == []


def test_a_read_torn_by_another_writers_commit_loses_nothing(memory: Memory) -> None:
    memory.record(won("e"))
    torn: list[Any] = []

    def answer(step: Any) -> Any:
        rows = memory._answer(step)
        if isinstance(step, Read) and step.call.statement.name == "govern/get" and not torn:
            old = dict(rows[0]["node"])
            memory.update("e", metadata={"theirs": 1})
            now = memory._answer(step)[0]["node"]
            torn.append({**now, "metadata": old["metadata"]})
            return [{"node": torn[0]}]
        return rows

    run(memory._verbs.update("e", metadata={"ours": 2}), answer)
    assert torn
    assert memory.get("e").memory.metadata == {"theirs": 1, "ours": 2}
