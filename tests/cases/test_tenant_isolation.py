"""What is another's does not exist: not by erasing, not by metadata, not by nearness, not by a planted link."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from graphmem import AsyncMemory, Memory, Reflection, Request, Settings, Skill
from graphmem.embed import Embedder
from graphmem.erase import Erased
from graphmem.errors import InvalidInput, ScopeError
from tests.angles import Angles
from tests.conftest import Driven
from tests.memories import Clock, ids, ranked, won

Cypher = Callable[..., list[dict[str, Any]]]


@pytest.fixture(params=["sync", "async"])
def make(request: pytest.FixtureRequest, settings: Settings, embedder: Embedder, tenant: str) -> Iterator[Any]:
    """Clients at a fixed time, with cosines by hand; a suffix makes another tenant, other arguments are rules."""
    made: list[Any] = []

    def client(suffix: str = "", user: str | None = None, **rules: Any) -> Any:
        given = {
            "settings": settings.model_copy(update={"recall": settings.recall.model_copy(update=rules)}),
            "embedder": Angles(embedder.name),
            "clock": Clock(),
        }
        named = f"{tenant}{suffix}"
        sync = request.param == "sync"
        made.append(Memory(named, user, **given) if sync else Driven(AsyncMemory(named, user, **given)))
        return made[-1]

    yield client
    for one in made:
        one.close()


# GM-BUG-13
def test_erasing_one_tenant_leaves_the_others_as_they_were(make: Any, cypher: Cypher, settings: Settings) -> None:
    red, blue = make("-red"), make("-blue")
    for client, name in ((red, "r"), (blue, "b")):
        client.record_many([won("same", "pump north:0.9"), won(f"{name}2", f"lime {name} north:0.8")])
        client.record(won(f"{name}3", f"lamp {name} north:0.7"))
    look = "MATCH (n {tenant: $t}) RETURN properties(n) AS node, labels(n) AS labels ORDER BY node.id"
    blues = cypher(look, t=blue_of(blue))
    schema = cypher("SHOW CONSTRAINTS YIELD name, entityType, properties RETURN * ORDER BY name")
    assert red.erase(everything=True) == Erased(episodes=3)
    assert red.list() == ()
    assert cypher(look, t=blue_of(blue)) == blues
    assert cypher("SHOW CONSTRAINTS YIELD name, entityType, properties RETURN * ORDER BY name") == schema
    assert set(cypher("SHOW INDEXES YIELD state RETURN DISTINCT state")[0].values()) == {"ONLINE"}
    assert ids(blue.recall("pump north:1")) == ["same", "b2", "b3"]
    for kind in (Memory, AsyncMemory):
        for missing in ({}, {"tenant": None}, {"tenant": ""}):
            with pytest.raises(ScopeError):
                kind(**missing, settings=settings, embedder=Angles("x"))
    assert cypher(look, t=blue_of(blue)) == blues


def blue_of(client: Any) -> str:
    """The tenant of a client, as its nodes say."""
    return str(client.list(limit=1)[0].tenant)


# GM-BUG-14
def test_no_key_of_metadata_reaches_what_graphmem_keeps(make: Any, cypher: Cypher, tenant: str) -> None:
    red, blue = make("-red"), make("-blue")
    red.record(won("e", "pump north:0.9", metadata={"kept": 1}))
    look = "MATCH (m:Memory {tenant: $t}) RETURN properties(m) AS node, labels(m) AS labels"
    (before,) = cypher(look, t=f"{tenant}-red")
    given = {
        "tenant": "t-blue", "tenant_id": "t-blue", "id": "other", "embedding": [0], "labels": ["Skill"],
        "created_at": "1999-01-01", "colour": "green",
    }  # fmt: skip
    with pytest.raises(InvalidInput, match="created_at, embedding, id, labels, tenant, tenant_id"):
        red.update("e", metadata=given)
    own = before["node"].keys() - type(won("e")).model_fields.keys()
    assert {"scope", "recallable", "recall_key", "status", "user", "write_id", "text"} <= own
    for key in sorted(own):
        with pytest.raises(InvalidInput, match=key):
            red.update("e", metadata={key: "x", "colour": "red"})
    assert cypher(look, t=f"{tenant}-red") == [before]

    assert red.update("e", metadata={"colour": "green"}).memory.metadata == {"kept": 1, "colour": "green"}
    (after,) = cypher(look, t=f"{tenant}-red")
    changing = {"metadata", "content_hash", "updated_at"}
    assert {name for name, value in after["node"].items() if before["node"].get(name) != value} <= changing
    assert after["labels"] == before["labels"]
    red.record(won("f", "pump north:0.8", metadata={**dict.fromkeys(own, "x"), **given}))
    assert red.get("f").memory.metadata == {**dict.fromkeys(own, "x"), **given}
    assert red.get("f").tenant == f"{tenant}-red"
    assert ids(red.recall("pump north:1")) == ["e", "f"]
    assert blue.list() == ()
    assert ranked(blue.recall("pump north:1")) == []


def crowd(cypher: Cypher, owner: Any, count: int) -> None:
    """Copy a client's only memory, each as near to the north, each with a direction of its own."""
    (template,) = owner.list()
    cypher(
        "MATCH (t:Memory {tenant: $tenant, user: $user, id: $id}) UNWIND range(1, $count) AS n "
        "CREATE (m:Memory:Episode) SET m = t {.*, id: 'n' + n, content_hash: 'h' + n, "
        "embedding: [i IN range(0, 383) | CASE i WHEN 0 THEN 0.99 WHEN 3 + n % 381 THEN 0.141 ELSE 0.0 END]}",
        tenant=template.tenant, user=template.user, id=template.id, count=count,
    )  # fmt: skip


