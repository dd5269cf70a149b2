"""What our store promises beyond LangGraph's: review, scopes, versions, nothing private, no silent loss."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import neo4j
import pytest
from langgraph.store.base import InvalidNamespaceError, PutOp, SearchOp

from graphmem import AsyncMemory, Episode, Memory, Settings, Status
from graphmem.adapters.langgraph import GraphmemStore
from graphmem.embed import Embedder
from graphmem.errors import InvalidInput, NotFound, ScopeError, StoreError, StoreUnavailable
from graphmem.govern import Verdict, review
from graphmem.keyed import Get
from graphmem.keyed.place import slot
from graphmem.scope import Scope
from graphmem.settings import connection, load_settings
from graphmem.steps import Stage, Step, Write, run
from graphmem.store.catalogue import statement
from tests.embedders import HashEmbedder
from tests.memories import Clock

Connect = Callable[..., Memory]
TEXT = "descale the boiler of the espresso machine"
QUERY = "how do I descale my espresso machine?"


@pytest.fixture
def u7(connect: Connect) -> Memory:
    return connect(user="u7")


@pytest.fixture
def store(u7: Memory) -> GraphmemStore:
    return GraphmemStore(u7)


@pytest.fixture
def place(tenant: str) -> tuple[str, ...]:
    return (tenant, "u7", "notes")


def found(store: GraphmemStore, place: tuple[str, ...]) -> list[list[str]]:
    """What each way of searching finds: by a question, without one, by a filter."""
    ways: list[dict[str, Any]] = [{"query": QUERY}, {}, {"filter": {"text": TEXT}}, {"query": TEXT, "filter": {"n": 1}}]
    return [[item.key for item in store.search(place, **way)] for way in ways]


@pytest.mark.parametrize("outcome", [{}, {"outcome": "unknown"}, {"outcome": "shipped"}, {"outcome": None}])
def test_a_value_without_an_outcome_is_found_once_it_is_reviewed(
    store: GraphmemStore, u7: Memory, place: tuple[str, ...], outcome: dict[str, Any]
) -> None:
    value = {"text": TEXT, "n": 1, **outcome}
    store.put(place, "k", value)
    store.put(place, "control", {"text": TEXT, "n": 1, "outcome": "success"})
    assert found(store, place) == [["control"]] * 4
    assert [hit.memory.metadata["keyed"]["name"] for hit in u7.recall(QUERY).hits] == ["control"]
    got = store.get(place, "k")
    assert got is not None
    assert got.value == value
    assert store.list_namespaces() == [place]
    id_ = store.memory_id(place, "k")
    assert id_ is not None
    assert u7.get(id_).status is Status.AUDIT
    u7.review(id_, approve=True, by="ada", outcome="success")
    assert all({*keys} == {"k", "control"} for keys in found(store, place))
    reviewed = store.get(place, "k")
    assert reviewed == got, "a review changes neither the value nor its times"
    store.put(place, "k", value)
    assert store.memory_id(place, "k") == id_
    assert all({*keys} == {"k", "control"} for keys in found(store, place)), "the same value stays reviewed"


def test_what_a_person_rejects_is_not_found(store: GraphmemStore, u7: Memory, place: tuple[str, ...]) -> None:
    store.put(place, "k", {"text": TEXT, "n": 1, "outcome": "success"})
    u7.review(str(store.memory_id(place, "k")), approve=False, by="ada", reason="wrong")
    assert found(store, place) == [[]] * 4
    assert store.get(place, "k") is not None


def test_an_unreviewed_value_in_the_place_of_another_takes_it_out_of_use(
    store: GraphmemStore, u7: Memory, place: tuple[str, ...]
) -> None:
    store.put(place, "k", {"text": TEXT, "n": 1, "outcome": "success"})
    first = str(store.memory_id(place, "k"))
    store.put(place, "k", {"text": TEXT, "n": 1})
    assert found(store, place) == [[]] * 4
    assert u7.get(first).status is Status.SUPERSEDED
    assert u7.recall(QUERY).hits == ()
    second = str(store.memory_id(place, "k"))
    store.put(place, "k", {"text": TEXT, "n": 1, "more": True})
    assert u7.get(second).status is Status.RETIRED
    with pytest.raises(InvalidInput, match=f"whose newest one is {store.memory_id(place, 'k')}"):
        u7.review(first, approve=True, by="ada")
    with pytest.raises(InvalidInput, match=f"whose newest one is {store.memory_id(place, 'k')}"):
        u7.review(second, approve=True, by="ada", outcome="success")
    assert found(store, place) == [[]] * 4, "an older version is never the store's answer"
    assert u7.recall(QUERY).hits == ()
    assert u7.check() == ()


@pytest.mark.parametrize("new", [{}, {"outcome": "success"}])
@pytest.mark.parametrize("old", ["waits", "in use", "retired", "rejected", "quarantined"])
def test_no_review_brings_an_older_version_back(
    store: GraphmemStore, u7: Memory, place: tuple[str, ...], cypher: Any, tenant: str, old: str, new: dict[str, str]
) -> None:
    first = {"text": TEXT, "n": 1} | ({} if old == "waits" else {"outcome": "success"})
    store.put(place, "k", first)
    id_ = str(store.memory_id(place, "k"))
    if old == "retired":
        u7.retire(id_, by="ada")
    if old == "rejected":
        u7.review(id_, approve=False, by="ada")
    if old == "quarantined":
        cypher("MATCH (m:Memory {tenant: $t, id: $id}) SET m.status = 'quarantined'", t=tenant, id=id_)
    store.put(place, "k", {"text": TEXT, "n": 2, **new})
    newest = str(store.memory_id(place, "k"))
    for n in range(2):
        with pytest.raises(InvalidInput, match=f"whose newest one is {newest}"):
            u7.review(id_, approve=True, by="ada", outcome="success")
        u7.retire(id_, by="ada")
        if n and old != "waits":
            u7.review(id_, approve=False, by="ada")
    assert [one.id for one in u7.list(status="active")] == ([newest] if new else [])
    assert [hit.id for hit in u7.recall(QUERY).hits] == ([newest] if new else [])
    u7.review(newest, approve=True, by="ada", outcome="success")
    assert [hit.id for hit in u7.recall(QUERY, reviewed=True).hits] == [newest]
    assert u7.check() == ()


def test_a_put_between_the_look_and_the_write_of_a_review_wins(connect: Connect, place: tuple[str, ...]) -> None:
    memory = connect(user="u7")
    store = GraphmemStore(memory)
    store.put(place, "k", {"text": TEXT, "n": 1})
    id_ = str(store.memory_id(place, "k"))
    verdict = Verdict(id=id_, approve=True, by="ada", outcome="success")
    stage = review(verdict, memory.scope, memory.get(id_).created_at)
    step = next(stage)
    while not isinstance(step, Write):
        step = stage.send(memory._answer(step))
    store.put(place, "k", {"text": TEXT, "n": 2, "outcome": "success"})
    with pytest.raises(InvalidInput, match="whose newest one is"):
        run(going_on(step, stage), memory._answer)
    assert memory.get(id_).status is Status.RETIRED
    assert [one.memory.metadata["keyed"]["value"]["n"] for one in memory.list(status="active")] == [2]


def going_on(step: Step, stage: Stage[Any]) -> Stage[Any]:
    """The rest of a stage that has come to this step."""
    while True:
        step = stage.send((yield step))


def test_of_many_who_put_and_review_at_once_one_version_is_in_use(connect: Connect, place: tuple[str, ...]) -> None:
    memories = [connect(user="u7") for _ in range(4)]

    def work(number: int) -> None:
        memory, store = memories[number], GraphmemStore(memories[number])
        for turn in range(6):
            waits = turn % 2
            seen = store.memory_id(place, "k")
            store.put(place, "k", {"text": f"{TEXT} {number} {turn}", **({} if waits else {"outcome": "success"})})
            for id_ in {seen, store.memory_id(place, "k")} - {None}:
                with suppress(InvalidInput):
                    memory.review(str(id_), approve=True, by="ada", outcome="success")
            assert store.get(place, "k") is not None

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    store = GraphmemStore(memories[0])
    newest = store.memory_id(place, "k")
    assert len(memories[0].list(limit=100)) == 24
    assert {one.id for one in memories[0].list(limit=100, status="active")} <= {newest}
    memories[0].review(str(newest), approve=True, by="ada", outcome="success")
    assert [one.id for one in memories[0].list(limit=100, status="active")] == [newest]
    assert memories[0].check() == ()


WORDS = ("pump", "valve", "boiler", "turbine", "filter", "gasket", "tube", "motor", "sensor", "relay", "cable", "bolt")


@pytest.mark.parametrize("model", [True, False])
def test_pages_of_a_search_are_one_ranking(
    connect: Connect, place: tuple[str, ...], settings: Settings, model: bool
) -> None:
    wordy = settings.model_copy(update={"embedding": settings.embedding.model_copy(update={"model": "none"})})
    memory = connect(user="u7", embedder=HashEmbedder(name="bge-small-en-v1.5"))
    store = GraphmemStore(memory)
    said = [" ".join(four) for four in itertools.combinations(WORDS, 4)][:240]
    store.batch([PutOp(place, f"k{n}", {"text": text, "outcome": "success"}) for n, text in enumerate(said)])
    if not model:
        store = GraphmemStore(connect(user="u7", embedder=None, settings=wordy))
    for filtered in (None, {"outcome": "success"}):
        ask: dict[str, Any] = {"query": "pump valve boiler bolt", "filter": filtered}
        whole = store.search(place, limit=1000, **ask)
        assert len(whole) > 100
        if model:
            scores = [one.score or 0 for one in whole]
            assert len({*scores}) < len(scores), "some are equally near"
            assert scores == sorted(scores, reverse=True)
        for size in (7, 50):
            pages = [
                one
                for start in range(0, len(whole) + size, size)
                for one in store.search(place, limit=size, offset=start, **ask)
            ]
            assert [one.key for one in pages] == [one.key for one in whole]


def test_times_are_those_of_the_key_and_of_the_value(connect: Connect, place: tuple[str, ...]) -> None:
    clock = Clock()
    store = GraphmemStore(connect(user="u7", clock=clock))
    start = clock.now
    for minutes, value in ((0, {"n": 1}), (1, {"n": 2}), (2, {"n": 2}), (3, {"n": 3})):
        clock.now = start + timedelta(minutes=minutes)
        store.put(place, "k", {**value, "outcome": "success"})
        changed = minutes if minutes != 2 else 1
        item = store.get(place, "k")
        assert item is not None
        assert (item.created_at, item.updated_at) == (start, start + timedelta(minutes=changed))
    clock.now += timedelta(minutes=1)
    store.delete(place, "k")
    store.put(place, "k", {"n": 1, "outcome": "success"})
    item = store.get(place, "k")
    assert item is not None
    assert item.created_at == clock.now


def test_search_without_a_query_gives_what_was_put_last_first(connect: Connect, place: tuple[str, ...]) -> None:
    clock = Clock()
    store = GraphmemStore(connect(user="u7", clock=clock))
    for key in ("a", "b", "c", "a"):
        clock.now += timedelta(seconds=1)
        store.put(place, key, {"at": str(clock.now.second), "outcome": "success"})
    assert [item.key for item in store.search(place)] == ["a", "c", "b"]


def test_every_version_stays_until_the_value_is_deleted(
    store: GraphmemStore, u7: Memory, place: tuple[str, ...], cypher: Callable[..., Any], tenant: str
) -> None:
    ids = []
    for n in range(3):
        store.put(place, "k", {"text": f"{TEXT} {n}", "outcome": "success"})
        ids.append(str(store.memory_id(place, "k")))
    assert [u7.get(id_).memory.metadata["keyed"]["value"]["text"] for id_ in ids] == [f"{TEXT} {n}" for n in range(3)]
    assert [u7.get(id_).status for id_ in ids] == [Status.SUPERSEDED, Status.SUPERSEDED, Status.ACTIVE]
    assert "another value was put" in u7.history(ids[0]).model_dump_json()
    store.delete(place, "k")
    for id_ in ids:
        with pytest.raises(NotFound):
            u7.get(id_)
    left = cypher("MATCH (n) WHERE n.tenant = $t RETURN [k IN keys(n) | toString(n[k])] AS said", t=tenant)
    assert "descale" not in str(left)
    assert u7.check() == ()


OUTSIDE: list[tuple[str, ...]] = [(), ("{t}",), ("{t}", "u8"), ("other", "u7"), ("other",), ("{t}", "U7", "x"), ("u7",)]


@pytest.mark.parametrize("names", OUTSIDE)
def test_what_is_outside_the_scope_is_refused(
    store: GraphmemStore, place: tuple[str, ...], tenant: str, names: tuple[str, ...]
) -> None:
    there = tuple(name.format(t=tenant) for name in names)
    store.put(place, "k", {"outcome": "success"})
    calls: list[Callable[[], Any]] = [
        lambda: store.get(there, "k"),
        lambda: store.delete(there, "k"),
        lambda: store.search(there),
        lambda: store.search(there, query="anything"),
        lambda: store.batch([PutOp(place, "k", None), PutOp(there, "k", {"a": 1})]),
        lambda: store.batch([PutOp(place, "k", None), SearchOp(there)]),
    ]
    for call in calls:
        with pytest.raises(ScopeError, match="outside this client's scope"):
            call()
    assert store.get(place, "k") is not None, "nothing of a refused batch was written"
    with pytest.raises((ScopeError, InvalidNamespaceError)):
        store.put(there, "k", {"a": 1})


def test_scopes_are_apart_and_so_are_their_namespaces(connect: Connect, tenant: str) -> None:
    users = [None, "u7", "u8", "notes"]
    stores = {user: GraphmemStore(connect(user=user)) for user in users}
    other = GraphmemStore(connect(tenant=f"{tenant}-other"))
    roots = {user: (tenant, user) if user else (tenant, "notes") for user in users}
    for user, store in stores.items():
        store.put((*roots[user], "n"), "k", {"text": TEXT, "of": user, "outcome": "success"})
    other.put((f"{tenant}-other", "notes", "n"), "k", {"text": TEXT, "outcome": "success"})
    for user, store in stores.items():
        for way in ({}, {"query": QUERY}):
            assert [item.value["of"] for item in store.search(roots[user], **way)] == [user]
        item = store.get((*roots[user], "n"), "k")
        assert item is not None
        assert item.value["of"] == user
        assert store.list_namespaces() == store.list_namespaces(prefix=("*",)) == [(*roots[user], "n")]
        with pytest.raises(ScopeError, match="outside"):
            store.list_namespaces(prefix=(f"{tenant}-other",))
    stores["u7"].delete((tenant, "u7", "n"), "k")
    assert [len(store.search(roots[user])) for user, store in stores.items()] == [1, 0, 1, 1]


def test_the_tenants_own_words_may_have_periods(connect: Connect, tenant: str) -> None:
    names = [f"{tenant}.com", f"{tenant}%2Ecom", f"{tenant}%com"]
    for name in names:
        store = GraphmemStore(connect(tenant=name, user="a.b"))
        root = (name.replace("%", "%25").replace(".", "%2E"), "a%2Eb")
        store.put((*root, "n"), "k", {"of": name, "outcome": "success"})
        assert store.list_namespaces() == [(*root, "n")]
    with pytest.raises(ScopeError):
        GraphmemStore(connect(tenant=names[0], user="a.b")).get((f"{tenant}%252Ecom", "a%2Eb", "n"), "k")


def test_other_memories_of_the_scope_are_no_values(store: GraphmemStore, u7: Memory, place: tuple[str, ...]) -> None:
    u7.record(Episode(id="e1", task=TEXT, outcome="success"))
    u7.record(Episode(id="keyed-mine", task=TEXT, outcome="success"))
    assert store.search(place[:2]) == store.search(place[:2], query=QUERY) == store.list_namespaces() == []
    store.put(place, "k", {"text": TEXT, "outcome": "success"})
    assert [item.key for item in store.search(place[:2], query=QUERY)] == ["k"]
    assert store.memory_id(place, "k") in {hit.id for hit in u7.recall(QUERY).hits}


def test_nothing_private_gets_in(store: GraphmemStore, place: tuple[str, ...]) -> None:
    value = {"text": "write to ada@example.com", "password": "hunter2horse", "outcome": "success"}
    store.put(place, "k", value)
    first = store.memory_id(place, "k")
    item = store.get(place, "k")
    assert item is not None
    assert item.value == {"text": "write to [email]", "password": "[secret]", "outcome": "success"}
    store.put(place, "k", value)
    assert store.memory_id(place, "k") == first
    with pytest.raises(InvalidInput, match="namespace or the key"):
        store.put(place, "ada@example.com", {"a": 1})


def test_not_indexed_is_not_recalled_either(store: GraphmemStore, u7: Memory, place: tuple[str, ...]) -> None:
    store.put(place, "k", {"text": TEXT, "n": 1, "outcome": "success"}, index=False)
    assert found(store, place) == [[], ["k"], ["k"], []]
    assert u7.recall(QUERY).hits == ()


def test_not_indexed_is_what_secure_is_to_recall(store: GraphmemStore, u7: Memory, place: tuple[str, ...]) -> None:
    store.put(place, "k", {"text": TEXT, "outcome": "success"}, index=False)
    for question in ("not to be found", TEXT):
        assert store.search(place, query=question) == []
        assert u7.recall(question).hits == ()
    (hit,) = u7.recall("not to be found", include_secure=True).hits
    assert hit.id == store.memory_id(place, "k")
    (one,) = u7.list()
    assert one.memory.secure


HUGE = 10**400
NUMBERS = [
    ({"$gt": 1}, {"huge", "more"}),
    ({"$gt": HUGE}, {"more"}),
    ({"$gte": HUGE}, {"huge", "more"}),
    ({"$lt": HUGE}, {"low", "one", "half", "text"}),
    ({"$lte": -HUGE}, {"low"}),
    ({"$lt": 1}, {"low", "half"}),
    ({"$lte": "1"}, {"low", "half", "one", "text"}),
    ({"$gt": "1e308"}, {"huge", "more"}),
    ({"$lt": float("inf")}, {"low", "half", "one", "text", "huge", "more"}),
    ({"$eq": HUGE}, {"huge"}),
    ({"$ne": HUGE}, {"low", "half", "one", "text", "more", "none", "list"}),
    ({"$lt": "words"}, set()),
]


def test_numbers_of_any_size_are_compared(store: GraphmemStore, place: tuple[str, ...]) -> None:
    values: dict[str, Any] = {
        "low": -HUGE, "half": 0.5, "one": 1, "text": "1", "huge": HUGE, "more": HUGE + 1, "none": None, "list": [HUGE],
    }  # fmt: skip
    store.batch([PutOp(place, key, {"n": value, "outcome": "success"}) for key, value in values.items()])
    for asked, keys in NUMBERS:
        assert {one.key for one in store.search(place, filter={"n": asked}, limit=20)} == keys, asked
    assert {one.key for one in store.search(place, query="n", filter={"n": {"$gt": 1}})} <= {"huge", "more"}


def test_a_value_may_speak_as_an_episode_does(store: GraphmemStore, u7: Memory, place: tuple[str, ...]) -> None:
    said = {"task": TEXT, "outcome": "fail", "failure_reason": "no descaler", "domain": "kitchen", "cup": {"n": 2}}
    store.put(place, "k", said)
    kept = u7.recall(QUERY, domain="kitchen").hits[0].memory
    assert isinstance(kept, Episode)
    assert (kept.task, kept.outcome.value, kept.failure_reason) == (TEXT, "fail", "no descaler")
    assert "cup.n: 2" in kept.summary


BAD: list[Any] = [{"a": float("nan")}, {"a": object()}, {"a": {1, 2}}, {1: "a"}, {"a": "\ud800"}, [1], "text", 7]


@pytest.mark.parametrize("bad", BAD)
def test_what_json_cannot_hold_is_refused_before_anything_is_written(
    store: GraphmemStore, place: tuple[str, ...], bad: Any
) -> None:
    with pytest.raises(InvalidInput):
        store.batch([PutOp(place, "good", {"outcome": "success"}), PutOp(place, "k", bad)])
    assert store.search(place) == []


@pytest.mark.parametrize("bad", ["memory", None, object()])
def test_only_a_memory_makes_a_store(bad: Any) -> None:
    with pytest.raises(InvalidInput, match="Memory or an AsyncMemory"):
        GraphmemStore(bad)


def test_two_who_put_at_once_leave_one_value_and_both_versions(connect: Connect, place: tuple[str, ...]) -> None:
    stores = [GraphmemStore(connect(user="u7")) for _ in range(4)]

    def work(number: int) -> None:
        for turn in range(5):
            stores[number].put(place, "k", {"text": f"{TEXT} {number} {turn}", "outcome": "success"})
            seen = stores[number].get(place, "k")
            assert seen is not None, "there is always one"

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    memory = stores[0]._bridge.memory
    assert isinstance(memory, Memory)
    versions = memory.list(limit=100)
    said = {one.memory.metadata["keyed"]["value"]["text"] for one in versions}
    assert said == {f"{TEXT} {number} {turn}" for number, turn in itertools.product(range(4), range(5))}
    assert [one.status for one in versions].count(Status.ACTIVE) == 1
    assert len(stores[0].search(place)) == len(stores[0].search(place, query=QUERY)) == 1
    assert {one.created_at for one in stores[0].search(place)} == {stores[1].search(place)[0].created_at}
    assert memory.check() == ()


def test_a_put_and_a_delete_at_once_leave_all_or_nothing(connect: Connect, place: tuple[str, ...]) -> None:
    stores = [GraphmemStore(connect(user="u7")) for _ in range(3)]

    def work(number: int) -> None:
        for turn in range(4):
            if number:
                stores[number].put(place, "k", {"n": [number, turn], "outcome": "success"})
            else:
                stores[0].delete(place, "k")

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(work, range(3)))
    got = stores[0].get(place, "k")
    assert [item.value for item in stores[0].search(place)] == ([] if got is None else [got.value])


async def test_a_sync_call_inside_a_running_loop_ends(settings: Settings, embedder: Embedder, tenant: str) -> None:
    async with AsyncMemory(tenant, "u7", settings=settings, embedder=embedder) as memory:
        store = GraphmemStore(memory)
        store.put((tenant, "u7"), "k", {"outcome": "success"})
        items = await asyncio.gather(*(store.aget((tenant, "u7"), "k") for _ in range(8)))
        assert [item.value for item in items if item] == [{"outcome": "success"}] * 8
        assert store.get((tenant, "u7"), "k") == await store.aget((tenant, "u7"), "k")
        assert await store.amemory_id((tenant, "u7"), "k") == store.memory_id((tenant, "u7"), "k")


def test_a_store_that_is_away_is_an_error_and_never_an_empty_answer(tmp_path: Path, embedder: Embedder) -> None:
    away = load_settings(home=tmp_path, neo4j={"uri": "bolt://127.0.0.1:9", "timeout": 1})
    with Memory("acme", settings=away, embedder=embedder) as memory:
        store = GraphmemStore(memory)
        calls: list[Callable[[], Any]] = [
            lambda: store.get(("acme",), "k"),
            lambda: store.search(("acme",)),
            lambda: store.search(("acme",), query="x"),
            lambda: store.list_namespaces(),
            lambda: store.put(("acme",), "k", {"a": 1}),
            lambda: store.delete(("acme",), "k"),
        ]
        for call in calls:
            with pytest.raises(StoreUnavailable):
                call()


def test_a_damaged_value_is_told(store: GraphmemStore, u7: Memory, place: tuple[str, ...]) -> None:
    store.put(place, "k", {"outcome": "success"})
    u7.update(str(store.memory_id(place, "k")), metadata={"keyed": None})
    with pytest.raises(StoreError, match="damaged"):
        store.get(place, "k")


def test_an_import_brings_values_back(store: GraphmemStore, u7: Memory, place: tuple[str, ...], tmp_path: Path) -> None:
    for n in range(2):
        store.put(place, "k", {"text": TEXT, "n": n, "outcome": "success"})
    store.put(place, "waits", {"text": TEXT})
    before = store.get(place, "k")
    u7.export(tmp_path / "out.jsonl")
    u7.erase(everything=True)
    assert store.list_namespaces() == []
    u7.load(tmp_path / "out.jsonl")
    assert store.get(place, "k") == before
    assert [item.value["n"] for item in store.search(place)] == [1]
    assert [item.key for item in store.search(place, query=QUERY)] == ["k"]
    assert store.get(place, "waits") is not None
    assert store.list_namespaces() == [place]


def test_a_get_is_one_seek_whatever_the_scope_keeps(
    store: GraphmemStore, u7: Memory, place: tuple[str, ...], tenant: str
) -> None:
    store.put(place, "k", {"outcome": "success"})
    given = {"scope": Scope(tenant, "u7").own, "slots": [slot(place[2:], "k")]}
    alone = database_hits(u7, statement("keyed/newest").text, given)
    u7.record_many([Episode(task=f"task {n}", outcome="success") for n in range(60)])
    store.batch([PutOp(place, f"other {n}", {"outcome": "success"}) for n in range(60)])
    assert database_hits(u7, statement("keyed/newest").text, given) == alone
    assert u7.keyed([Get(namespace=place, key="k")])[0].items[0].value == {"outcome": "success"}


def database_hits(memory: Memory, text: str, given: dict[str, Any]) -> int:
    """How many hits on the database a statement takes."""
    at = connection(memory.settings)
    assert at.password is not None
    auth = (at.user, at.password.get_secret_value())
    opened = neo4j.GraphDatabase.driver(at.uri, auth=auth, notifications_min_severity="OFF")
    with opened as driver, driver.session() as session:
        summary = session.run(text.replace("CYPHER 25\n", "CYPHER 25 PROFILE\n"), given).consume()

    def hits(plan: dict[str, Any]) -> int:
        return int(plan.get("dbHits", 0)) + sum(map(hits, plan.get("children", ())))

    assert summary.profile is not None
    return hits(summary.profile)
