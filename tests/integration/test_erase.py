"""Erasing a scope: all of it, nothing else, and what stays is counted anew."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from importlib import import_module
from typing import Any

import neo4j
import pytest

from graphmem import Episode, Memory, Reflection, Settings, Skill
from graphmem.errors import GraphmemError, InvalidInput, StoreUnavailable
from graphmem.govern.erase import Erased
from graphmem.scope import Scope
from graphmem.settings import Connection
from graphmem.store.catalogue import statement
from tests.angles import Angles
from tests.cli.shell import Inside, environment
from tests.memories import NOW, ids, won

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


def test_a_correction_and_a_duplicate_in_the_making_outlive_the_erasure_of_others(
    connect: Callable[..., Memory], cypher: Cypher, at: Connection, tenant: str
) -> None:
    """Others' links at the same memories are erased while they are written, but not committed."""
    given = {"embedder": Angles("bge-small-en-v1.5")}
    shared, ann, bob = connect(**given), connect(user="ann", **given), connect(user="bob", **given)
    shared.record_many([won(f"s{n}", f"pump {n} north:0.{9 - n}") for n in range(4)])
    ann.correct(wrong="s0", right="s1", reason="ann says so")
    ann.link("s2", "s3", kind="duplicate")
    assert at.password is not None
    auth = (at.user, at.password.get_secret_value())
    with neo4j.GraphDatabase.driver(at.uri, auth=auth) as driver, driver.session() as session:
        open_ = session.begin_transaction()
        scopes, now = Scope(tenant, "bob").visible, NOW
        said = {"scopes": scopes, "wrong": "s0", "right": "s1", "reason": "bob says so", "context": None}
        open_.run(
            statement("correct/correct").text, {**said, "receipt": None, "close": 0.92, "by": "bob", "now": now}
        ).consume()
        link = {"scopes": scopes, "start": "s2", "end": "s3", "kind": "duplicate", "weight": 1.0}
        open_.run(statement("learn/link").text, {**link, "by": "bob", "now": now}).consume()
        erasing = threading.Thread(target=lambda: ann.erase(everything=True))
        erasing.start()
        waits = (
            "SHOW TRANSACTIONS YIELD currentQuery, status WHERE status STARTS WITH 'Blocked' "
            "RETURN currentQuery AS text"
        )
        while erasing.is_alive() and not any("govern/erase_links" in row["text"] for row in cypher(waits)):
            erasing.join(0.05)
        open_.commit()
        erasing.join()
    assert (
        cypher("MATCH (:Memory {tenant: $t})-[e:CORRECTS|RELATES]->() RETURN e.by AS by", t=tenant)
        == [{"by": "bob"}] * 2
    )
    found = bob.recall("pump north:1", limit=9)
    assert "s0" not in ids(found)
    assert found.left.duplicates == 1


def test_what_is_stopped_goes_on_and_what_is_large_takes_several_batches(
    connect: Callable[..., Memory], cypher: Cypher, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = connect(embedder=Angles("bge-small-en-v1.5"))
    memory.record_many([won(f"e{n}", f"pump {n}") for n in range(11)])
    for n in range(5):
        memory.recall(f"pump {n}", receipt=True)
    monkeypatch.setattr(import_module("graphmem.govern.erase"), "BATCH", 2)
    steps, answer = 0, memory._answer

    def stop(step: Any) -> Any:
        nonlocal steps
        steps += 1
        if steps > 5:
            raise StoreUnavailable("gone")
        return answer(step)

    monkeypatch.setattr(memory, "_answer", stop)
    with pytest.raises(StoreUnavailable):
        memory.erase(everything=True)
    monkeypatch.setattr(memory, "_answer", answer)
    counts = "MATCH (n {tenant: $t}) RETURN count(n) AS n"
    (left,) = cypher(counts, t=tenant)
    assert 0 < left["n"] < 16
    rest = memory.erase(everything=True)
    assert rest.episodes + rest.receipts == left["n"]
    assert cypher(counts, t=tenant) == [{"n": 0}]


@pytest.mark.parametrize(
    "given", [{}, {"everything": False}, {"everything": None}, {"everything": 1}, {"everything": "yes"}]
)
def test_only_everything_is_erased_and_only_when_it_is_said(client: Any, given: dict[str, Any]) -> None:
    client.record(won("e"))
    with pytest.raises(InvalidInput, match="everything=True"):
        client.erase(**given)
    assert client.get("e").id == "e"
    with pytest.raises(TypeError):
        client.erase(True)


def test_the_counts_stay_exact_while_others_give_feedback(
    connect: Callable[..., Memory], cypher: Cypher, tenant: str
) -> None:
    given = {"embedder": Angles("bge-small-en-v1.5")}
    shared, bob = connect(**given), connect(user="bob", **given)
    shared.record_many([won(f"s{n}", f"pump {n} north:0.9") for n in range(3)])
    faults: list[BaseException] = []

    def say(user: str) -> None:
        client = connect(user=user, **given)
        try:
            for n in range(12):
                client.feedback(
                    client.recall("pump north:1"), outcome="success", used=[f"s{n % 3}"], misled=[f"s{(n + 1) % 3}"]
                )
        except GraphmemError as error:
            faults.append(error)

    threads = [threading.Thread(target=say, args=(user,)) for user in ("ann", "ann", "bob")]
    for thread in threads:
        thread.start()
    ann = connect(user="ann", **given)
    while any(thread.is_alive() for thread in threads):
        ann.erase(everything=True)
    ann.erase(everything=True)
    assert faults == []
    kept = cypher(
        "MATCH (m:Memory {tenant: $t}) RETURN m.successes AS said, m.misled AS blamed, "
        "COUNT { (m)<-[:RETURNED {used: true}]-() } AS used, COUNT { (m)<-[:MISLED]-() } AS misled",
        t=tenant,
    )
    assert (
        [(row["said"], row["blamed"]) for row in kept] == [(row["used"], row["misled"]) for row in kept] == [(4, 4)] * 3
    )
    assert bob.erase(everything=True).receipts == 12


@pytest.fixture
def graphmem(settings: Settings, at: Connection, tenant: str) -> Inside:
    return Inside(environment(settings, at, tenant) | {"GRAPHMEM_EMBEDDING__MODEL": "none"})


def test_the_command_asks_first(graphmem: Inside) -> None:
    assert graphmem("record", "--task", "pump", "--id", "e", "--outcome", "success").code == 0
    for arguments, said in (((), "--everything"), (("--yes",), "--everything"), (("--everything",), "--yes")):
        ran = graphmem("erase", *arguments)
        assert (ran.code, said in ran.err) == (2, True), ran
    assert graphmem("get", "e").code == 0
    erased = graphmem("erase", "--everything", "--yes", "--json").json
    assert erased == json.loads(Erased(episodes=1).model_dump_json())
    assert graphmem("get", "e").code == 1
    assert graphmem("erase", "--everything", "--yes").out.startswith("0 episodes, 0 reflections")
    for missing in ({"GRAPHMEM_TENANT": ""}, {"GRAPHMEM_USER": ""}):
        assert "name" in graphmem("erase", "--everything", "--yes", **missing).refusal
