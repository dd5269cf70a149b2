"""Scopes on the real server: what is another's does not exist, by no verb and no path."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from graphmem import AsyncMemory, Memory, Recall, Reflection, Settings
from graphmem.embed import Embedder
from graphmem.errors import GraphmemError, NotFound, ScopeError
from tests.angles import Angles
from tests.memories import ranked, won

Cypher = Callable[..., list[dict[str, Any]]]


def everything(recall: Recall) -> list[str]:
    """The ids of all candidates, in no order but their own."""
    return sorted(ranked(recall))


@pytest.fixture
def make(connect: Callable[..., Memory], embedder: Embedder, settings: Settings, tenant: str) -> Callable[..., Memory]:
    """Clients with cosines by hand; a suffix makes another tenant of this test's own."""

    def made(user: str | None = None, suffix: str = "", **rules: Any) -> Memory:
        chosen = settings.model_copy(update={"recall": settings.recall.model_copy(update=rules)})
        return connect(tenant=tenant + suffix, embedder=Angles(embedder.name), user=user, settings=chosen)

    return made


def test_a_client_sees_what_is_shared_and_its_users_own(make: Callable[..., Memory]) -> None:
    shared, ann, bob, other = make(), make("ann"), make("bob"), make(suffix="-other")
    for client, id_ in ((shared, "s"), (ann, "a"), (bob, "b"), (other, "o")):
        client.record(won(id_, "pump north:0.9", tags=[id_]))
    ann.record(won("gift", "pump north:0.9"), share=True)
    seen = {shared: ["gift", "s"], ann: ["a", "gift", "s"], bob: ["b", "gift", "s"], other: ["o"]}
    for client, expected in seen.items():
        assert everything(client.recall("pump north:1")) == expected
        assert everything(client.recall("pump")) == expected
        assert sorted(found.id for found in client.list()) == expected
    owners = {found.id: (found.tenant, found.user) for found in ann.list()}
    assert {id_: user for id_, (_, user) in owners.items()} == {"a": "ann", "gift": "", "s": ""}


def test_names_that_look_alike_are_different_scopes(make: Callable[..., Memory]) -> None:
    pairs = [("", "ab"), ("-a", "b"), ("-a", None), ("", "-a"), ("", "a"), ("", "A"), (":a", "b")]
    clients = [make(user, suffix) for suffix, user in pairs]
    for n, client in enumerate(clients):
        client.record(won(f"e{n}", "pump north:0.9", tags=[f"t{n}"]))
    for n, (client, (suffix, user)) in enumerate(zip(clients, pairs, strict=True)):
        shared = {f"e{m}" for m, pair in enumerate(pairs) if pair == (suffix, None)} if user else set()
        assert everything(client.recall("pump north:1")) == sorted({f"e{n}"} | shared)


def test_one_id_may_exist_in_every_scope_and_ones_own_comes_first(make: Callable[..., Memory]) -> None:
    shared, ann, other = make(), make("ann"), make(suffix="-other")
    for client, text in ((shared, "shared pump"), (ann, "own pump"), (other, "foreign pump")):
        assert client.record(won("same", text)).result == "created"
    assert ann.get("same").memory.label() == "own pump"
    assert shared.get("same").memory.label() == "shared pump"
    ann.update("same", tags=["mine"])
    assert shared.get("same").memory.tags == ()
    assert other.get("same").memory.tags == ()


VERBS: dict[str, Callable[[Memory, str], object]] = {
    "get": lambda client, id_: client.get(id_),
    "update": lambda client, id_: client.update(id_, tags=["x"], metadata={"y": 1}),
    "link from": lambda client, id_: client.link(id_, "mine"),
    "link to": lambda client, id_: client.link("mine", id_),
    "correct wrong": lambda client, id_: client.correct(wrong=id_, right="mine", reason="r"),
    "correct right": lambda client, id_: client.correct(wrong="mine", right=id_, reason="r", context="c"),
    "used": lambda client, id_: client.feedback(client.recall("pump north:1"), outcome="fail", used=[id_]),
    "misled": lambda client, id_: client.feedback(client.recall("pump north:1"), outcome="fail", misled=[id_]),
    "receipt": lambda client, id_: client.feedback(f"r-{id_}", outcome="fail"),
    "source": lambda client, id_: client.record(Reflection(id="r", insight="pump north:0.9", sources=[id_])),
}


@pytest.mark.parametrize("verb", VERBS)
def test_anothers_id_is_answered_like_one_that_nobody_has(
    make: Callable[..., Memory], cypher: Cypher, tenant: str, verb: str
) -> None:
    ann, bob, other = make("ann"), make("bob"), make(suffix="-other")
    ann.record(won("mine", "pump north:0.9"))
    for owner, id_ in ((bob, "bobs"), (other, "others")):
        owner.record(won(id_, "pump north:0.9"))
        receipt = owner.recall("pump north:1", receipt=True)
        cypher("MATCH (r:Recall {id: $id}) SET r.id = $new", id=receipt.id, new=f"r-{id_}")
    look = (
        "MATCH (m:Memory) WHERE m.tenant STARTS WITH $t RETURN m.id AS id, m {.*, embedding: null} AS m, "
        "COUNT { (m)--() } AS edges ORDER BY m.scope, m.id"
    )
    before = cypher(look, t=tenant)
    told = {}
    for id_ in ("bobs", "others", "nobodys"):
        with pytest.raises(NotFound) as caught:
            VERBS[verb](ann, id_)
        told[id_] = str(caught.value).replace(id_, "<id>")
    assert len(set(told.values())) == 1
    assert cypher(look, t=tenant) == before


