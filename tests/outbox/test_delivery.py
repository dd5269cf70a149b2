"""What is written while the store is away is there once it is back: once, in order, whoever delivers it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from graphmem import Episode, Memory, Reflection, Settings, Skill
from graphmem.errors import AccessDenied, InvalidInput, ScopeError, StoreUnavailable
from graphmem.record import Result
from tests.angles import Angles
from tests.outbox.relay import Relay

Cypher = Callable[..., list[dict[str, Any]]]


def episode(n: int, **given: Any) -> Episode:
    return Episode(**{"id": f"e{n:04}", "task": f"pump {n} north:0.9", "outcome": "success", **given})


def kept(cypher: Cypher, tenant: str) -> list[str]:
    """The ids of all memories of a tenant, in the order of their times; each as often as it is there."""
    found = cypher("MATCH (m:Memory {tenant: $tenant}) RETURN m.id AS id ORDER BY m.created_at, id", tenant=tenant)
    return [row["id"] for row in found]


@pytest.mark.parametrize("ready", [True, False], ids=["used before", "fresh"])
def test_what_is_recorded_while_the_store_is_away_waits_and_comes_with_the_next_call(
    client: Any, relay: Relay, cypher: Cypher, tenant: str, ready: bool
) -> None:
    first = ["e0000"] if ready else []
    if ready:
        client.record(episode(0))
    relay.cut()
    answers = [client.record(episode(n)) for n in (1, 2)]
    answers += client.record_many([episode(3), {"task": ""}, episode(4)])
    unnamed = client.record({"task": "one without an id north:0.9", "outcome": "success"})
    assert [answer.result for answer in answers] == ["queued", "queued", "queued", "invalid", "queued"]
    assert (unnamed.result, unnamed.status, unnamed.stored) == (Result.QUEUED, None, False)
    assert "waits in the outbox" in unnamed.problem
    assert f"127.0.0.1:{relay.port}" in unnamed.problem
    assert client.waiting().waiting == 5
    relay.mend()
    hits = client.recall("north:1", limit=20).hits
    assert {hit.id for hit in hits} == {*first, "e0001", "e0002", "e0003", "e0004", unnamed.id}
    assert kept(cypher, tenant) == [*first, "e0001", "e0002", "e0003", "e0004", unnamed.id]
    assert client.waiting().model_dump() == {"waiting": 0, "oldest": None, "users": (), "dead": 0, "letters": ()}
    again = client.flush()
    assert (again.delivered, again.waiting, again.problem) == (0, 0, "")


def test_a_memory_has_the_time_of_its_call_and_not_of_its_delivery(
    make: Callable[..., Memory], relay: Relay, cypher: Cypher, tenant: str
) -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    clock = iter(now + timedelta(hours=n) for n in range(100))
    memory = make(clock=lambda: next(clock))
    memory.init()
    relay.cut()
    for n in range(4):
        memory.record(episode(n, task="the same north:0.9", tags=[f"t{n}"]))
    memory.record(Reflection(id="r", insight="a lesson north:0.9", sources=["e0003"]))
    relay.mend()
    assert memory.flush().delivered == 5
    rows = cypher("MATCH (m:Memory {tenant: $tenant}) RETURN m.created_at AS at ORDER BY m.id", tenant=tenant)
    times = [row["at"].to_native() for row in rows]
    assert times == sorted(times)
    assert {after - before for before, after in pairwise(times)} == {timedelta(hours=1)}
    edges = cypher("MATCH ({id: 'e0003', tenant: $tenant})-[d:DERIVES]->() RETURN d.at AS at", tenant=tenant)
    assert edges[0]["at"].to_native() == times[-1]


def test_delivered_memories_are_the_same_as_recorded_ones(
    make: Callable[..., Memory], relay: Relay, cypher: Cypher, tenant: str
) -> None:
    """Every field passes through the file unchanged: recorded again, each is unchanged."""
    items = [
        Episode(
            id="e", title="Zürich \U0001f600", task="line\none\u2028two", summary='"q" \\ \x00end', outcome="mixed",
            trajectory=[{"action": "a", "observation": "ö", "decision": "d"}], techniques=["x"], difficulty=0.1 + 0.2,
            tags=["t"], occurred_at="2026-02-03T04:05:06.123456+02:00", expires_at="2999-01-01", pinned=True,
            metadata={"big": 2**70, "float": 1e-300, "null": None, "deep": [{"k": [True, 1.5, "ß"]}]},
        ),
        Reflection(id="r", insight="insight", conditions=["os = linux"], guardrails=["g"], sources=["e"]),
        Skill(id="s", name="skill", steps=["one", "two"], sources=["r"], approved_by="ada", version=3),
        Episode(id="secret", task="kept from recall", outcome="fail", secure=True, subject="someone"),
    ]  # fmt: skip
    memory = make(user="u7")
    memory.init()
    relay.cut()
    assert {answer.result for answer in memory.record_many(items)} == {"queued"}
    relay.mend()
    assert memory.flush().delivered == len(items)
    assert {answer.result for answer in memory.record_many(items)} == {"unchanged"}
    direct = make(user="u8")
    direct.record_many(items)
    volatile = {"created_at", "updated_at", "happened_at", "write_id", "scope", "recall_key", "user"}
    query = "MATCH (m:Memory {tenant: $tenant, user: $user}) RETURN properties(m) AS p ORDER BY m.id"
    mine, other = (
        [{key: value for key, value in row["p"].items() if key not in volatile} for row in found]
        for found in (cypher(query, tenant=tenant, user=user) for user in ("u7", "u8"))
    )
    assert len(mine) == 4
    assert mine == other


def test_a_later_record_never_overtakes_what_waits(
    make: Callable[..., Memory], here: Settings, relay: Relay, cypher: Cypher, tenant: str
) -> None:
    memory = make(settings=here.model_copy(update={"outbox": here.outbox.model_copy(update={"per_call": 3})}))
    memory.init()
    relay.cut()
    for n in range(7):
        memory.record(episode(n))
    relay.mend()
    late = memory.record(episode(7))
    assert (late.result, memory.waiting().waiting) == (Result.QUEUED, 5)
    assert "more wait than one call delivers" in late.problem
    assert kept(cypher, tenant) == ["e0000", "e0001", "e0002"]
    seen = memory.recall("north:1", limit=20)
    assert len(seen.hits) == 6
    assert [warning for warning in seen.warnings if "wait in the outbox" in warning]
    assert memory.recall("north:1", limit=20).warnings == ()
    assert memory.record(episode(8)).result is Result.CREATED
    assert kept(cypher, tenant) == [f"e{n:04}" for n in range(9)]


def test_feedback_waits_with_its_recall_and_is_heard_in_order(
    client: Any, relay: Relay, cypher: Cypher, tenant: str
) -> None:
    client.record_many([episode(0), episode(1, task="valve north:0.8")])
    answer = client.recall("north:1", receipt=False)
    other = client.recall("pump and valve north:1")
    relay.cut()
    said = client.feedback(answer, outcome="fail", misled=["e0000"], evidence="the log")
    assert (said.queued, said.recall_id, said.misled) == (True, answer.id, ("e0000",))
    assert "waits in the outbox" in said.warnings[0]
    client.feedback(answer, outcome="success", used=["e0001"], evidence="looked again")
    client.feedback(other.to_json(), outcome="success", used=["e0000"])
    away = client.recall("north:1")
    assert away.decision == "policy_only"
    client.feedback(away, outcome="fail")
    assert client.waiting().waiting == 4
    relay.mend()
    assert client.flush().delivered == 4
    rows = cypher(
        "MATCH (r:Recall {tenant: $tenant}) RETURN r.id AS id, r.outcome AS outcome, size(r.vector) AS vector, "
        "COUNT { (r)-[:MISLED]->() } AS misled, COUNT { (r)-[:RETURNED {used: true}]->() } AS used", tenant=tenant,
    )  # fmt: skip
    found = {row.pop("id"): row for row in rows}
    assert found[answer.id] == {"outcome": "success", "vector": 384, "misled": 0, "used": 1}
    assert found[other.id] == {"outcome": "success", "vector": 384, "misled": 0, "used": 1}
    assert found[away.id]["outcome"] == "fail"
    assert client.feedback(answer, outcome="success", used=["e0001"]).queued is False


def test_feedback_on_a_receipt_waits_by_its_id(make: Callable[..., Memory], relay: Relay, cypher: Cypher) -> None:
    memory = make()
    memory.record(episode(0))
    receipt = memory.recall("north:1", receipt=True).id
    relay.cut()
    assert memory.feedback(receipt, outcome="fail", misled=["e0000"]).queued
    relay.mend()
    assert memory.flush().delivered == 1
    rows = cypher("MATCH (r:Recall {id: $id})-[:MISLED]->(m) RETURN r.outcome AS outcome, m.id AS id", id=receipt)
    assert rows == [{"outcome": "fail", "id": "e0000"}]


@pytest.mark.parametrize("what", ["record", "feedback"])
def test_a_lost_acknowledgement_doubles_nothing(
    make: Callable[..., Memory], relay: Relay, cypher: Cypher, tenant: str, what: str
) -> None:
    memory = make()
    memory.record(episode(0))
    answer = memory.recall("north:1")
    relay.lose_next_acknowledgement()
    if what == "record":
        told = memory.record({"task": "one without an id", "outcome": "success"})
        assert told.result is Result.QUEUED
        assert kept(cypher, tenant) == ["e0000", told.id]
    else:
        assert memory.feedback(answer, outcome="fail", misled=["e0000"]).queued
        assert len(cypher("MATCH (r:Recall {id: $id})-[:MISLED]->() RETURN r", id=answer.id)) == 1
    before = cypher("MATCH (m:Memory {tenant: $tenant}) RETURN properties(m) AS p ORDER BY m.id", tenant=tenant)
    relay.mend()
    done = memory.flush()
    assert (done.delivered, done.unchanged) == (1, 1 if what == "record" else 0)
    after = cypher("MATCH (m:Memory {tenant: $tenant}) RETURN properties(m) AS p ORDER BY m.id", tenant=tenant)
    for row in (*before, *after):
        row["p"].pop("updated_at")
    assert before == after


def test_what_is_refused_for_good_is_a_dead_letter_and_stops_nobody(
    client: Any, relay: Relay, cypher: Cypher, tenant: str
) -> None:
    client.record_many([episode(0), episode(1)])
    relay.cut()
    client.record(episode(2))
    client.record(episode(1, task="another content"))
    client.record(Reflection(id="r", insight="of nothing", sources=["nowhere"]))
    client.feedback("no-receipt", outcome="fail")
    client.record(episode(3))
    relay.mend()
    done = client.flush()
    assert (done.delivered, done.waiting, done.dead, done.problem) == (2, 0, 3, "")
    assert [(letter.verb, letter.id) for letter in done.letters] == [
        ("record", "e0001"), ("record", "r"), ("feedback", "no-receipt"),
    ]  # fmt: skip
    reasons = [letter.reason for letter in done.letters]
    for reason, part in zip(reasons, ("other content", "source that is not in this scope", "no receipt"), strict=True):
        assert part in reason
    assert kept(cypher, tenant) == ["e0000", "e0001", "e0002", "e0003"]
    assert client.waiting().dead == 3
    assert client.flush().delivered == 0  # the dead are left alone
    client.record(episode(9, id="nowhere"))
    retried = client.flush(retry_dead=True)
    assert (retried.delivered, retried.dead) == (1, 2)
    assert "r" in kept(cypher, tenant)
    dropped = client.flush(drop_dead=True)
    assert (dropped.dropped, dropped.dead, dropped.delivered) == (2, 0, 0)
    assert client.waiting().letters == ()


def test_what_goes_away_during_a_delivery_leaves_the_rest_in_order(
    make: Callable[..., Memory], relay: Relay, cypher: Cypher, tenant: str
) -> None:
    memory = make()
    memory.init()
    relay.cut()
    memory.record_many([episode(n) for n in range(600)])
    relay.mend()
    told: list[tuple[int, int]] = []

    def cut_after_the_first_batch(doing: str, done: int, whole: int) -> None:
        told.append((done, whole))
        relay.cut()

    broken = memory.flush(progress=cut_after_the_first_batch)
    assert (broken.delivered, broken.waiting, told) == (256, 344, [(256, 600)])
    assert f"127.0.0.1:{relay.port}" in broken.problem
    assert memory.record(episode(600)).result is Result.QUEUED
    relay.mend()
    assert memory.flush().delivered == 345
    assert kept(cypher, tenant) == [f"e{n:04}" for n in range(601)]


def test_a_batch_is_one_round_of_statements(make: Callable[..., Memory], relay: Relay) -> None:
    memory = make()
    memory.init()
    relay.cut()
    memory.record_many([episode(n) for n in range(500)])
    relay.mend()
    steps: list[str] = []
    answer = memory._answer

    def counted(step: Any) -> Any:
        steps.append(type(step).__name__)
        return answer(step)

    memory._answer = counted  # type: ignore[method-assign]  # counted, and then really answered
    assert memory.flush().delivered == 500
    assert steps.count("Write") == 2
    assert steps.count("Settle") == 2


def test_threads_that_share_a_client_deliver_and_record_each_once(
    make: Callable[..., Memory], relay: Relay, cypher: Cypher, tenant: str
) -> None:
    memory = make()
    memory.init()
    relay.cut()
    memory.record_many([episode(n) for n in range(40)])
    relay.mend()
    start = threading.Barrier(8)

    def work(thread: int) -> None:
        start.wait()
        for n in range(5):
            memory.record(episode(1000 + thread * 10 + n))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    memory.flush()
    found = kept(cypher, tenant)
    assert found[:40] == [f"e{n:04}" for n in range(40)]
    assert sorted(found[40:]) == [f"e{1000 + thread * 10 + n}" for thread in range(8) for n in range(5)]
    for thread in range(8):
        own = [id_ for id_ in found[40:] if int(id_[1:]) // 10 == 100 + thread]
        assert own == sorted(own)


def test_only_the_right_client_of_the_right_database_delivers(
    make: Callable[..., Memory], here: Settings, relay: Relay, cypher: Cypher, tenant: str
) -> None:
    mine, others = make(user="u7"), make(user="u8")
    shared = make()
    relay.cut()
    mine.record(episode(1))
    mine.record(episode(2), share=True)
    relay.mend()
    named = here.model_copy(update={"neo4j": here.neo4j.model_copy(update={"database": "neo4j"})})
    for client in (others, shared, make(user="u7", settings=named), make(tenant=f"{tenant}x", user="u7")):
        assert client.waiting().waiting == 0
        client.list()
        assert client.flush().delivered == 0
    assert kept(cypher, tenant) == []
    assert shared.waiting(everything=True).users == ("u7",)
    assert shared.flush(everything=True).delivered == 2
    rows = cypher("MATCH (m:Memory {tenant: $tenant}) RETURN m.id AS id, m.user AS user ORDER BY id", tenant=tenant)
    assert rows == [{"id": "e0001", "user": "u7"}, {"id": "e0002", "user": ""}]


def test_what_can_be_refused_without_the_store_is_not_kept(client: Any, relay: Relay) -> None:
    answer = client.recall("north:1")
    relay.cut()
    for call, error in (
        (lambda: client.record({"task": " "}), InvalidInput),
        (lambda: client.record(episode(1), share="yes"), InvalidInput),
        (lambda: client.feedback(answer, outcome="fail", used=["a"], misled=["a"]), InvalidInput),
        (lambda: client.feedback(answer.model_copy(update={"tenant": "x"}), outcome="fail"), ScopeError),
        (lambda: client.feedback(json.loads("{}"), outcome="fail"), InvalidInput),
    ):
        with pytest.raises(error):
            call()
    assert client.waiting().waiting == 0


def test_a_wrong_password_is_not_away(make: Callable[..., Memory], here: Settings, relay: Relay) -> None:
    away = make()
    wrong = here.model_copy(update={"neo4j": here.neo4j.model_copy(update={"user": f"nobody-{relay.port}"})})
    refused = make(settings=wrong)
    with pytest.raises(AccessDenied):
        refused.record(episode(1))
    assert away.waiting().waiting == 0
    relay.cut()
    away.record(episode(2))
    relay.mend()
    with pytest.raises(AccessDenied):
        refused.record(episode(3))
    with pytest.raises(AccessDenied):
        refused.flush()
    assert away.waiting().waiting == 1


def test_a_closed_client_keeps_nothing(make: Callable[..., Memory], relay: Relay) -> None:
    memory, other = make(), make()
    memory.close()
    with pytest.raises(StoreUnavailable, match="closed"):
        memory.record(episode(1))
    assert other.waiting().waiting == 0


def test_switched_off_nothing_is_kept_and_calls_deliver_nothing(
    make: Callable[..., Memory], here: Settings, relay: Relay, tmp_path: Path, cypher: Cypher, tenant: str
) -> None:
    off = make(settings=here.model_copy(update={"outbox": here.outbox.model_copy(update={"enabled": False})}))
    relay.cut()
    with pytest.raises(StoreUnavailable):
        off.record(episode(1))
    assert list(tmp_path.iterdir()) == []
    make().record(episode(2))
    relay.mend()
    assert off.record(episode(3)).result is Result.CREATED
    assert kept(cypher, tenant) == ["e0003"]
    assert off.flush().delivered == 1


def test_other_verbs_say_that_the_store_is_away_as_ever(client: Any, relay: Relay) -> None:
    client.record(episode(0))
    relay.cut()
    client.record(episode(1))
    for call in (client.list, lambda: client.get("e0000"), lambda: client.link("e0000", "e0001")):
        with pytest.raises(StoreUnavailable):
            call()
    assert client.recall("north:1").decision == "policy_only"
    assert client.waiting().waiting == 1


def test_an_embedder_of_the_kind_in_use_is_asked_at_delivery(
    make: Callable[..., Memory], relay: Relay, angles: Angles, cypher: Cypher, tenant: str
) -> None:
    memory = make()
    relay.cut()
    memory.record(episode(0))
    relay.mend()
    memory.flush()
    rows = cypher("MATCH (m:Memory {tenant: $tenant}) RETURN m.embedding_model AS model", tenant=tenant)
    assert rows == [{"model": angles.name}]
