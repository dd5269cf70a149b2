"""What the job writes, on graphs whose numbers are known by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from graphmem import Memory, Reflection, Settings, Skill
from graphmem.jobs import CentralityJob, centrality
from graphmem.policies import CentralitySettings
from graphmem.scope import Scope
from tests.memories import NOW, Clock, won

Connect = Callable[..., Memory]
Cypher = Callable[..., list[dict[str, Any]]]
Job = Callable[..., CentralityJob]
Values = Callable[..., dict[str, tuple[float, float, float] | None]]
NONE = (0.0, 0.0, 0.0)


def recorded(memory: Memory, *ids: str, links: str = "") -> None:
    """Memories, and links between them: "a-b b-c"."""
    memory.record_many([won(id_, f"{id_} north:0.8") for id_ in ids])
    for link in links.split():
        memory.link(*link.split("-"))


def test_a_star_has_its_centre_in_the_middle(make: Connect, job: Job, values: Values) -> None:
    recorded(make(), *"cabd", "lonely", links="c-a c-b c-d")
    done = job()
    # Degree 3, 1, 1, 1, 0; the three pairs of leaves all go through c.
    leaf = (1 / 3, 0.0, 1 / 6)
    assert values() == {"c": (1, 1, 1), **dict.fromkeys("abd", pytest.approx(leaf)), "lonely": NONE}
    assert (done.state, done.nodes, done.edges, done.written, done.samples) == ("done", 5, 3, 5, 0)


def test_a_path_is_most_central_in_its_middle(make: Connect, job: Job, values: Values) -> None:
    memory = make()
    memory.record_many([won("a", "north:0.8"), won("b", "b north:0.8")])
    memory.record(Reflection(id="c", insight="c north:0.8", sources=["b"]))
    memory.record(Skill(id="d", name="d", steps=["d"], sources=["c"], approved_by="ada"))
    memory.record(won("e", "e north:0.8"))
    memory.link("a", "b")
    memory.correct(wrong="d", right="e", reason="outdated")
    # a-b-c-d-e by a similarity of weight 0.5, a derivation and a generalisation of 1, a correction of 0.5:
    # degree 0.5 1.5 2 1.5 0.5; betweenness, which counts the links of a path, 0 3 4 3 0.
    job()
    end, next_to_it = (0.25, 0, 0.125), (0.75, 0.75, 0.75)
    assert values() == {"a": end, "b": next_to_it, "c": (1, 1, 1), "d": next_to_it, "e": end}


def weighed(settings: Settings, **weights: float) -> Settings:
    """These settings, with weights by the kinds of links."""
    return settings.model_copy(update={"centrality": CentralitySettings(**weights)})


def test_the_weights_are_settings_and_two_memories_are_linked_by_the_greatest(
    make: Connect, settings: Settings, tenant: str, values: Values
) -> None:
    memory = make()
    memory.record_many([won("a", "north:0.8"), won("b", "b north:0.8"), won("d", "d north:0.8")])
    memory.record(Reflection(id="c", insight="c north:0.8", sources=["b"]))
    memory.link("a", "b")
    memory.link("c", "b", kind="contradicts")
    memory.correct(wrong="d", right="c", reason="outdated")
    given = weighed(settings, derives=2, relates=0.5, corrects=0)
    done = centrality(given, Scope(tenant), clock=Clock())
    # a-b by 0.5, b-c by 2 and not by 0.5 or 2.5; what weighs nothing is no link, so d is alone.
    assert (done.nodes, done.edges) == (4, 2)
    assert values() == {
        "a": (0.2, 0, 0.1), "b": (1, 1, 1), "c": (0.8, 0, 0.4), "d": NONE
    }  # fmt: skip
    none = centrality(weighed(settings, derives=0, relates=0, corrects=0, generalizes=0), Scope(tenant), clock=Clock())
    assert (none.nodes, none.edges, none.written) == (4, 0, 4)
    assert set(values().values()) == {NONE}


def test_two_memories_are_linked_or_not_however_often(make: Connect, job: Job, values: Values) -> None:
    memory = make()
    recorded(memory, *"abc", links="a-b b-c")
    job()
    once = values()
    memory.link("a", "b", kind="follows")
    memory.link("b", "a", kind="causes")
    memory.correct(wrong="a", right="b", reason="wrong")
    assert job(force=True).edges == 2
    assert values() == once == {"a": (0.5, 0, 0.25), "b": (1, 1, 1), "c": (0.5, 0, 0.25)}


@pytest.mark.parametrize("count", [0, 1, 3])
def test_without_links_there_is_no_centrality(make: Connect, job: Job, values: Values, count: int) -> None:
    recorded(make(), *"abc"[:count])
    make().init()
    done = job()
    assert (done.state, done.nodes, done.edges, done.written) == ("done", count, 0, count)
    assert values() == dict.fromkeys("abc"[:count], NONE)


def test_what_does_not_count_changes_nothing(
    make: Connect, job: Job, values: Values, cypher: Cypher, tenant: str
) -> None:
    memory, other = make(), make(tenant=f"{tenant}-other")
    recorded(memory, *"abc", links="a-b b-c")
    recorded(other, *"xyz")
    memory.correct(wrong="a", right="c", reason="wrong")
    memory.correct(wrong="c", right="a", reason="the other way round", context="north:0.5")
    memory.record_many(
        [won("secure", "s", secure=True), won("gone", "g", expires_at=NOW), won("audit", "u", outcome="unknown")]
    )
    job()
    assert values()["a"] == (1, 0, 0.5)  # a triangle, as long as the corrections stand
    cypher("MATCH (:Memory {tenant: $t})-[e:CORRECTS]->() SET e.revoked_at = datetime()", t=tenant)
    job()
    once = values()
    unseen = dict.fromkeys(("secure", "gone", "audit"))
    assert once == {"a": (0.5, 0, 0.25), "b": (1, 1, 1), "c": (0.5, 0, 0.25), **unseen}
    for kind in ("RELATES", "DERIVES", "GENERALIZES", "CORRECTS"):
        for ends in ("(a)-[e:%s]->(a)", "(a)-[e:%s]->(x)", "(x)-[e:%s]->(a)", "(a)-[e:%s {scope: x.scope}]->(c)"):
            cypher(
                "MATCH (a:Memory {tenant: $t, id: 'a'}), (c:Memory {tenant: $t, id: 'c'}), "
                f"(x:Memory {{tenant: $o, id: 'x'}}) CREATE {ends % kind}",
                t=tenant, o=f"{tenant}-other",
            )  # fmt: skip
        for id_ in ("secure", "gone", "audit"):
            cypher(
                "MATCH (a:Memory {tenant: $t, id: 'a'}), (n:Memory {tenant: $t, id: $id}) "
                f"CREATE (a)-[:{kind} {{scope: a.scope}}]->(n)",
                t=tenant, id=id_,
            )  # fmt: skip
    done = job(force=True)
    assert (done.nodes, done.edges, done.written) == (3, 2, 3)
    assert values() == once
    assert not cypher("MATCH (m:Memory {tenant: $o}) WHERE m.centrality IS NOT NULL RETURN m", o=f"{tenant}-other")


def test_a_users_job_writes_on_that_user_and_a_tenants_job_sees_no_user(
    make: Connect, job: Job, values: Values
) -> None:
    shared, mine, theirs = make(), make(user="u7"), make(user="u8")
    recorded(shared, *"abc", links="a-b")
    recorded(mine, "m", "a", links="m-b m-c b-c")  # b-c is u7's view of what is shared; u7 has an "a" too
    recorded(theirs, "t", links="t-a t-b t-c a-c")
    done = job()
    assert (done.nodes, done.edges, done.written, done.user) == (3, 1, 3, "")
    of_all = values()
    assert of_all == {"a": (1, 0, 0.5), "b": (1, 0, 0.5), "c": NONE}
    assert values("u7") == {"m": None, "a": None}
    done = job("u7")
    assert (done.nodes, done.edges, done.written, done.user) == (5, 4, 2, "u7")
    # a-b, m-b, m-c, b-c: b has degree 3, m 2; b alone lies between a and m, and between a and c.
    assert values("u7") == {"m": pytest.approx((2 / 3, 0, 1 / 3)), "a": NONE}
    assert values() == of_all
    assert values("u8") == {"t": None}


def test_recall_shows_what_the_job_wrote_and_no_weight_of_it_changes_a_decision(
    make: Connect, job: Job, settings: Settings
) -> None:
    def weighed(weight: float) -> Memory:
        weights = settings.recall.weights.model_copy(update={"centrality": weight})
        return make(
            settings=settings.model_copy(update={"recall": settings.recall.model_copy(update={"weights": weights})})
        )

    recorded(make(), *"cabd", links="c-a c-b c-d")
    make().record(won("far", "far east:1"))
    make().link("c", "far")
    questions = ("north:1", "north:0.62", "north:0.1", "east:0.5 up:0.6")
    plain = [weighed(0).recall(question) for question in questions]
    job()
    shown = {one.id: one.components.centrality for one in weighed(0.05).recall("north:1").candidates}
    assert shown == {"c": 1.0, **dict.fromkeys(("a", "b", "d", "far"), 1 / 8)}
    assert make().get("c").centrality == 1.0
    for weight in (0.05, 1e6):
        for before, question in zip(plain, questions, strict=True):
            after = weighed(weight).recall(question)
            assert (after.decision, after.best, bool(after.hits)) == (before.decision, before.best, bool(before.hits))
    assert {one.decision for one in plain} == {"use", "verify", "novel"}
    assert weighed(1e6).recall("north:1").hits[0].id == "c"


def test_a_large_graph_is_sampled_the_same_each_time(job: Job, values: Values, cypher: Cypher, tenant: str) -> None:
    rules = CentralitySettings()
    count = rules.exact_up_to + 100
    cypher(
        "UNWIND range(0, $n - 1) AS i CREATE (:Memory {tenant: $t, user: '', scope: $s, id: toString(i), "
        "recallable: true, expires_at: datetime('9999-01-01T00:00:00Z')})",
        n=count, t=tenant, s=Scope(tenant).shared,
    )  # fmt: skip
    # Each node is linked to that of half its number: a binary tree.
    cypher(
        "MATCH (a:Memory {tenant: $t}) MATCH (b:Memory {scope: $s, id: toString(toInteger(a.id) / 2)}) "
        "WHERE a <> b CREATE (a)-[:RELATES {scope: $s, kind: 'similar'}]->(b)",
        t=tenant, s=Scope(tenant).shared,
    )  # fmt: skip
    told: list[tuple[str, int, int]] = []
    done = job(progress=lambda *step: told.append(step))
    assert (done.nodes, done.edges, done.written, done.samples) == (count, count - 1, count, rules.samples)
    first = values()
    assert job(force=True).written == count
    assert values() == first
    numbers = [number for parts in first.values() if parts for number in parts]
    assert len(numbers) == 3 * count
    assert all(0 <= number <= 1 for number in numbers)
    central = sorted(first, key=lambda id_: -(first[id_] or NONE)[1])[:8]
    assert {"1", "2", "3"} <= set(central)
    assert told[-3:] == [("writing", 1000, count), ("writing", 2000, count), ("writing", count, count)]
