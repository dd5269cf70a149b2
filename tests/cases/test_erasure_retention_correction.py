"""What has expired is nowhere, swept or not; the sweep is the same however often it runs."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest

from graphmem import Episode, Memory, Reflection, Settings, Skill
from graphmem.errors import NotFound
from graphmem.models import Step
from tests.angles import Angles
from tests.memories import NOW, Clock, ids, ranked, won

DAY = timedelta(days=1)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def make(settings: Settings, tenant: str, client: Any, clock: Clock) -> Iterator[Callable[..., Any]]:
    """Clients of both kinds on a clock that the test moves; retention settings may be given."""

    def made(**retention: Any) -> Any:
        inner = client if isinstance(client, Memory) else client.client
        chosen = settings.model_copy(update={"retention": settings.retention.model_copy(update=retention)})
        fresh = type(inner)(tenant, settings=chosen, embedder=Angles("bge-small-en-v1.5"), clock=clock)
        opened.append(fresh if isinstance(client, Memory) else type(client)(fresh))
        return opened[-1]

    opened: list[Any] = []
    yield made
    for one in opened:
        one.close()


@pytest.fixture
def aged(make: Callable[..., Any], clock: Clock) -> Any:
    """What lives for a day: one memory of two days ago and one of 23 hours ago, and what hangs on both."""
    client = make()
    for id_, age in (("old", 2 * DAY), ("young", timedelta(hours=23))):
        clock.now = NOW - age
        client.record(won(id_, f"pump north:0.{8 if id_ == 'old' else 9}", expires_at=clock.now + DAY, domain="plant"))
        if id_ == "old":
            client.record_many(
                [
                    Episode(id="wrong", task="pump north:0.7", outcome="fail"),
                    Reflection(id="lesson", insight="mind the pump north:0.6", sources=["old"]),
                    Skill(id="skill", name="pump north:0.5", steps=["a"], sources=["lesson"], approved_by="ada"),
                ]
            )
            client.correct(wrong="wrong", right="old", reason="r", context="lamp east:1")
            client.link("old", "lesson", kind="similar")
            client.feedback(client.recall("pump north:1"), outcome="success", used=["old"])
    clock.now = NOW
    return client


def _nowhere(client: Any) -> None:
    """Neither in an answer nor by way of a neighbour is the old one seen, and the young one is."""
    found = client.recall("pump north:1", limit=20)
    assert set(ids(found)) == {"young", "wrong", "lesson", "skill"}
    words = client.recall("pump", limit=20, domain="plant")
    assert set(ranked(words)) == {"young"}
    beside = client.recall("mind the pump north:0.6", kind="reflection")
    assert set(ranked(beside)) == {"lesson"}
    everything = [found, words, beside, *client.list(), client.metrics(), *client.reviews()]
    exported = io.BytesIO()
    client.export(exported)
    everything += [client.history(id_) for id_ in ("young", "wrong", "lesson", "skill")]
    said = [*(one.model_dump_json() for one in everything), exported.getvalue().decode()]
    said = [re.sub(r'"sources": ?\["old"\]', "", text) for text in said]  # the caller's own words stay
    assert not [text for text in said if '"old"' in text or "north:0.8" in text]
    assert {one.id for one in client.list()} == {"young", "wrong", "lesson", "skill"}


def test_expired_is_nowhere_swept_or_not_and_the_sweep_is_idempotent(
    aged: Any, cypher: Callable[..., list[dict[str, Any]]], tenant: str
) -> None:
    for verb in (aged.get, aged.history, aged.pin, aged.retire):
        with pytest.raises(NotFound, match="expired"):
            verb("old")
    with pytest.raises(NotFound):
        aged.correct(wrong="young", right="old", reason="r")
    with pytest.raises(NotFound):
        aged.record(Reflection(id="r", insight="i", sources=["old"]))
    _nowhere(aged)
    told = aged.retention()
    assert (told.expired, told.applied) == (1, False)
    assert aged.retention(apply=True).expired == 1
    with pytest.raises(NotFound, match="no memory old"):
        aged.get("old")
    _nowhere(aged)
    again = aged.retention(apply=True)
    assert (again.expired, again.receipts, again.superseded, again.faded, again.excess) == (0, 0, 0, 0, 0)
    assert cypher("MATCH (m {tenant: $t, id: 'old'}) RETURN m", t=tenant) == []
    dangling = "MATCH (m {tenant: $t})-[e]-(n) WHERE n.id IS NULL OR n.id = 'old' RETURN e"
    assert cypher(dangling, t=tenant) == []
    assert aged.check() == ()


def test_moving_the_end_counts_at_once_and_a_setting_from_the_next_run_on(
    aged: Any, make: Callable[..., Any], clock: Clock
) -> None:
    aged.update("young", expires_at=NOW - timedelta(seconds=1))
    with pytest.raises(NotFound, match="expired"):
        aged.get("young")
    assert aged.retention(apply=True).expired == 2
    aged.record_many([won("ancient", "pump north:0.9", occurred_at=NOW - 300 * DAY), won("new", "pump north:0.8")])
    assert aged.retention(apply=True).faded == 0
    strict = make(least=0.5)
    assert [one.id for one in strict.retention().least] == ["ancient"]
    assert strict.retention(apply=True).faded == 1
    assert "ancient" not in ids(aged.recall("pump north:1", limit=20))
    assert strict.retention(apply=True).faded == 0


# GM-BUG-33, consolidation
ACTIONS = ("close the inlet valve", "drain the boiler", "dissolve the scale with citric acid", "rinse the boiler")


def _descaled(number: int, **fields: Any) -> Episode:
    """One of several attempts that went the same way, each at a task of its own."""
    steps = [Step(action=action) for action in (*ACTIONS[:2], f"note the number {number} on the sheet", *ACTIONS[2:])]
    given = {"domain": "plant", "task_type": "descaling", "trace_id": f"trace-{number}", "trajectory": steps}
    return won(f"boiler-{number}", f"Descale the boiler of house {number}", **given, **fields)


@pytest.fixture
def all_of(cypher: Callable[..., list[dict[str, Any]]], tenant: str) -> Callable[..., list[dict[str, Any]]]:
    """Memories and their links as the graph keeps them, those of the given ids or all."""

    def found(*only: str) -> list[dict[str, Any]]:
        return cypher(
            "MATCH (m:Memory {tenant: $t}) WHERE size($only) = 0 OR m.id IN $only OPTIONAL MATCH (m)-[e]-(o:Memory) "
            "WITH m, e, o ORDER BY type(e), o.id "
            "RETURN m {.*, embedding: null} AS node, collect([type(e), properties(e), o.id]) AS edges ORDER BY node.id",
            t=tenant,
            only=list(only),
        )

    return found


def test_what_has_expired_teaches_nothing(
    connect: Callable[..., Memory], clock: Clock, all_of: Callable[..., list[dict[str, Any]]]
) -> None:
    memory = connect(clock=clock)
    soon = {"expires_at": NOW + DAY}
    memory.record_many([_descaled(n, **soon) for n in range(3)])
    lessons = [Reflection(id=f"said-{n}", insight="Rinse the boiler until it is clear", **soon) for n in range(3)]
    memory.record_many(lessons)
    before = all_of()
    clock.now = NOW + 2 * DAY
    told = memory.consolidate(dry_run=True)
    assert (told.episodes, told.drafts, told.queue.waiting, told.queue.grouping) == (0, (), 0, 0)
    done = memory.consolidate()
    assert (done.episodes, done.lessons, done.grouped, done.skills, done.decided) == (0, 0, 0, 0, ())
    assert all_of() == before, "neither claimed, nor counted, nor linked"
    memory.record_many([_descaled(n) for n in (3, 4)])
    told = memory.consolidate(dry_run=True)
    assert {id_ for draft in told.drafts for id_ in draft.sources} == {"boiler-3", "boiler-4"}
    assert memory.consolidate().episodes == 2
    (skill,) = [one["node"] for one in all_of() if one["node"]["kind"] == "skill"]
    assert (skill["status"], skill["support"]) == ("candidate", 2), "with the expired ones it would be proven"
    expired = [one["node"]["id"] for one in before]
    assert all_of(*expired) == before


def test_lessons_that_expire_join_no_group_and_no_skill(
    connect: Callable[..., Memory], clock: Clock, all_of: Callable[..., list[dict[str, Any]]]
) -> None:
    memory = connect(clock=clock)
    memory.record_many([_descaled(n) for n in range(3)])
    assert memory.consolidate().skills == 1
    learnt = [one["node"] for one in all_of() if one["node"]["kind"] != "episode"]
    clock.now = NOW + DAY
    for node in learnt:
        memory.update(node["id"], expires_at=clock.now)
    gone = [node["id"] for node in learnt]
    before = all_of(*gone)
    memory.record_many([_descaled(n) for n in (3, 4)])
    done = memory.consolidate()
    assert (done.episodes, done.skills) == (2, 1)
    assert all_of(*gone) == before, "nothing new hangs on them"
    after = [one["node"] for one in all_of() if one["node"]["kind"] != "episode" and one["node"]["id"] not in gone]
    assert {node["group"] for node in after if node["kind"] == "reflection"} & set(gone) == set()
    (skill,) = [node for node in after if node["kind"] == "skill"]
    assert (skill["status"], skill["support"]) == ("candidate", 2)


def test_evidence_that_expires_counts_no_more(
    connect: Callable[..., Memory], clock: Clock, all_of: Callable[..., list[dict[str, Any]]]
) -> None:
    memory = connect(clock=clock)
    memory.record_many([_descaled(0), *(_descaled(n, expires_at=NOW + DAY) for n in (1, 2))])
    supports = []
    for clock.now in (NOW, NOW + 2 * DAY):
        memory.consolidate()
        supports += [one["node"]["support"] for one in all_of() if one["node"]["kind"] == "skill"]
    assert supports == [3, 1]


# GM-BUG-32
def _hanging(client: Any) -> None:
    """Two episodes, what was learnt of one and of both, a skill of the one lesson, and a correction on the first."""
    client.record_many(
        [
            won("e1", "Polish the brass trombone north:0.9"),
            won("e2", "Oil the valves north:0.8"),
            Reflection(id="r1", insight="a soft cloth spares the lacquer north:0.7", sources=["e1"]),
            Reflection(id="r2", insight="oil the valves weekly north:0.6", sources=["e1", "e2"]),
            Skill(id="s1", name="care for the lacquer north:0.5", steps=["wipe"], sources=["r1"], approved_by="ada"),
            won("better", "Rinse it north:0.8"),
        ]
    )
    client.correct(wrong="e1", right="better", reason="water is enough", context="a trombone north:0.9")
    client.feedback(client.recall("north:1", limit=9), outcome="success", used=["e2", "s1"])


@pytest.mark.parametrize("unlinked", [False, True], ids=["linked", "link taken away"])
def test_no_orphan_of_an_erased_episode_is_left(
    make: Callable[..., Any], cypher: Callable[..., list[dict[str, Any]]], tenant: str, unlinked: bool
) -> None:
    client = make()
    _hanging(client)
    if unlinked:
        cypher("MATCH ({tenant: $t, id: 'e1'})-[d:DERIVES]->({id: 'r1'}) DELETE d", t=tenant)
    done = client.erase(id="e1")
    told = (done.episodes, done.reflections, done.skills, done.receipts, done.awaiting)
    assert told == (1, 1, 1, 2, 0)
    assert done.links == 4 - unlinked  # r1 - s1, e1 - r1, e1 - r2, better - e1
    assert {one.id for one in client.list()} == {"e2", "r2", "better"}
    assert client.get("r2").memory.sources == ("e2",)
    assert [link.id for link in client.history("r2").sources] == ["e2"]
    rows = cypher(
        "MATCH (n {tenant: $t}) OPTIONAL MATCH (n)-[e]-() WITH n, collect(properties(e)) AS edges "
        "RETURN properties(n) AS node, edges",
        t=tenant,
    )
    said = repr([{**row["node"], "embedding": None, "vector": None} | {"edges": row["edges"]} for row in rows])
    assert not [word for word in ("'e1'", "r1", "s1'", "trombone", "lacquer", "brass") if word in said]
    for words in ("trombone", "brass", "lacquer cloth"):
        assert not [one for one in client.recall(words).candidates if one.components.lexical > 0]
        found = "CALL db.index.fulltext.queryNodes('memory_text', $q) YIELD node WHERE node.tenant = $t RETURN node.id"
        assert cypher(found, q=words, t=tenant) == []
    assert client.check(everything=True) == ()
    for verb in (lambda: client.erase(id="e1"), lambda: client.get("e1"), lambda: client.history("s1")):
        with pytest.raises(NotFound, match="no memory"):
            verb()
