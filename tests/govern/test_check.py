"""Every rule: damage by raw Cypher is found, and a scope that was lived in is in order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from graphmem.errors import InvalidInput
from graphmem.govern.check import REMEDIES
from tests.govern.lived import live

Make = Callable[..., Any]
Cypher = Callable[..., list[dict[str, Any]]]
OTHER = "MATCH (o:Memory {tenant: $t, id: 'e1'}) "
DAMAGE: list[tuple[str, str, str, str]] = [
    ("recallable", "e1", "SET m.recallable = false", "recallable is false, status active"),
    ("recallable", "secret", "SET m.recallable = true, m.recall_key = m.scope", "secure true"),
    ("recallable", "open", "REMOVE m.recallable", "recallable is absent"),
    ("recall_key", "e1", "SET m.recall_key = ''", "recall_key is empty"),
    ("recall_key", "e1", "SET m.recall_key = 'sx'", "recall_key is another scope"),
    ("recall_key", "open", "SET m.recall_key = m.scope", "recall_key is set"),
    ("authority", "e1", "SET m.authority = 1", "authority is 1, review absent"),
    ("authority", "e1", "REMOVE m.authority", "authority is absent"),
    ("authority", "e1", "SET m.review = 'approved'", "authority is 0, review approved"),
    ("outcome", "open", "SET m.status = 'active', m.recallable = true, m.recall_key = m.scope", "outcome unknown"),
    ("outcome", "e1", "SET m.status = 'audit', m.recallable = false, m.recall_key = ''", "status is audit"),
    ("outcome", "e1", "REMOVE m.outcome, m.awaits", "outcome absent"),
    ("status", "r1", "SET m.status = 'lost', m.recallable = false, m.recall_key = ''", "status is lost"),
    ("awaits", "e1", "SET m.awaits = 'grouping'", "episode awaits grouping"),
    ("awaits", "s1", "SET m.awaits = 'reflection'", "skill awaits reflection"),
    ("awaits", "open", "SET m.awaits = 'reflection'", "outcome unknown"),
    ("awaits", "e1", "SET m.awaits = 'reflection', m.reflected_at = m.created_at", "and it was reflected"),
    ("awaits", "e1", "SET m.awaits = 'dead'", "without a problem"),
    ("vector", "e1", "SET m.embedding = [0.5, 0.5]", "has 2 numbers, not 384"),
    ("vector", "e1", "SET m.embedding = 'far'", "no list of floats"),
    ("vector", "e1", "SET m.embedding = [1, 2]", "no list of floats"),
    ("vector", "e1", "SET m.embedding_model = 'another'", "is of another"),
    ("expiry", "e1", "REMOVE m.expires_at", "expires_at is absent"),
    ("expiry", "e1", "SET m.expires_at = '9999'", "no time with a zone"),
    ("filters", "e1", "REMOVE m.toolchain", "toolchain"),
    ("filters", "e1", "SET m.domain = 7", "domain"),
    ("filters", "e1", "REMOVE m.happened_at", "happened_at"),
    ("filters", "r1", "REMOVE m.pinned", "pinned"),
    ("counters", "e1", "SET m.successes = 7", "are 7, 1, 0; its edges say 1, 1, 0"),
    ("counters", "e2", "SET m.misled = 0", "its edges say 0, 0, 1"),
    ("counters", "r1", "REMOVE m.failures", "absent"),
    ("counters", "r1", "CREATE (m)<-[:MISLED]-(:Recall {scope: m.scope, id: 'x', tenant: $t, user: ''})", "0, 0, 1"),
    ("labels", "e1", "SET m:Admin", "Admin"),
    ("labels", "e1", "SET m:Skill REMOVE m:Episode", "its kind episode"),
    ("labels", "e1", "CREATE (m)-[:LIKES]->(:Memory {tenant: $t, user: '', scope: m.scope})", "a link LIKES"),
    ("labels", "e1", "CREATE (m)-[:DERIVES]->(:Thing {tenant: $t})", "neither memory nor receipt"),
    ("labels", "e1", "MATCH (r:Recall {scope: m.scope}) WITH r LIMIT 1 SET r:Admin", "Admin"),
    ("labels", "e1", "CREATE (:Job:Admin {scope: m.scope, id: 'j', tenant: $t, user: ''})", "Admin"),
    ("kinds", "e1", "MATCH (o:Memory {tenant: $t, id: 's1'}) CREATE (m)-[:GENERALIZES]->(o)", "from episode to skill"),
    ("kinds", "r2", OTHER + "CREATE (m)-[:DERIVES]->(o)", "from reflection to episode"),
    ("kinds", "e1", "MATCH (r:Recall {scope: m.scope}) WITH m, r LIMIT 1 CREATE (m)-[:RETURNED]->(r)", "wrong end"),
    ("secure", "rs", "SET m.secure = false, m.recallable = true, m.recall_key = m.scope", "a source of it is secure"),
    ("source", "r2", "MATCH (m)<-[d:DERIVES]-() DELETE d", "names 1 sources and is linked to none"),
    ("reflected", "open", "SET m.outcome = 'fail', m.status = 'retired', m.reflected_at = m.created_at", "says why"),
    ("superseded", "s2", "SET m.status = 'superseded'", "no newer skill"),
    (
        "superseded", "s2",
        "MATCH (o:Memory {tenant: $t, id: 's1'}) SET m.status = 'superseded', m.family = 'g', o.family = 'g', "
        "m.corrected = true CREATE (m)<-[:CORRECTS {scope: m.scope, everywhere: true, contexts: [], receipts: []}]-(o)",
        "no newer skill",
    ),
    (
        "versions", "s1",
        "MATCH (o:Memory {tenant: $t, id: 's2'}) SET m.family = 'g', o.family = 'g', o.status = 'active', "
        "o.recallable = true, o.recall_key = o.scope",
        "version 1 is active beside a newer one",
    ),
    ("corrections", "lost", "MATCH (m)<-[c:CORRECTS]-() SET c.contexts = []", "no pairs"),
    ("corrections", "lost", "MATCH (m)<-[c:CORRECTS]-() SET c.contexts = [], c.receipts = []", "holds nowhere"),
    ("corrections", "e2", "MATCH (m)<-[c:CORRECTS]-() REMOVE c.everywhere", "holds nowhere"),
    ("corrections", "lost", "MATCH (m)<-[c:CORRECTS]-() SET c.contexts = ['a', 'a'], c.receipts = ['r', 'r']", "twice"),
    ("corrections", "lost", "SET m.corrected = false", "does not say that it is corrected"),
    ("labels", "e1", "MATCH (r:Rule {scope: m.scope}) WITH r LIMIT 1 SET r:Admin", "Admin"),
    ("owner", "e1", "MATCH (r:Rule {scope: m.scope, name: 'lamp'}) SET r.user = 'ann'", "2 versions of rules say"),
    ("owner", "e1", "MATCH (r:Rule {scope: m.scope, name: 'lamp'}) REMOVE r.scope", "it has no scope"),
    ("rules", "e1", "MATCH (r:Rule {scope: m.scope, name: 'valve'}) SET r.active = true", "1 is in force beside"),
    ("rules", "e1", "MATCH (r:Rule {scope: m.scope, name: 'lamp', version: 0}) SET r.active = true", "version 0 is in"),
    ("rules", "e1", "MATCH (r:Rule {scope: m.scope, name: 'lamp', version: 1}) SET r.active = true", "was withdrawn"),
    ("rules", "e1", "MATCH (r:Rule {scope: m.scope, name: 'lamp'}) REMOVE r.text, r.active", "type: text, active"),
    ("rules", "e1", "MATCH (r:Rule {scope: m.scope, name: 'lamp'}) SET r.conditions = [1]", "type: conditions"),
    ("unversioned", "e1", "MATCH (r:Rule {scope: m.scope, name: 'lamp', version: 1}) SET r.version = 'one'", "is none"),
    ("owner", "e1", "SET m.tenant = $t, m.user = 'ann'", "1 memories say that they are another's"),
    ("leak", "e1", "MATCH (o {id: 'theirs'}) CREATE (m)-[:RELATES {kind: 'similar', scope: m.scope}]->(o)", "another"),
    ("leak", "e1", "MATCH (o {id: 'theirs'}) CREATE (m)<-[:DERIVES]-(o)", "a link DERIVES joins it"),
    ("leak", "r1", "CREATE (m)<-[:RETURNED]-(:Recall {scope: $t, id: 'x', tenant: 'x', user: ''})", "a receipt of"),
    ("leak", "r1", OTHER + "CREATE (m)-[:RELATES {kind: 'similar'}]->(o)", "belongs to no scope"),
]  # fmt: skip


@pytest.fixture
def lived(make: Make, cypher: Cypher, tenant: str) -> Any:
    """A client of a scope that was lived in, beside another tenant's."""
    client = make()
    live(client)
    make(suffix="-other").record({"id": "theirs", "task": "pump north:0.9", "outcome": "success"})
    return client