@pytest.mark.parametrize(("suffix", "user"), [("-large", None), ("", "bob")])
def test_five_memories_beside_five_thousand_nearer_ones_are_all_found(
    make: Any, cypher: Cypher, suffix: str, user: str | None
) -> None:
    small, large = make(user="ann"), make(suffix, user)
    large.record(won("n", "pump valve north:0.99"))
    crowd(cypher, large, 4999)
    small.record_many([won(f"s{n}", f"pump valve {n} north:0.{5 + n}") for n in range(4)])
    small.record(won("s4", "lamp"), share=True)
    try:
        assert ranked(large.recall("pump valve north:1"))
        wanted = ["s0", "s1", "s2", "s3", "s4"]
        assert sorted(ranked(small.recall("pump valve north:1", limit=5))) == wanted
        assert sorted(ranked(small.recall("north:1"))) == wanted
        assert sorted(ids(small.recall("pump valve north:1", limit=5))) == wanted[:4]
    finally:
        assert large.erase(everything=True).episodes == 5000
    assert len(small.list()) == 5


OWN: list[Any] = [
    won("seed", "pump north:0.9", domain="plant", tags=["wet"], techniques=["t"]),
    won("near", "valve north:0.8", domain="plant"),
    won("far", "lime east:0.9 north:0.2"),
    won("fail", "gasket north:0.7", outcome="fail", failure_reason="it was dry"),
    Reflection(id="lesson", insight="bolt north:0.6", sources=["seed"]),
    Skill(id="skill", name="wrench north:0.6", steps=["turn"], approved_by="ada", sources=["lesson"]),
]
QUESTIONS = (
    Request(text="pump north:1", limit=5),
    Request(text="valve north:0.9", limit=1),
    Request(text="gasket"),
    Request(text="east:1", kind="episode"),
    Request(text="pump north:1", domain="plant", tags=["wet"], techniques=["t"], context={"os": "linux"}),
)
RULES: tuple[dict[str, Any], ...] = ({}, {"vector_candidates": 1, "text_candidates": 1, "seeds": 10, "fanout": 3})
NEW_EACH_TIME = ("id", "trace_id", "context_hash", "milliseconds")
LINKS = (
    "RELATES {kind: 'similar', weight: 1.0",
    "RELATES {kind: 'duplicate', weight: 1.0",
    "DERIVES {at: $at",
    "GENERALIZES {at: $at",
    "CORRECTS {everywhere: true, contexts: [], receipts: [], reason: 'zebra', by: 'zebra', at: $at + duration('P1D')",
)


