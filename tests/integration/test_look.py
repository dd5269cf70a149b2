"""Getting and listing: filters, order, pages, and what is not to be seen."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphmem import Memory, Reflection, Skill
from graphmem.errors import InvalidInput, NotFound, ScopeError, StoreError
from tests.memories import won

Cypher = Callable[..., list[dict[str, Any]]]


Connect = Callable[..., Memory]


NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.fixture
def memory(make: Connect) -> Memory:
    return make()


def test_list_filters_sorts_and_pages(memory: Memory) -> None:
    day = {"occurred_at": "2025-03-30T23:59:59.999999Z"}
    memory.record_many(
        [
            won("e1", domain="ops", task_type="incident", tags=("a", "b"), **day),
            won("e2", "other", outcome="fail", domain="ops", tags=("b",), occurred_at="2025-03-31T00:00Z"),
            won("e3", "third", outcome="unknown", occurred_at="2025-03-31T08:59:59+09:00"),
            Reflection(id="r", insight="i", tags=("a",), occurred_at="2025-03-31"),
            Skill(id="s", name="n", steps=("x",), occurred_at="0001-01-01"),
        ]
    )

    def ids(**filters: Any) -> list[str]:
        return [stored.id for stored in memory.list(**filters)]

    assert ids() == ["e2", "r", "e1", "e3", "s"]
    assert ids(kind="episode") == ["e2", "e1", "e3"]
    assert ids(kind="skill") == ids(status="candidate") == ["s"]
    assert ids(status="audit") == ids(outcome="unknown") == ["e3"]
    assert ids(outcome="fail") == ["e2"]
    assert ids(domain="ops") == ["e2", "e1"]
    assert ids(domain="") == ["r", "e3", "s"]
    assert ids(task_type="incident") == ["e1"]
    assert ids(tags=["a"]) == ["r", "e1"]
    assert ids(tags=["b", "a"]) == ["e1"]
    assert ids(since="2025-03-31") == ["e2", "r"]
    assert ids(since="2025-03-30", until="2025-03-31") == ["e1", "e3"]
    assert ids(kind="episode", domain="ops", tags=["b"], until="2025-03-31") == ["e1"]
    assert ids(domain="nothing") == []
    assert [ids(skip=skip, limit=2) for skip in (0, 2, 4, 6)] == [["e2", "r"], ["e1", "e3"], ["s"], []]


@pytest.mark.parametrize(
    "filters",
    [{"colour": "x"}, {"kind": "poem"}, {"limit": 0}, {"limit": 1001}, {"skip": -1}, {"since": "soon"}, {"tags": "a"},
     {"status": "ACTIVE"}, {"domain": "\ud800"}],
)  # fmt: skip
def test_an_unknown_filter_is_an_error_never_an_unfiltered_list(memory: Memory, filters: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match=f"Filters.{next(iter(filters))}"):
        memory.list(**filters)


def test_equal_times_are_ordered_by_id(make: Connect) -> None:
    memory = make(clock=lambda: NOON)
    memory.record_many([won(id_, f"task {id_}") for id_ in ("c", "a", "b")])
    assert [stored.id for stored in memory.list()] == ["a", "b", "c"]


def test_what_is_not_there_or_anothers_is_told_alike(make: Connect, nodes: Callable[[], Any]) -> None:
    make().record(won("e"))
    before = nodes()
    for client, id_ in ((make(), "nobody"), (make(tenant="somebody-else"), "e"), (make(), "")):
        for act in (client.get, lambda id_, client=client: client.update(id_, tags=["x"])):
            with pytest.raises(NotFound, match=f"no memory {id_} in this scope"):
                act(id_)
    assert make(tenant="somebody-else").list() == ()
    assert nodes() == before
    with pytest.raises(ScopeError):
        make(tenant="")


def test_an_id_that_is_no_text_at_all(memory: Memory) -> None:
    memory.init()
    for act in (memory.get, lambda id_: memory.update(id_, tags=["x"])):
        with pytest.raises(InvalidInput, match="surrogate"):
            act("\ud800")


def test_what_has_expired_is_gone_everywhere_without_a_sweep(make: Connect, nodes: Callable[[], Any]) -> None:
    now = [NOON]
    memory = make(clock=lambda: now[0])
    memory.record_many([won("e", expires_at=NOON + timedelta(days=1)), won("f", "Descale the kettle")])
    now[0] = NOON + timedelta(days=1, microseconds=-1)
    assert memory.get("e").id == "e"
    now[0] = NOON + timedelta(days=1)
    before = nodes()
    with pytest.raises(NotFound, match=r"memory e expired at 2026-01-02T12:00:00\+00:00"):
        memory.get("e")
    with pytest.raises(NotFound, match="expired"):
        memory.update("e", expires_at="2999-01-01")
    assert [stored.id for stored in memory.list()] == ["f"]
    assert [candidate.id for candidate in memory.recall("descale the boiler").candidates] == ["f"]
    assert [node for node in nodes() if "Recall" not in node["labels"]] == before


def test_a_node_that_somebody_damaged_is_named(memory: Memory, cypher: Cypher, tenant: str) -> None:
    memory.record_many([won("e"), won("f", "Descale the kettle")])
    cypher("MATCH (m:Memory {tenant: $t, id: 'e'}) SET m.metadata = '{'", t=tenant)
    for act in (lambda: memory.get("e"), memory.list, lambda: memory.recall("descale the boiler")):
        with pytest.raises(StoreError, match="memory e was damaged in the database"):
            act()
    assert memory.get("f").id == "f"