@pytest.mark.parametrize("client", ["sync"], indirect=True)
@pytest.mark.parametrize(("rule", "id_", "text", "told"), DAMAGE, ids=[f"{n}-{row[0]}" for n, row in enumerate(DAMAGE)])
def test_damage_is_found(
    lived: Any, damage: Callable[..., None], tenant: str, rule: str, id_: str, text: str, told: str
) -> None:
    assert lived.check() == ()
    damage(id_, text.replace("{id: 'theirs'}", "{id: 'theirs', tenant: $t + '-other'}"))
    found = [one for one in lived.check() if one.rule == rule]
    assert [one for one in found if told in one.what], lived.check()
    assert {one.remedy for one in found} == {REMEDIES[rule]}
    assert not [one for one in lived.check() if "theirs" in one.what or f"{tenant}-other" in one.what]


def test_every_rule_is_damaged() -> None:
    assert {row[0] for row in DAMAGE} | {"narrow"} == set(REMEDIES)


def test_a_scope_that_was_lived_in_is_in_order(make: Make) -> None:
    shared, ann, bob = make(), make("ann"), make("bob")
    for client, name in ((shared, ""), (ann, "a"), (bob, "b")):
        live(client, name)
    ann.correct(wrong="e1", right="ae1", reason="mine is better")
    ann.link("e1", "lost", kind="contradicts")
    ann.record({"kind": "reflection", "id": "mixed", "insight": "pump north:0.4", "sources": ["e1"]}, share=True)
    shared.feedback(shared.recall("pump north:1"), outcome="fail", misled=["e1"])
    assert shared.check() == ann.check() == bob.check() == ()
    assert shared.check(everything=True) == ()


