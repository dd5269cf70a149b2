"""Erasing a scope: all of it, nothing else, and what stays is counted anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from graphmem import Episode, Memory, Reflection, Settings, Skill
from graphmem.erase import Erased
from graphmem.errors import InvalidInput
from tests.angles import Angles
from tests.memories import ids, won

Cypher = Callable[..., list[dict[str, Any]]]
NODES = (
    "MATCH (n) WHERE n.tenant STARTS WITH $t OPTIONAL MATCH (n)-[e]->(o) "
    "RETURN labels(n) AS labels, properties(n) AS node, collect([type(e), properties(e), o.scope, o.id]) AS edges "
    "ORDER BY node.scope, labels, node.id, node.domain, node.version"
)


@pytest.fixture
def make(connect: Callable[..., Memory], settings: Settings, tenant: str, client: Any) -> Callable[..., Any]:
    """Clients of both kinds, with cosines by hand; a suffix makes another tenant of this test's own."""

    def made(user: str | None = None, suffix: str = "") -> Any:
        inner = client if isinstance(client, Memory) else client.client
        fresh = type(inner)(tenant + suffix, user, settings=settings, embedder=Angles("bge-small-en-v1.5"))
        opened.append(fresh if isinstance(client, Memory) else type(client)(fresh))
        return opened[-1]

    opened: list[Any] = []
    yield made
    for one in opened:
        one.close()


def live(client: Any, cypher: Cypher, tenant: str, user: str, name: str) -> None:
    """Keep something of every kind in a client's own scope."""
    client.record_many(
        [
            won(f"{name}1", "pump north:0.9"),
            won(f"{name}2", "pump north:0.8"),
            Episode(id=f"{name}3", task="pump", outcome="fail", secure=True),
            Reflection(id=f"{name}r", insight="pump north:0.7", sources=[f"{name}1"]),
            Skill(id=f"{name}s", name="pump north:0.7", steps=["a"], approved_by="ada", sources=[f"{name}r"]),
        ]
    )
    client.feedback(client.recall("pump north:1"), outcome="success", used=[f"{name}1"], misled=[f"{name}2"])
    client.recall("lamp east:1", receipt=True)
    client.link(f"{name}1", f"{name}2", kind="duplicate")
    client.correct(wrong=f"{name}2", right=f"{name}1", reason="r")
    (own,) = cypher(
        "MATCH (m {id: $id, tenant: $t, user: $u}) RETURN m.scope AS scope", id=f"{name}1", t=tenant, u=user
    )
    cypher(
        "CREATE (:Job {scope: $s, id: 'j', tenant: $t, user: $u, state: 'done'}) "
        "CREATE (:Parameters {scope: $s, domain: '', version: 0, tenant: $t, user: $u}) "
        "CREATE (:Parameters {scope: $s, domain: '', version: 1, tenant: $t, user: $u, active: false})",
        s=own["scope"], t=tenant, u=user,
    )  # fmt: skip


ONE = Erased(episodes=3, reflections=1, skills=1, receipts=2, parameters=1, jobs=1)


def times(n: int) -> Erased:
    return Erased(**{name: n * count for name, count in ONE})


def test_a_tenant_is_erased_with_all_its_users_and_nobody_else(
    make: Callable[..., Any], cypher: Cypher, tenant: str
) -> None:
    red, ann, blue = make(), make("ann"), make(suffix="-blue")
    blues = make("ann", "-blue")
    for client, name, user, where in (
        (red, "r", "", tenant), (ann, "a", "ann", tenant), (blue, "b", "", f"{tenant}-blue"),
        (blues, "r", "ann", f"{tenant}-blue"),
    ):  # fmt: skip
        live(client, cypher, where, user, name)
    schema = cypher("SHOW INDEXES YIELD name, state RETURN name, state ORDER BY name")
    others = cypher(NODES, t=f"{tenant}-blue")
    assert len(others) == 20
    assert red.erase(everything=True) == times(2)
    assert cypher("MATCH (n {tenant: $t}) RETURN count(n) AS n", t=tenant) == [{"n": 0}]
    assert cypher(NODES, t=f"{tenant}-blue") == others
    assert cypher("SHOW INDEXES YIELD name, state RETURN name, state ORDER BY name") == schema
    assert sorted(ids(blue.recall("pump north:1", limit=9))) == ["b1", "br", "bs"]
    assert ids(red.recall("pump north:1")) == ids(ann.recall("pump north:1")) == []
    assert red.erase(everything=True) == Erased(receipts=2)  # of the two novel answers


def test_a_users_own_is_erased_and_what_is_shared_stays_counted_anew(
    make: Callable[..., Any], cypher: Cypher, tenant: str
) -> None:
    shared, ann, bob = make(), make("ann"), make("bob")
    shared.record_many([won(f"s{n}", f"lime east:0.{9 - n}") for n in range(4)])
    ann.record(won("gift", "gift north:0.9"), share=True)
    live(bob, cypher, tenant, "bob", "b")
    live(shared, cypher, tenant, "", "t")
    for client, outcome in ((bob, "success"), (shared, "fail")):
        client.feedback(client.recall("east:1"), outcome=outcome, used=["s0"], misled=["s1"])
    bob.link("s0", "s3", kind="similar")
    bob.correct(wrong="s3", right="s2", reason="bob says so")
    before, told = (
        cypher(NODES, t=tenant),
        [(id_, shared.get(id_).successes, shared.get(id_).failures) for id_ in ("s0", "gift")],
    )
    calm = ids(bob.recall("east:1", limit=9))

    live(ann, cypher, tenant, "ann", "a")
    for outcome in ("success", "fail"):
        ann.feedback(ann.recall("east:1"), outcome=outcome, used=["s0", "gift"], misled=["s1", "s2"])
    ann.link("s0", "s1", kind="duplicate")
    ann.link("s0", "s3", kind="similar")
    ann.link("s2", "a1", kind="duplicate")
    ann.correct(wrong="s0", right="s1", reason="ann says so")
    ann.correct(wrong="s3", right="s2", reason="ann says so", context="east:1")
    assert shared.get("s0").successes == 2
    assert ann.erase(everything=True) == ONE.model_copy(update={"receipts": 5, "links": 4})

    assert sorted(ids(ann.recall("pump north:1", limit=9))) == ["gift", "t1", "tr", "ts"]
    after = cypher(NODES, t=tenant)
    hints = {"corrected", "twinned"}  # whether it is worth looking for an edge: may stay, and says nothing alone
    for row in before + after:
        row["node"] = {name: value for name, value in row["node"].items() if name not in hints}
        row["edges"] = sorted(map(repr, row["edges"]))
    assert after == before
    assert [(id_, shared.get(id_).successes, shared.get(id_).failures) for id_ in ("s0", "gift")] == told
    assert ids(bob.recall("east:1", limit=9)) == calm


@pytest.mark.parametrize(
    "given", [{}, {"everything": False}, {"everything": None}, {"everything": 1}, {"everything": "yes"}]
)
def test_only_everything_is_erased_and_only_when_it_is_said(client: Any, given: dict[str, Any]) -> None:
    client.record(won("e"))
    with pytest.raises(InvalidInput, match="everything"):
        client.erase(**given)
    assert client.get("e").id == "e"
    with pytest.raises(TypeError):
        client.erase(True)
