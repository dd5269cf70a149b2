"""A person's verdicts, what waits for them, and what they change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from graphmem import Episode, Reflection, Skill, Status
from graphmem.errors import InvalidInput, NotFound
from graphmem.govern.review import Why
from tests.memories import NOW, Clock, ids, won

Make = Callable[..., Any]
Damage = Callable[..., None]


def skill(n: int, **given: Any) -> Skill:
    return Skill(**{"id": f"s{n}", "name": f"pump north:0.{9 - n}", "steps": [f"step {n}"], "version": n, **given})


def test_approved_is_active_rejected_is_retired_and_the_latest_word_counts(
    make: Make, clock: Clock, node: Callable[[str], Any]
) -> None:
    client = make()
    client.record(skill(1))
    assert ids(client.recall("north:1")) == []
    done = client.review("s1", approve=True, by="ada", reason="tried it")
    assert (done.before, done.status, done.recallable, done.changed) == (Status.CANDIDATE, Status.ACTIVE, True, True)
    assert ids(client.recall("north:1")) == ["s1"]
    kept = node("s1")
    assert (kept["review"], kept["reviewed_by"]) == ("approved", "ada")
    assert kept["reviewed_at"].to_native() == NOW
    again = client.review("s1", approve=True, by="bob")
    assert (again.changed, again.status) == (False, Status.ACTIVE)
    assert node("s1") == kept
    clock.now = NOW.replace(year=2026)
    assert client.review("s1", approve=False, by="bob").status is Status.RETIRED
    assert ids(client.recall("north:1")) == []
    assert client.review("s1", approve=False, by="eve").changed is False
    assert client.review("s1", approve=True, by="ada").before is Status.RETIRED
    assert ids(client.recall("north:1")) == ["s1"]
    told = [(event.what, event.by) for event in client.history("s1").events]
    assert told == [("approved", "ada"), ("rejected", "bob"), ("approved", "ada")]
    assert client.check() == ()


@pytest.mark.parametrize("status", ["quarantined", "retired"])
def test_what_is_quarantined_or_retired_comes_back_by_approval(make: Make, damage: Damage, status: str) -> None:
    client = make()
    client.record(Reflection(id="r", insight="pump north:0.9"))
    damage("r", "SET m.status = $s, m.recallable = false, m.recall_key = ''", s=status)
    assert client.review("r", approve=True, by="ada").before == status
    assert ids(client.recall("north:1")) == ["r"]


def test_a_secure_memory_is_approved_and_still_never_recalled(make: Make) -> None:
    client = make()
    client.record(skill(1, secure=True))
    done = client.review("s1", approve=True, by="ada")
    assert (done.status, done.recallable) == (Status.ACTIVE, False)
    assert ids(client.recall("north:1")) == []


def test_an_unknown_outcome_is_judged_by_nobody(make: Make, node: Callable[[str], Any]) -> None:
    client = make()
    client.record(Episode(id="open", task="pump north:0.9"))
    before = node("open")
    for approve in (True, False):
        with pytest.raises(InvalidInput, match=r"nobody knows how episode open ended"):
            client.review("open", approve=approve, by="ada")
    assert node("open") == before
    assert client.retire("open").status is Status.RETIRED
    with pytest.raises(InvalidInput, match=r"nobody knows"):
        client.review("open", approve=True, by="ada")
    assert client.check() == ()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"approve": "yes", "by": "ada"}, "approve"),
        ({"approve": 1, "by": "ada"}, "approve"),
        ({"approve": True, "by": " "}, "by"),
        ({"approve": True, "by": "a", "reason": "\ud800"}, "reason"),
    ],
)
def test_a_verdict_needs_a_word_and_an_author(client: Any, given: dict[str, Any], message: str) -> None:
    client.record(won("e"))
    with pytest.raises(InvalidInput, match=message):
        client.review("e", **given)
    assert client.get("e").status is Status.ACTIVE


@pytest.mark.parametrize("verb", ["review", "retire", "pin", "history"])
def test_what_is_not_there_or_has_expired(make: Make, verb: str) -> None:
    client, other = make(), make(suffix="-other")
    client.record(won("gone", expires_at=NOW))
    other.record(won("theirs"))
    given = {"approve": False, "by": "ada"} if verb == "review" else {}
    for id_ in ("nobody", "gone", "theirs"):
        with pytest.raises(NotFound, match=id_):
            getattr(client, verb)(id_, **given)
    assert other.get("theirs").status is Status.ACTIVE


def test_what_is_shared_is_judged_for_everybody_only_when_that_is_said(make: Make) -> None:
    shared, ann = make(), make("ann")
    shared.record(won("e", "pump north:0.9"))
    ann.record(won("own", "pump north:0.8"))
    for verb, given in (("review", {"approve": False, "by": "ann"}), ("retire", {"by": "ann"}), ("pin", {})):
        with pytest.raises(InvalidInput, match="share=True"):
            getattr(ann, verb)("e", **given)
    assert not shared.get("e").memory.pinned
    assert ann.pin("e", share=True).memory.pinned
    assert ann.retire("e", by="ann", share=True).changed
    assert ann.review("e", approve=True, by="ann", share=True).changed
    with pytest.raises(NotFound):
        shared.retire("own")
    with pytest.raises(NotFound):
        ann.retire("own", share=True)
    assert ann.retire("own").changed


def test_of_two_memories_of_one_id_the_own_one_is_meant(make: Make) -> None:
    shared, ann = make(), make("ann")
    for client in (shared, ann):
        client.record(won("e", "pump north:0.9"))
    assert ann.retire("e").changed
    assert shared.get("e").status is Status.ACTIVE
    assert ann.pin("e").user == "ann"
    assert not shared.get("e").memory.pinned


def test_a_newer_version_takes_the_place_of_the_older_and_not_the_other_way_round(make: Make, damage: Damage) -> None:
    client = make()
    client.record_many([skill(1), skill(2), skill(3)])
    for n in (1, 2, 3):
        damage(f"s{n}", "SET m.family = 'g'")
    client.review("s1", approve=True, by="ada")
    done = client.review("s2", approve=True, by="ada")
    assert done.superseded == ("s1",)
    assert client.get("s1").status is Status.SUPERSEDED
    assert ids(client.recall("north:1", limit=9)) == ["s2"]
    (correction,) = client.history("s1").corrected_by
    assert (correction.id, correction.everywhere, correction.by) == ("s2", True, "ada")
    with pytest.raises(InvalidInput, match=r"newer version of that skill is active \(s2, version 2\)"):
        client.review("s1", approve=True, by="ada")
    client.retire("s2")
    with pytest.raises(InvalidInput, match="superseded"):
        client.review("s1", approve=True, by="ada")
    assert client.review("s3", approve=True, by="ada").superseded == ()
    with pytest.raises(InvalidInput, match="version 3"):
        client.review("s2", approve=True, by="ada")
    assert [one.id for one in client.history("s1").versions] == ["s3", "s2"]
    assert client.check() == ()


def test_a_verdict_settles_what_the_memory_contradicts(make: Make, clock: Clock) -> None:
    client, ann = make(), make("ann")
    client.record_many([Reflection(id=f"r{n}", insight=f"lesson {n} north:0.{n}") for n in range(1, 5)])
    for other in ("r2", "r3"):
        client.link("r1", other, kind="contradicts")
    client.link("r2", "r3", kind="contradicts")
    client.link("r1", "r4", kind="similar")
    ann.link("r1", "r4", kind="contradicts")
    pairs = [(one.why, one.id, one.other) for one in client.reviews()]
    assert pairs == [(Why.CONTRADICTION, a, b) for a, b in (("r1", "r2"), ("r1", "r3"), ("r2", "r3"))]
    assert len(ann.reviews()) == 4
    clock.now = NOW.replace(year=2026)
    assert client.review("r1", approve=True, by="ada").settled == ("r2", "r3")
    assert [(one.id, one.other) for one in client.reviews()] == [("r2", "r3")]
    assert client.review("r3", approve=False, by="ada").settled == ("r2",)
    assert client.reviews() == ()
    assert [(one.id, one.other) for one in ann.reviews()] == [("r1", "r4")], "what ann says is ann's to settle"
    (settled,) = [one for one in client.history("r3").related if one.id == "r2"]
    assert (settled.resolved_by, settled.resolved_at) == ("ada", clock.now)


def test_what_waits_for_a_person(make: Make, damage: Damage) -> None:
    client, ann = make(), make("ann")
    client.record_many(
        [
            won("e1"), won("e2"), Episode(id="f", task="t", outcome="fail"), Episode(id="open", task="t"),
            Reflection(id="r", insight="i", sources=["e1", "e2", "f"]),
            Reflection(id="r2", insight="j", sources=["e1"]), Reflection(id="wait", insight="i", sources=["open"]),
            skill(1, sources=["r", "r2"]), skill(2, expires_at=NOW),
        ]
    )  # fmt: skip
    ann.record(skill(3))
    damage(
        "r2", "SET m.status = 'quarantined', m.recallable = false, m.recall_key = '', m.problem = 'it failed in use'"
    )
    damage("e2", "SET m.awaits = 'dead', m.problem = 'no model answered', m.tries = 5")
    told = client.reviews()
    assert [(one.why.value, one.id) for one in told] == [("candidate", "s1"), ("dead", "e2"), ("quarantined", "r2")]
    assert told[0].reason.startswith(
        "distinct successful attempts behind it: not counted yet; used with success 0 times"
    )
    damage("s1", "SET m.support = 2")
    assert client.reviews()[0].reason.startswith("distinct successful attempts behind it: 2; used with success 0 times")
    assert [one.reason for one in told[1:]] == ["no model answered", "it failed in use"]
    assert {one.id for one in ann.reviews()} == {"s1", "s3", "e2", "r2"}
    assert len(client.reviews(limit=2)) == 2
    with pytest.raises(InvalidInput, match="limit"):
        client.reviews(limit=0)
    client.review("r2", approve=False, by="ada")
    client.review("s1", approve=True, by="ada")
    assert [one.id for one in client.reviews()] == ["e2"]


def test_an_episode_that_could_not_be_reflected_is_tried_anew_or_given_up(
    make: Make, damage: Damage, node: Callable[[str], Any]
) -> None:
    client = make()
    client.record_many([won("e1"), won("e2", "another task")])
    for id_ in ("e1", "e2"):
        damage(id_, "SET m.awaits = 'dead', m.problem = 'no model answered', m.tries = 5")
    client.review("e1", approve=True, by="ada")
    client.review("e2", approve=False, by="ada")
    assert client.reviews() == ()
    after = node("e1")
    assert (after["awaits"], after["tries"], after.get("problem")) == ("reflection", 0, None)
    assert node("e2")["awaits"] == "dead"
    assert client.check() == ()


def test_retired_is_kept_and_no_longer_recalled(make: Make) -> None:
    client = make()
    client.record(won("e", "pump north:0.9"))
    done = client.retire("e", by="ada", reason="out of date")
    assert (done.before, done.status, done.recallable, done.changed) == (Status.ACTIVE, Status.RETIRED, False, True)
    assert client.retire("e").changed is False
    assert ids(client.recall("north:1")) == []
    assert client.get("e").memory.task == "pump north:0.9"
    assert [(event.what, event.by, event.reason) for event in client.history("e").events] == [
        ("retired", "ada", "out of date")
    ]
    assert client.review("e", approve=True, by="ada").changed
    assert ids(client.recall("north:1")) == ["e"]