def test_everything_is_all_of_a_tenant_and_of_nobody_else(make: Make, cypher: Cypher, tenant: str) -> None:
    shared, ann, other = make(), make("ann"), make("ann", "-other")
    for client in (shared, ann, other):
        live(client)
        assert client.check() == ()
    for where in (tenant, f"{tenant}-other"):
        cypher("MATCH (m {tenant: $t, user: 'ann', id: 'e1'}) SET m.recall_key = ''", t=where)
    assert shared.check() == ()
    (found,) = shared.check(everything=True)
    assert (found.rule, found.user, found.id) == ("recall_key", "ann", "e1")
    assert [one.id for one in ann.check()] == ["e1"]
    with pytest.raises(InvalidInput, match="client of the tenant"):
        ann.check(everything=True)
    with pytest.raises(InvalidInput, match="everything"):
        shared.check(everything="yes")


def test_what_joins_two_users_or_widens_a_scope(make: Make, cypher: Cypher, tenant: str) -> None:
    shared, ann, bob = make(), make("ann"), make("bob")
    for client, name in ((shared, "s"), (ann, "a"), (bob, "b")):
        live(client, name)
    join = "MATCH (a {tenant: $t, id: $a}), (b {tenant: $t, id: $b}) "
    cypher(join + "CREATE (a)-[:DERIVES]->(b)", t=tenant, a="ae1", b="br1")
    assert [(one.rule, one.id) for one in ann.check()] == [("leak", "ae1")]
    assert [(one.rule, one.id) for one in bob.check()] == [("leak", "br1")]
    cypher(join + "CREATE (a)-[:DERIVES]->(b)", t=tenant, a="be1", b="sr1")
    assert [(one.rule, one.id) for one in shared.check()] == [("narrow", "sr1")]
    assert {one.rule for one in shared.check(everything=True)} == {"leak", "narrow"}


def test_a_rule_that_is_broken_often_is_told_often_enough(make: Make, cypher: Cypher, tenant: str) -> None:
    client = make()
    client.record_many([{"id": f"e{n}", "task": f"t {n}", "outcome": "success"} for n in range(1010)])
    cypher("MATCH (m:Memory {tenant: $t}) SET m.recall_key = 'x'", t=tenant)
    assert len(client.check()) == 1000
