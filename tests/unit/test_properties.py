"""A memory as node properties and back: equal, whatever it holds."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given

from graphmem import Episode, Outcome, Reflection, Skill, Status, Step
from graphmem.errors import StoreError
from graphmem.models import AnyItem
from graphmem.record.properties import (
    NEVER,
    content_hash,
    context_hash,
    features,
    initial_status,
    requirements,
    to_item,
    to_properties,
)
from tests.unit.items import ITEM


def node(item: AnyItem) -> dict[str, Any]:
    """What the database would give back: no property is null."""
    properties = {**to_properties(item), "id": item.id}
    return {name: value for name, value in properties.items() if value is not None}


@given(ITEM)
def test_any_memory_comes_back_equal(item: AnyItem) -> None:
    again = to_item(node(item))
    assert again == item
    assert type(again) is type(item)
    assert content_hash(again) == content_hash(item) == node(item)["content_hash"]


@given(ITEM)
def test_properties_are_what_a_node_can_hold(item: AnyItem) -> None:
    for name, value in node(item).items():
        values = value if isinstance(value, list) else [value]
        assert all(type(one) in (str, bool, int, float, datetime) for one in values), name
        assert len({type(one) for one in values}) <= 1
        assert not isinstance(value, int) or abs(value) < 2**63


@given(ITEM)
def test_filter_properties_are_never_null(item: AnyItem) -> None:
    made = node(item)
    assert {"kind", "domain", "task_type", "toolchain", "expires_at", "tags", "text", "features", "requires"} <= {*made}
    assert made["expires_at"] == (item.expires_at or NEVER)
    assert made["text"]


@pytest.mark.parametrize(
    "metadata",
    [
        {"run": {"id": 7, "tags": ["a", "b"]}, "steps": [{"n": 1}, {"n": 2}], "ok": True, "none": None},
        {"big": 2**200, "small": -(2**200), "float": 0.1, "tiny": 5e-324, "zero": -0.0, "int": 1, "same": 1.0},
        {"": "", "a b": 1, "k`}) SET n.x=1 //": 2, "$p": 3, "1st": 4, "tenant": "t", "embedding": [0]},
    ],
)
def test_metadata_keeps_types_and_nulls(metadata: dict[str, Any]) -> None:
    again = to_item(node(Episode(id="e", task="t", metadata=metadata))).metadata
    assert again == metadata
    assert {key: type(value) for key, value in again.items()} == {key: type(value) for key, value in metadata.items()}
    assert set(to_properties(Episode(task="t", metadata=metadata))) == set(to_properties(Episode(task="t")))


@pytest.mark.parametrize("year", [1, 1969, 1970, 2025, 9999])
def test_instants_of_every_year_come_back(year: int) -> None:
    time = datetime(year, 6, 1, 2, 3, 4, 567891, tzinfo=UTC)
    assert to_item(node(Episode(id="e", task="t", occurred_at=time, expires_at=time))).expires_at == time


def test_the_last_instant_of_all_is_no_end() -> None:
    assert to_item(node(Episode(id="e", task="t", expires_at=NEVER))).expires_at is None


def test_equal_content_has_an_equal_digest_whatever_the_id() -> None:
    one = Episode(id="a", task="t", metadata={"x": 1, "y": 2})
    assert content_hash(one) == content_hash(Episode(id="b", task="t", metadata={"y": 2, "x": 1}))
    moment = Episode(task="t", occurred_at="2025-03-30T02:30+09:00")
    assert content_hash(moment) == content_hash(Episode(task="t", occurred_at="2025-03-29T17:30Z"))


CHANGED = {"tags": ("x",), "techniques": ("x",), "metadata": {"x": None}, "occurred_at": NEVER, "expires_at": NEVER}
CHANGED |= {
    "pinned": True,
    "secure": True,
    "outcome": Outcome.FAIL,
    "difficulty": 0.0,
    "trajectory": (Step(action="x"),),
}


@pytest.mark.parametrize("name", sorted({*Episode.model_fields} - {"id"}))
def test_every_field_takes_part_in_the_digest(name: str) -> None:
    plain = Episode(task="t")
    other = plain.model_copy(update={name: CHANGED.get(name, "x")})
    assert content_hash(plain) != content_hash(other)


def test_the_context_is_the_task_type_or_else_the_words() -> None:
    assert context_hash("d", "t", "c", "one") == context_hash("d", "t", "c", "two")
    assert context_hash("d", "", "c", "One  word") == context_hash("d", "", "c", "one word")
    assert context_hash("d", "", "c", "one") != context_hash("d", "", "c", "two")
    assert context_hash("a", "b", "", "") != context_hash("", "a", "b", "")


@pytest.mark.parametrize(
    ("conditions", "pairs"),
    [
        (("os = Linux",), ["os=linux"]),
        (("OS=linux", "os = LINUX"), ["os=linux"]),
        (("shell version = 5 or newer",), ["shell version=5 or newer"]),
        (("url = a=b",), ["url=a=b"]),
        (("only at night", "load >= 5", "= x", "x ="), []),
        (("ＯＳ = ｌｉｎｕｘ",), ["os=linux"]),
    ],
)
def test_conditions_that_can_be_judged(conditions: tuple[str, ...], pairs: list[str]) -> None:
    assert requirements(Reflection(insight="i", conditions=conditions)) == pairs
    assert requirements(Skill(name="n", steps=("s",), preconditions=conditions)) == pairs
    assert requirements(Episode(task="t")) == []


def test_features() -> None:
    assert features("d", None, "", ["x"], ["os=linux"]) == ["domain=d", "os=linux", "tag=x"]


@pytest.mark.parametrize(
    ("item", "status"),
    [
        (Episode(task="t"), Status.AUDIT),
        *((Episode(task="t", outcome=outcome), Status.ACTIVE) for outcome in Outcome if outcome != "unknown"),
        (Reflection(insight="i"), Status.ACTIVE),
        (Skill(name="n", steps=("s",)), Status.CANDIDATE),
        (Skill(name="n", steps=("s",), approved_by="ann"), Status.ACTIVE),
    ],
)
def test_where_a_new_memory_stands(item: AnyItem, status: Status) -> None:
    assert initial_status(item) is status


@pytest.mark.parametrize(
    "harm", [{"outcome": "maybe"}, {"metadata": "{"}, {"kind": "poem"}, {"task": " "}, {"tags": "x"}, {"expires_at": 5}]
)
def test_a_node_that_somebody_damaged_is_told_by_its_id(harm: dict[str, Any]) -> None:
    with pytest.raises(StoreError, match="memory e1 was damaged") as caught:
        to_item({**node(Episode(id="e1", task="t")), **harm})
    assert "\n" not in str(caught.value)
