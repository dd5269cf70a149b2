"""Erasing a scope while others write, and from where it was stopped."""

from __future__ import annotations

import threading
from collections.abc import Callable
from importlib import import_module
from typing import Any

import neo4j
import pytest

from graphmem import Memory
from graphmem.errors import GraphmemError, StoreUnavailable
from graphmem.scope import Scope
from graphmem.settings import Connection
from graphmem.store.catalogue import statement
from tests.angles import Angles
from tests.memories import NOW, ids, won

Cypher = Callable[..., list[dict[str, Any]]]


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
        while erasing.is_alive() and not any("erase/all_links" in row["text"] for row in cypher(waits)):
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
    monkeypatch.setattr(import_module("graphmem.erase.everything"), "BATCH", 2)
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