def test_edges_planted_across_scopes_leak_nothing(make: Callable[..., Memory], cypher: Cypher, tenant: str) -> None:
    ann, bob = make("ann", vector_candidates=1, text_candidates=1), make("bob")
    others = make(suffix="-other")
    ann.record_many([won("seed", "pump north:0.95"), won("beyond", "lime north:0.7")])
    bob.record(won("bobs", "lamp north:0.9"))
    others.record(won("others", "lamp north:0.9"))
    quiet = ann.recall("pump north:1", limit=1)
    bobs = bob.recall("lamp north:1", receipt=True)
    foreign = others.recall("lamp north:1", receipt=True)
    cypher(
        "MATCH (s:Memory {tenant: $t, id: 'seed'}), (y:Memory {tenant: $t, id: 'beyond'}) "
        "MATCH (f:Memory) WHERE f.tenant STARTS WITH $t AND f.id IN ['bobs', 'others'] "
        "MATCH (r:Recall) WHERE r.id IN $receipts "
        "MERGE (s)-[:RELATES {kind: 'similar', weight: 1.0}]->(f) MERGE (f)-[:RELATES {kind: 'similar'}]->(y) "
        "MERGE (f)-[c:CORRECTS]->(s) SET c.everywhere = true, c.contexts = [], s.corrected = true, s.misled = 2 "
        "MERGE (r)-[x:MISLED]->(s) SET x.weight = 1.0, x.at = datetime() "
        "MERGE (r)-[u:RETURNED]->(s) SET u.used = true, r.outcome = 'fail'",
        t=tenant,
        receipts=[bobs.id, foreign.id],
    )
    recall = ann.recall("pump north:1", limit=1)
    assert everything(recall) == everything(quiet) == ["seed"]
    assert recall.candidates[0].components.false_hit == 0
    assert recall.candidates[0].replaces is None
    assert recall.hits[0].relevance == pytest.approx(0.95)
    ann.feedback(recall, outcome="success", used=["seed"])
    assert (ann.get("seed").successes, ann.get("seed").failures) == (1, 0)


def test_anothers_links_on_a_shared_hub_neither_hide_ones_own_nor_show(make: Callable[..., Memory]) -> None:
    shared, ann, bob = make(), make("ann"), make("bob", vector_candidates=1, text_candidates=1, fanout=3)
    shared.record(won("hub", "pump north:0.95"))
    bob.record(won("bobs", "lamp north:0.8"))
    bob.link("hub", "bobs")
    ann.record_many([won(f"a{n}", f"lime {n}") for n in range(9)])
    for n in range(9):
        ann.link("hub", f"a{n}")
    recall = bob.recall("pump north:1", limit=1)
    assert everything(recall) == ["bobs", "hub"]
    assert not recall.cut


def test_a_small_scope_beside_a_large_nearer_one_gets_all_of_its_own(make: Callable[..., Memory]) -> None:
    small, ann, large = make(), make("ann"), make(suffix="-large")
    large.record_many([won(f"n{n}", f"pump {n} north:0.99") for n in range(2000)])
    small.record_many([won(f"s{n}", f"pump {n} north:0.{6 + n}") for n in range(4)])
    ann.record(won("own", "pump north:0.6"))
    assert everything(ann.recall("pump north:1")) == ["own", "s0", "s1", "s2", "s3"]
    assert everything(small.recall("north:1")) == ["s0", "s1", "s2", "s3"]


UNUSABLE: list[Any] = ["", " ", "a ", "a\nb", "a\x00", "\ud800", "x" * 201, 7, b"acme", ["acme"], True]


@pytest.mark.parametrize("client", [Memory, AsyncMemory])
def test_a_missing_or_unusable_tenant_or_user_is_refused(
    client: Any, settings: Settings, embedder: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = {"settings": settings, "embedder": embedder}
    for missing in ({}, {"tenant": None}, {"user": "ann"}):
        with pytest.raises(ScopeError, match="GRAPHMEM_TENANT"):
            client(**missing, **given)
    for name in UNUSABLE:
        with pytest.raises(ScopeError, match="tenant"):
            client(name, **given)
        with pytest.raises(ScopeError, match="user"):
            client("acme", name, **given)
        if isinstance(name, str):
            with pytest.raises(GraphmemError, match="tenant"):
                client(**given | {"settings": settings.model_copy(update={"tenant": name})})


@pytest.mark.parametrize("name", ["TENANT", "USER"])
def test_an_empty_scope_from_the_environment_is_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHMEM_TENANT", "acme")
    monkeypatch.setenv(f"GRAPHMEM_{name}", "")
    with pytest.raises(ScopeError):
        Memory()


def test_system_fields_are_out_of_reach_of_metadata(make: Callable[..., Memory]) -> None:
    red, blue = make(), make(suffix="-blue")
    taken: dict[str, Any] = {
        "tenant": "t-blue",
        "scope": "s",
        "id": "other",
        "user": "u",
        "recallable": True,
        "created_at": "1999-01-01",
    }
    red.record(won("e", "pump north:0.9", metadata={**taken, "colour": "red"}))
    assert red.get("e").memory.metadata == {**taken, "colour": "red"}
    for key, value in taken.items():
        with pytest.raises(GraphmemError, match=key):
            red.update("e", metadata={key: value, "colour": "black"})
    assert red.update("e", metadata={"colour": "green"}).memory.metadata == {**taken, "colour": "green"}
    assert everything(red.recall("pump north:1")) == ["e"]
    assert blue.list() == ()
