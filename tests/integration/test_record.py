"""Recording on the real server: once each, told in order, kept whole."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings

from graphmem import Decision, Episode, Kind, Memory, Reflection, Skill, Status
from graphmem.errors import Conflict, InvalidInput
from graphmem.models import AnyItem
from graphmem.record import Result
from tests.embedders import AwayEmbedder, ConstantEmbedder
from tests.memories import won
from tests.unit.items import ITEM

Cypher = Callable[..., list[dict[str, Any]]]


Connect = Callable[..., Memory]


NAME = "bge-small-en-v1.5"


NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.fixture
def memory(make: Connect) -> Memory:
    return make()


EACH: list[tuple[AnyItem, AnyItem]] = [
    (won("x"), won("x", "Descale the kettle")),
    (Reflection(id="x", insight="Citric acid works"), Reflection(id="x", insight="Vinegar works")),
    (Skill(id="x", name="Descale", steps=("fill", "boil")), Skill(id="x", name="Descale", steps=("boil", "fill"))),
]


@pytest.mark.parametrize(("item", "other"), EACH, ids=[kind.value for kind in Kind])
def test_the_same_again_changes_nothing_and_other_content_is_a_conflict(
    client: Any, nodes: Callable[[], Any], item: AnyItem, other: AnyItem
) -> None:
    first = client.record(item)
    assert (first.id, first.result, first.problem) == ("x", Result.CREATED, "")
    before = nodes()
    again = client.record(item)
    assert (again.id, again.result, again.status, again.stored) == ("x", Result.UNCHANGED, first.status, True)
    with pytest.raises(Conflict, match="id x is taken"):
        client.record(other)
    told = client.record_many([other, item])
    assert [answer.result for answer in told] == [Result.CONFLICT, Result.UNCHANGED]
    assert "id x is taken" in told[0].problem
    assert nodes() == before
    assert client.get("x").memory == item


@pytest.mark.parametrize("first", range(3))
@pytest.mark.parametrize("second", range(3))
def test_an_id_belongs_to_one_kind(memory: Memory, nodes: Callable[[], Any], first: int, second: int) -> None:
    memory.record(EACH[first][0])
    before = nodes()
    assert before[0]["labels"] == sorted(["Memory", EACH[first][0].kind.value.capitalize()])
    if first != second:
        with pytest.raises(Conflict):
            memory.record(EACH[second][1])
    assert nodes() == before


def test_without_an_id_each_recording_is_a_new_memory(memory: Memory) -> None:
    one, other = memory.record(won(None)), memory.record(won(None))
    assert one.result is other.result is Result.CREATED
    assert one.id != other.id


@pytest.mark.parametrize(
    ("item", "status", "recallable"),
    [
        (Episode(id="x", task="t"), Status.AUDIT, False),
        (Episode(id="x", task="t", outcome="fail"), Status.ACTIVE, True),
        (Episode(id="x", task="t", outcome="success", secure=True), Status.ACTIVE, False),
        (Reflection(id="x", insight="i"), Status.ACTIVE, True),
        (Skill(id="x", name="n", steps=("s",)), Status.CANDIDATE, False),
        (Skill(id="x", name="n", steps=("s",), approved_by="ann"), Status.ACTIVE, True),
    ],
)
def test_where_it_stands_and_whether_it_may_be_recalled(
    memory: Memory, nodes: Callable[[], Any], item: AnyItem, status: Status, recallable: bool
) -> None:
    assert memory.record(item).status is status
    stored = memory.get("x")
    assert (stored.status, stored.recallable) == (status, recallable)
    (node,) = nodes()
    marked = "secure" if item.secure else ""
    assert node["recall_key"] == (marked + node["scope"] if status is Status.ACTIVE else "")


@hypothesis_settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ITEM)
def test_any_memory_comes_back_from_the_database_equal(memory: Memory, item: AnyItem) -> None:
    lone = item.model_copy(
        update={"id": None, "expires_at": None} | ({} if isinstance(item, Episode) else {"sources": ()})
    )
    told = memory.record(lone)
    assert told.id is not None
    assert memory.get(told.id).memory == lone.model_copy(update={"id": told.id})


def test_a_batch_answers_in_its_order_and_tells_every_fault(memory: Memory) -> None:
    memory.record(won("taken"))
    told = memory.record_many(
        [
            {"task": "as a mapping", "id": "m"},
            {"kind": "skill", "name": "n", "id": "s"},
            won("taken", "Something else"),
            won("twice"),
            won("twice"),
            won("twice", "Not the same"),
            Reflection(id="r", insight="i", sources=("missing",)),
            7,  # type: ignore[list-item]
            {"kind": "poem", "task": "t"},
            {"task": "t", "colour": "green"},
            won("last"),
        ]
    )
    assert [(answer.id, answer.result.value) for answer in told] == [
        ("m", "created"), ("s", "invalid"), ("taken", "conflict"), ("twice", "created"), ("twice", "unchanged"),
        ("twice", "conflict"), ("r", "no source"), (None, "invalid"), (None, "invalid"), (None, "invalid"),
        ("last", "created"),
    ]  # fmt: skip
    said = [answer.problem for answer in told]
    assert said[1] == "item 1: Skill.steps: Field required"
    assert "id taken is taken" in said[2]
    assert "reflection r names a source" in said[6]
    assert said[7].startswith("item 7: int is no memory")
    assert said[8] == "item 8: kind 'poem' is none of episode, reflection, skill"
    assert "item 9: Episode.colour" in said[9]
    assert {stored.id for stored in memory.list()} == {"taken", "m", "twice", "last"}
    assert memory.get("twice").memory == won("twice")


@pytest.mark.parametrize("bad", [None, 7, "text", {1: 2}, {"kind": None, "task": "t"}, {"task": None}, {}, []])
def test_what_is_no_memory_is_refused(memory: Memory, bad: Any) -> None:
    with pytest.raises(InvalidInput):
        memory.record(bad)
    assert memory.list() == ()


def test_a_long_batch_goes_in_transactions_and_tells_its_progress(make: Connect, cypher: Cypher, tenant: str) -> None:
    memory, seen, there = make(), [], []

    def progress(answers: tuple[Any, ...]) -> None:
        seen.append([answer.id for answer in answers])
        there.append(cypher("MATCH (m:Memory {tenant: $t}) RETURN count(m) AS n", t=tenant)[0]["n"])

    told = memory.record_many((won(f"e{number}", f"task {number}") for number in range(600)), progress=progress)
    ids = [f"e{number}" for number in range(600)]
    assert [answer.id for answer in told] == ids
    assert seen == [ids[:256], ids[256:512], ids[512:]]
    assert there == [256, 512, 600]
    faulty = memory.record_many([won(f"e{number}", f"task {number}") for number in range(300)] + [{}])
    assert {answer.result for answer in faulty[:300]} == {Result.UNCHANGED}
    assert faulty[300].problem.startswith("item 300: ")
    assert memory.record_many([]) == ()


def test_while_the_model_is_away_memories_are_kept_and_that_is_told(make: Connect, nodes: Callable[[], Any]) -> None:
    memory = make(embedder=AwayEmbedder(name=NAME))
    told = memory.record_many([won("e"), Reflection(id="r", insight="i", sources=("e",))])
    assert all(answer.result is Result.CREATED for answer in told)
    assert all("stored without a vector" in answer.problem and "refused" in answer.problem for answer in told)
    assert all("embedding" not in node and "embedding_model" not in node for node in nodes())
    assert memory.get("e").embedded == ""
    assert memory.record(won("e")).problem == ""


UNUSABLE = [[0.0] * 384, [float("nan")] * 384, [float("inf")] * 384, [1e308] * 384, [1.0] * 383, [1.0] * 385, []]


@pytest.mark.parametrize("vector", UNUSABLE, ids=lambda vector: f"{len(vector)}x{vector[:1]}")
def test_what_is_no_vector_is_never_stored(make: Connect, nodes: Callable[[], Any], vector: list[float]) -> None:
    told = make(embedder=ConstantEmbedder(vector, name=NAME)).record(won("e"))
    assert told.stored
    assert "the embedder returned" in told.problem
    assert "embedding" not in nodes()[0]


def test_times_are_the_clocks_and_the_memorys_own(make: Connect) -> None:
    memory = make(clock=lambda: NOON)
    memory.record(won("e", occurred_at="2025-03-30T02:30"))
    stored = memory.get("e")
    assert stored.created_at == stored.updated_at == NOON
    assert stored.memory.occurred_at == datetime(2025, 3, 30, 2, 30, tzinfo=UTC)
    assert json.loads(stored.model_dump_json())["created_at"] == "2026-01-01T12:00:00+00:00"


def test_each_of_a_batch_has_its_own_times(make: Connect, nodes: Callable[[], list[dict[str, Any]]]) -> None:
    then, end = datetime(2025, 3, 30, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC)
    never = datetime.max.replace(tzinfo=UTC)
    batch = (
        won("a", occurred_at=then),
        won("b", "Fill the kettle", expires_at=end),
        won("c", "Boil the kettle", occurred_at=then, expires_at=end),
        won("d", "Clean the kettle"),
        Reflection(id="r", insight="Citric acid works", sources=("a",), occurred_at=then),
        Reflection(id="s", insight="Vinegar works", sources=("a",), expires_at=end),
        Skill(id="k", name="Descale", steps=("boil",), sources=("r",)),
    )
    assert all(answer.stored for answer in make(clock=lambda: NOON).record_many(batch))
    names = ("created_at", "updated_at", "happened_at", "expires_at")
    at = {node["id"]: [node[name] for name in names] for node in nodes()}
    assert at == {
        "a": [NOON, NOON, then, never],
        "b": [NOON, NOON, NOON, end],
        "c": [NOON, NOON, then, end],
        "d": [NOON, NOON, NOON, never],
        "r": [NOON, NOON, then, never],
        "s": [NOON, NOON, NOON, end],
        "k": [NOON, NOON, NOON, never],
    }


def test_recall_of_what_was_recorded_by_another_process_is_seen(make: Connect) -> None:
    make().record(won("e"))
    assert make().recall("descale the boiler").decision is Decision.USE
