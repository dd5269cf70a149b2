"""Clients of many scopes over the connections of one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from graphmem import Memory
from graphmem.embed import Embedder
from graphmem.errors import ScopeError, StoreUnavailable
from graphmem.store.driver import Database
from tests.angles import Angles
from tests.conftest import Driven


def of(client: Any, tenant: str, user: str | None = None) -> Any:
    """The client of another scope, called as this one is."""
    made = client.scoped(tenant, user)
    return made if isinstance(made, Memory) else Driven(made)


@pytest.fixture
def shared(connect: Callable[..., Memory], embedder: Embedder) -> Memory:
    return connect(embedder=Angles(embedder.name))


def test_each_keeps_and_finds_its_own(client: Any, tenant: str) -> None:
    names = [(tenant,), (tenant, "u1"), (tenant, "u2"), (f"{tenant}-b",), (f"{tenant}-b", "u1")]
    others = {name: of(client, *name) for name in names}
    for name, one in others.items():
        one.record({"id": "-".join(name), "task": f"wind the clock of {name}", "outcome": "success"})
    seen = {name: {stored.id for stored in one.list()} for name, one in others.items()}
    shared = {name: {"-".join(name), name[0]} for name in others}
    assert seen == shared
    for name, one in others.items():
        answer = one.recall("wind the clock", limit=10)
        assert (answer.tenant, answer.user) == (name[0], name[1] if len(name) > 1 else "")
        assert {candidate.id for candidate in answer.candidates} == shared[name]


def test_all_use_the_connections_of_the_first(shared: Memory, tenant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Database] = []
    first = Database.__init__

    def counted(self: Database, *args: Any) -> None:
        made.append(self)
        first(self, *args)

    monkeypatch.setattr(Database, "__init__", counted)
    before = shared.scoped(tenant, "u0")
    shared.init()
    after = shared.scoped(tenant, "u1").scoped(tenant, "u2")
    for one in (before, after, shared):
        one.list()
    assert len(made) == 1


def test_one_ends_alone_and_all_end_with_the_first(shared: Memory, tenant: str) -> None:
    one, other = shared.scoped(tenant, "u1"), shared.scoped(tenant, "u2")
    deeper = one.scoped(tenant, "u3")
    one.close()
    with pytest.raises(StoreUnavailable, match="closed"):
        one.list()
    with pytest.raises(StoreUnavailable, match="closed"):
        one.scoped(tenant)
    assert [shared.list(), other.list(), deeper.list()] == [(), (), ()]
    shared.close()
    for ended in (shared, other, deeper):
        with pytest.raises(StoreUnavailable, match="closed"):
            ended.list()


@pytest.mark.parametrize(("tenant_", "user"), [("", None), ("acme", ""), ("a b\n", None)])
def test_a_name_that_is_none_is_refused(shared: Memory, tenant_: str, user: str | None) -> None:
    with pytest.raises(ScopeError):
        shared.scoped(tenant_, user)