def told(clients: list[Any]) -> list[Any]:
    """All that these clients are told, but what is new each time."""
    answers: list[Any] = []
    for client in clients:
        found = client.recall_many(QUESTIONS)
        answers += [{k: v for k, v in json.loads(one.to_json()).items() if k not in NEW_EACH_TIME} for one in found]
        answers += [text for one in found for text in (one.as_prompt(), one.explain())]
        answers += [one.model_dump_json() for one in (*client.list(), client.get("seed"), client.get("skill"))]
        answers.append(client.report().model_dump_json(exclude={"at": True, "speed": True}))
        answers += [client.metrics().model_dump_json(), [one.model_dump_json() for one in client.parameters()]]
    return answers


def test_a_planted_foreign_link_leaks_nothing_on_any_path_in_any_field(make: Any, cypher: Cypher, tenant: str) -> None:
    owner, foreign = {"user": "ann"}, [make("-other"), make(user="bob")]
    ann = make(**owner)
    ann.record_many(OWN)
    ann.link("seed", "near")
    ann.link("near", "far", kind="causes")
    ann.correct(wrong="fail", right="near", reason="dry", context="gasket north:0.5")
    for n, client in enumerate(foreign):
        client.record_many([won(f"zebra{n}", f"zebra {n} north:0.95", domain="zebra", tags=["zebra"])])
        client.record(won(f"zebra{n}b", f"zebra {n} pump north:0.9", outcome="fail", failure_reason="zebra"))
        client.feedback(
            client.recall("zebra north:1"), outcome="fail", used=[f"zebra{n}"], misled=[f"zebra{n}b"], reason="zebra"
        )
    clients = [make(**owner, **rules) for rules in RULES]
    before = told(clients)
    assert {hit["id"] for one in before[:5] for hit in one["hits"]} >= {"seed", "near", "far", "lesson", "skill"}

    given = {"t": tenant, "at": ann.get("seed").created_at}
    pairs = (
        "MATCH (o:Memory {tenant: $t, user: 'ann'}) "
        "MATCH (f:Memory) WHERE f.tenant STARTS WITH $t AND f.id STARTS WITH 'zebra' "
    )
    for link in LINKS:
        for scope in ("", ", scope: f.scope", ", scope: o.scope"):
            cypher(f"{pairs} CREATE (o)-[:{link}{scope}}}]->(f) CREATE (f)-[:{link}{scope}}}]->(o)", **given)
        cypher(  # another's word on what is one's own
            f"{pairs} MATCH (p:Memory {{tenant: $t, user: 'ann'}}) WHERE p <> o "
            f"CREATE (o)-[:{link}, scope: f.scope}}]->(p)",
            **given,
        )
    cypher(
        "MATCH (o:Memory {tenant: $t, user: 'ann'}) SET o.corrected = true, o.twinned = true, o.misled = 9 "
        "WITH o MATCH (r:Recall)-[:RETURNED]->(f:Memory) WHERE r.tenant STARTS WITH $t AND f.id STARTS WITH 'zebra' "
        "WITH DISTINCT o, r CREATE (r)-[:MISLED {weight: 1.0, at: $at, reason: 'zebra'}]->(o) "
        "CREATE (r)-[:RETURNED {used: true, hit: true, rank: 1, relevant: true}]->(o)",
        **given,
    )
    cypher(
        "MATCH (f:Memory) WHERE f.tenant STARTS WITH $t AND f.id STARTS WITH 'zebra' "
        "WITH DISTINCT f.scope AS scope UNWIND ['', 'plant'] AS domain "
        "CREATE (:Parameters {scope: scope, tenant: $t + '-x', domain: domain, version: 1, active: true, "
        "threshold: 0.01, band: 0.0, agreement: 0.0, contrast: 0.0, reference: 0.0, by: 'zebra', "
        "embedding_model: 'bge-small-en-v1.5'})",
        **given,
    )
    after = told(clients)
    assert after == before
    assert "zebra" not in json.dumps(after)
    ann.feedback(ann.recall("pump north:1"), outcome="success", used=["seed"])
    assert (ann.get("seed").successes, ann.get("seed").failures) == (1, 0)
