"""Erasing one memory: what hangs on it goes or is counted anew, and what stays knows nothing of it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from graphmem import Episode, Memory, Reflection, Settings, Skill
from graphmem.erase import Erased
from graphmem.errors import InvalidInput, NotFound
from graphmem.models import Step
from tests.angles import Angles
from tests.memories import Clock, ids, won

Cypher = Callable[..., list[dict[str, Any]]]
ALL = (
    "MATCH (n {tenant: $t}) OPTIONAL MATCH (n)-[e]->(o) RETURN labels(n) AS labels, properties(n) AS node, "
    "collect([type(e), properties(e), o.id]) AS edges ORDER BY labels, node.scope, node.id"
)


def lived(number: int, **fields: Any) -> Episode:
    """An attempt of several that went the same way, each at a task of its own."""
    given = {
        "id": f"boiler-{number}", "task": f"Descale the boiler of house {number} north:0.97", "outcome": "success",
        "domain": "plant", "task_type": "descaling", "trace_id": f"trace-{number}",
        "trajectory": tuple(Step(action=action) for action in ("drain the boiler", "dissolve the scale", "rinse it")),
    }  # fmt: skip
    return Episode(**{**given, **fields})


@pytest.fixture
def both(settings: Settings, tenant: str, client: Any, clock: Clock) -> Any:
    """The same client by both drivers, on a clock that the test moves."""
    inner = client if isinstance(client, Memory) else client.client
    fresh = type(inner)(tenant, settings=settings, embedder=Angles("bge-small-en-v1.5"), clock=clock)
    yield (made := fresh if isinstance(client, Memory) else type(client)(fresh))
    made.close()


@pytest.mark.parametrize(
    "given",
    [{}, {"id": "e", "subject": "s"}, {"id": "e", "everything": True}, {"subject": "s", "everything": True},
     {"subject": " "}, {"subject": ""}, {"id": ""}, {"id": 1}, {"subject": 1}],
)  # fmt: skip
def test_exactly_one_of_the_three_is_asked_for(both: Any, given: dict[str, Any], cypher: Cypher, tenant: str) -> None:
    both.record(won("e", subject="s"))
    before = cypher(ALL, t=tenant)
    with pytest.raises(InvalidInput):
        both.erase(**given)
    assert cypher(ALL, t=tenant) == before


def test_one_is_erased_with_its_receipts_and_a_second_time_it_is_not_found(
    both: Any, cypher: Cypher, tenant: str
) -> None:
    both.record_many([won("e1", "pump north:0.9", trace_id="t1"), won("e2", "pump two north:0.8", trace_id="t2")])
    both.feedback(both.recall("north:1"), outcome="success", used=["e1", "e2"])
    both.feedback(both.recall("pump two north:0.8", limit=1), outcome="success", used=["e2"])
    both.recall("lamp east:1", trace_id="t1")  # novel: what e1 came of
    both.recall("lamp up:1", trace_id="t2")
    assert both.get("e2").successes == 2
    done = both.erase(id="e1")
    left = cypher("MATCH (r:Recall {tenant: $t}) RETURN count(r) AS n", t=tenant)[0]["n"]
    assert (done.episodes, done.receipts + left) == (1, 4)
    assert both.get("e2").successes == left - 1, "the one of e2's own trace is novel, and credits nobody"
    assert cypher("MATCH (r:Recall {tenant: $t, trace_id: 't1'}) RETURN r", t=tenant) == []
    assert cypher("MATCH (r:Recall {tenant: $t, trace_id: 't2'}) RETURN count(r) AS n", t=tenant) == [{"n": 1}]
    assert both.check(everything=True) == ()
    before = cypher(ALL, t=tenant)
    for verb in (both.get, lambda id_: both.erase(id=id_)):
        with pytest.raises(NotFound):
            verb("e1")
    assert cypher(ALL, t=tenant) == before


def test_a_users_client_erases_its_own_and_nobody_elses(make: Callable[..., Memory]) -> None:
    shared, ann, bob = make(), make(user="ann"), make(user="bob")
    for client, id_ in ((shared, "all"), (ann, "anns"), (bob, "bobs"), (ann, "same"), (shared, "same")):
        client.record(won(id_, f"pump {id_} north:0.9", subject="Eve"))
    with pytest.raises(InvalidInput, match="shared"):
        ann.erase(id="all")
    for client, id_ in ((ann, "bobs"), (shared, "anns")):
        with pytest.raises(NotFound):
            client.erase(id=id_)
    assert ann.erase(id="same").episodes == 1
    assert ann.get("same").user == ""
    assert ann.erase(subject="Eve").episodes == 1
    assert {one.id for one in bob.list()} == {"all", "bobs", "same"}
    assert shared.erase(subject="Eve").episodes == 3, "the tenant's client: what is shared, and every user's own"
    assert bob.list() == ann.list() == ()


def test_a_subject_is_compared_exactly_and_no_subject_is_none(make: Callable[..., Memory]) -> None:
    memory = make()
    memory.record_many([won("a", subject=" Eve "), won("b", "pump", subject="eve"), won("c", "lamp")])
    assert memory.erase(subject="Eve").episodes == 1
    assert {one.id for one in memory.list()} == {"b", "c"}


@pytest.mark.parametrize(("attempts", "status"), [(3, "candidate"), (9, "active")])
def test_no_skill_counts_what_is_erased_and_one_that_is_proven_no_more_is_a_candidate(
    both: Any, cypher: Cypher, tenant: str, attempts: int, status: str
) -> None:
    both.record_many([lived(n) for n in range(attempts)])
    both.consolidate()
    (skill,) = both.list(kind="skill")
    assert skill.status == "active"
    done = both.erase(id="boiler-0")
    (after,) = both.list(kind="skill")
    assert (after.id, after.status, after.recallable) == (skill.id, status, status == "active")
    assert (done.demoted, done.skills) == (int(status == "candidate"), 0)
    (row,) = cypher("MATCH (s:Skill {tenant: $t}) RETURN s.support AS n, s.success_rate AS rate", t=tenant)
    assert row == {"n": attempts - 1, "rate": 1.0}
    events = both.history(skill.id).events
    assert "boiler-0" not in "".join(event.reason for event in events)
    assert both.check() == ()
    assert both.consolidate().decided == ()
    approved = both.review(skill.id, approve=True, by="ada")
    both.erase(id="boiler-1")
    assert both.get(skill.id).status == approved.status == "active", "a person vouches for it"


def test_the_first_of_a_group_may_go_and_the_others_are_grouped_anew(both: Any, cypher: Cypher, tenant: str) -> None:
    both.record_many([lived(n) for n in range(5)])
    both.consolidate()
    (group,) = {r["g"] for r in cypher("MATCH (r:Reflection {tenant: $t}) RETURN r.group AS g", t=tenant)}
    (skill,) = both.list(kind="skill")
    done = both.erase(id=group)
    assert (done.reflections, done.skills, done.awaiting) == (1, 0, 4)
    named = cypher("MATCH (m {tenant: $t}) WHERE $g IN [m.group, m.family] RETURN m", t=tenant, g=group)
    assert named == []
    assert group not in both.get(skill.id).memory.sources
    assert both.check() == ()
    both.consolidate()
    assert group not in {one.id for one in both.list(kind="reflection")}, "what was erased is not learnt anew"
    assert [one.id for one in both.list(kind="skill")] == [skill.id], "its versions are still one family"
    assert both.check() == ()


def test_what_stays_names_the_erased_nowhere(both: Any, cypher: Cypher, tenant: str, clock: Clock) -> None:
    both.record_many([won(f"e{n}", f"pump {n} north:0.9") for n in range(4)])
    both.record(Reflection(id="r", insight="mind the pump", sources=["e0", "e1"]))
    both.retire("e2", by="ada", reason="the same as e0, and e01 is another")
    both.review("e2", approve=True, by="ada", reason="e01 only")
    both.feedback(
        both.recall("pump 3 north:0.9", limit=1, trace_id="x"), outcome="fail", misled=["e3"], reason="take e0"
    )
    both.correct(wrong="e3", right="e2", reason="as e0 did", context="in the e0 hall")
    cypher("MATCH (r:Recall {tenant: $t})-[e:RETURNED]->(:Memory {id: 'e0'}) DELETE e", t=tenant)
    clock.now += timedelta(minutes=1)
    both.erase(id="e0")
    rows = cypher(
        "MATCH (n {tenant: $t}) UNWIND keys(n) AS key RETURN n[key] AS value "
        "UNION ALL MATCH (n {tenant: $t})-[e]->() UNWIND keys(e) AS key RETURN e[key] AS value",
        t=tenant,
    )
    said = [repr(row["value"]) for row in rows]
    assert not [text for text in said if "'e0'" in text or " e0" in text]
    assert any("e01 only" in text for text in said)
    stored = both.get("r").memory
    assert stored.sources == ("e1",)
    assert both.record(stored).result == "unchanged", "its digest is that of what is left"
    assert both.check() == ()


def test_what_an_erased_one_corrected_stays_wrong(both: Any) -> None:
    both.record_many(
        [won("wrong", "pump north:0.9"), won("right", "pump two north:0.9"), won("other", "pump three north:0.9")]
    )
    both.correct(wrong="wrong", right="right", reason="r")
    both.correct(wrong="other", right="right", reason="r", context="north:1")
    done = both.erase(id="right")
    assert done.superseded == 1
    assert both.get("wrong").status == "superseded"
    assert (both.get("other").status, both.check()) == ("active", ())
    blamed = both.recall("north:1", limit=9)
    assert "wrong" not in ids(blamed)
    assert next(c for c in blamed.candidates if c.id == "other").components.false_hit > 0, "the blame stays"


def test_words_of_the_erased_in_what_rules_or_people_made_of_it(both: Any) -> None:
    """What says more than the rest of its evidence goes, and is learnt anew; what says nothing of it stays."""
    both.record_many([won("a", "Water the basil north:0.9"), won("b", "Water the thyme north:0.9")])
    both.record_many(
        [
            Reflection(id="basil", insight="the basil wants water", sources=["a", "b"]),
            Reflection(id="water", insight="water it north:0.5", sources=["a", "b"]),
            Skill(id="pot", name="pot the basil", steps=["water it"], sources=["basil"], approved_by="ada"),
            Skill(id="can", name="fill the can", steps=["water"], sources=["water"], approved_by="ada"),
        ]
    )
    both.consolidate()
    done = both.erase(id="a")
    kept = {one.id for one in both.list()}
    assert {"b", "water", "can"} <= kept
    assert not {"a", "basil", "pot"} & kept
    assert done.awaiting >= 1
    assert both.consolidate().episodes == 1, "what is left of it is reflected anew"
    assert both.check() == ()
    assert both.erase(everything=True).episodes == 1


def test_nothing_is_a_count_of_zero(make: Callable[..., Memory]) -> None:
    memory = make()
    memory.record(won("e"))
    assert memory.erase(id="e") == Erased(episodes=1)


@pytest.mark.parametrize("id_", [r"a\Eb|c", 'q"u\\o', "(x", "ü.é", "$1"])
def test_an_id_is_never_read_as_a_pattern(both: Any, cypher: Cypher, tenant: str, id_: str) -> None:
    both.record_many([won(id_, "pump north:0.9"), won("other", "lamp north:0.9"), won("b", "c")])
    both.retire("other", by="ada", reason=f"as {id_} was")
    both.retire("b", by="ada", reason="a b c x u.e and 1")
    both.erase(id=id_)
    assert [event.reason for event in both.history("other").events] == [""]
    assert [event.reason for event in both.history("b").events] == ["a b c x u.e and 1"]
