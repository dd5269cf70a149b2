"""What has expired is deleted, what is of little use archived: told first, the same when done, once."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from graphmem import Episode, Reflection, Skill, Status
from graphmem.errors import InvalidInput, StoreError
from graphmem.govern import retention as letting_go
from graphmem.govern.retention import Order, Retention
from graphmem.policies import ByKind, RetentionSettings
from graphmem.scope import Scope
from graphmem.settings import load_settings
from graphmem.steps import Read, Write
from tests.govern.lived import live
from tests.memories import NOW, Clock, ids, won

Make = Callable[..., Any]
Cypher = Callable[..., list[dict[str, Any]]]
DAY = timedelta(days=1)


def test_the_weight_halves_with_age_and_grows_with_use(make: Make) -> None:
    client = make(least=1000.0, domains={"news": 0.5})
    client.record_many(
        [
            won("new"), won("half", occurred_at=NOW - 90 * DAY), won("quarter", occurred_at=NOW - 180 * DAY),
            won("news", occurred_at=NOW - 90 * DAY, domain="news"), won("ahead", occurred_at=NOW + 90 * DAY),
            won("used", "pump north:0.9", occurred_at=NOW - 180 * DAY),
            won("failed", "pump east:0.9"),
            Reflection(id="r", insight="i", occurred_at=NOW - 180 * DAY),
            Skill(id="s", name="n", steps=["a"], occurred_at=NOW - 365 * DAY),
        ]
    )  # fmt: skip
    for _ in range(3):
        client.feedback(client.recall("north:1"), outcome="success", used=["used"])
    client.feedback(client.recall("east:1"), outcome="fail", used=["failed"])
    told = client.retention()
    weights = {one.id: one.weight for one in told.least}
    assert weights == pytest.approx(
        {"new": 1, "half": 0.5, "quarter": 0.25, "news": 0.25, "ahead": 1, "used": 1, "failed": 0.5, "r": 1, "s": 2}
    )
    assert [one.id for one in told.least][:2] == ["news", "quarter"], "lightest first, ties by id"
    assert {one.why for one in told.least} == {"faded"}


def test_what_has_faded_is_archived_unless_it_is_pinned(make: Make, cypher: Cypher, tenant: str) -> None:
    client = make(least=0.3)
    old = {"occurred_at": NOW - 200 * DAY}
    client.record_many(
        [
            won("new", "pump north:0.9"), won("old", "pump north:0.8", **old), won("dear", "pump north:0.7", **old),
            won("said", "pump north:0.6", pinned=True, **old), Episode(id="open", task="t", **old),
            Skill(id="wait", name="n", steps=["a"], occurred_at=NOW - 2000 * DAY),
        ]
    )  # fmt: skip
    client.pin("dear", by="ada")
    before = cypher("MATCH (m {tenant: $t}) RETURN properties(m) AS p ORDER BY m.id", t=tenant)
    told = client.retention()
    assert (told.applied, told.living, told.faded, told.excess, told.job) == (False, 5, 2, 0, None)
    assert [one.id for one in told.least] == ["wait", "old"]
    assert cypher("MATCH (m {tenant: $t}) RETURN properties(m) AS p ORDER BY m.id", t=tenant) == before
    done = client.retention(apply=True)
    assert done == told.model_copy(update={"applied": True, "job": done.job})
    assert client.get("old").status is client.get("wait").status is Status.RETIRED
    assert client.get("open").status is Status.AUDIT
    assert sorted(ids(client.recall("north:1", limit=9))) == ["dear", "new", "said"]
    (event,) = client.history("old").events
    assert (event.what, event.by, event.reason) == ("archived", "retention", "faded: weight 0.2143")
    assert client.check() == ()
    again = client.retention(apply=True)
    assert (again.living, again.faded, again.excess, again.least) == (3, 0, 0, ())
    client.review("old", approve=True, by="ada")
    assert client.retention().faded == 1, "it was not pinned"
    client.pin("dear", False)
    assert client.retention().faded == 2


def test_the_lightest_beyond_the_budget_are_archived(make: Make) -> None:
    client = make()
    client.record_many([won(f"e{n}", f"pump north:0.{n}", occurred_at=NOW - n * DAY) for n in range(1, 7)])
    client.record_many(
        [
            Skill(id="used", name="pump north:0.9", steps=["a"], approved_by="ada", occurred_at=NOW - 900 * DAY),
            Skill(id="idle", name="stop", steps=["a"], approved_by="ada", occurred_at=NOW - 900 * DAY),
        ]
    )
    client.feedback(client.recall("north:1"), outcome="success", used=["used"])
    client.pin("e6")
    assert client.retention(budget=8).excess == 0
    told = client.retention(budget=4)
    assert (told.living, told.excess, told.faded) == (8, 4, 0)
    assert [one.id for one in told.least] == ["idle", "e5", "e4", "e3"]
    assert {one.why for one in told.least} == {"over budget"}
    assert client.retention(budget=4, apply=True).excess == 4
    assert client.retention(budget=4, apply=True).excess == 0
    assert {one.id for one in client.list(status="active")} == {"used", "e1", "e2", "e6"}
    assert client.retention(budget=0, apply=True).excess == 2, "the pinned and the used skill stay"
    assert make(budget=1).retention().excess == 0
    client.record_many([won("f1"), won("f2")])
    assert make(budget=3).retention().excess == 1
    assert make(budget=3).retention(budget=4).excess == 0, "what is asked for outranks the setting"
    assert client.check() == ()


def test_what_expired_is_deleted_with_its_links_and_nothing_else(
    make: Make, clock: Clock, cypher: Cypher, tenant: str
) -> None:
    client, ann, other = make(), make("ann"), make(suffix="-other")
    soon = {"expires_at": NOW + DAY}
    client.record_many(
        [
            won("e1", "pump north:0.9"), won("gone", "pump north:0.8", pinned=True, **soon),
            Reflection(id="r", insight="pump north:0.7", sources=["gone"]),
            Reflection(id="gone-too", insight="pump north:0.6", sources=["e1"], **soon),
            Skill(id="s", name="pump north:0.5", steps=["a"], sources=["gone-too"], approved_by="ada"),
        ]
    )  # fmt: skip
    for one in (ann, other):
        one.record(won("gone", "pump north:0.8", **soon))
    client.feedback(client.recall("north:1"), outcome="success", used=["gone", "e1"], misled=["r"])
    client.link("gone", "e1", kind="duplicate")
    clock.now = NOW + 2 * DAY
    told = client.retention()
    assert (told.expired, told.receipts, told.superseded, told.scopes) == (2, 0, 0, 1)
    done = client.retention(apply=True)
    assert (done.expired, done.applied) == (2, True)
    left = cypher("MATCH (m:Memory {tenant: $t}) RETURN m.id AS id, m.user AS user ORDER BY user, id", t=tenant)
    assert [(row["id"], row["user"]) for row in left] == [("e1", ""), ("r", ""), ("s", ""), ("gone", "ann")]
    assert client.check(everything=True) == ()
    assert client.get("e1").successes == 1
    assert client.history("s").sources == ()
    assert client.retention(apply=True).expired == 0
    assert sorted(ids(client.recall("north:1", limit=9))) == ["e1", "s"], "r misled here"
    assert client.retention(apply=True, everything=True).expired == 1
    assert len(cypher("MATCH (m:Memory {tenant: $t}) RETURN m", t=f"{tenant}-other")) == 1


def test_what_was_wrong_is_not_right_again_when_its_correction_expires(make: Make, clock: Clock) -> None:
    client = make()
    client.record_many([won(f"e{n}", f"pump north:0.{n}") for n in (5, 6, 7)])
    client.record(won("right", "pump north:0.9", expires_at=NOW + DAY))
    client.record(won("too", "pump north:0.8"))
    for wrong in ("e5", "e6", "e7"):
        client.correct(wrong=wrong, right="right", reason="r", context="lamp east:1" if wrong == "e7" else None)
    client.correct(wrong="e6", right="too", reason="r")
    clock.now = NOW + 2 * DAY
    assert client.retention().superseded == 1
    assert client.retention(apply=True).superseded == 1
    assert client.get("e5").status is Status.SUPERSEDED
    assert client.get("e6").status is client.get("e7").status is Status.ACTIVE
    assert sorted(ids(client.recall("north:1", limit=9))) == ["e7", "too"]
    assert client.check() == ()


def test_expired_receipts_go_and_the_counters_follow(make: Make, clock: Clock, cypher: Cypher, tenant: str) -> None:
    client, ann = make(), make("ann")
    client.record_many([won("e8", "pump north:0.8"), won("e9", "pump north:0.9")])
    client.correct(wrong="e8", right="e9", reason="r", context="lamp north:0.95")
    for who in (client, ann):
        who.feedback(who.recall("north:1"), outcome="success", used=["e9"])
        who.feedback(who.recall("north:1"), outcome="fail", misled=["e9"])
    clock.now = NOW + 400 * DAY
    client.feedback(client.recall("north:1"), outcome="fail", used=["e9"])
    told = client.retention()
    assert (told.expired, told.receipts) == (0, 2), "the context of a correction stays"
    assert client.retention(apply=True).receipts == 2
    assert (client.get("e9").successes, client.get("e9").failures) == (1, 1), "what ann said is ann's"
    assert client.check(everything=True) == ()
    assert client.retention(apply=True, everything=True).receipts == 2
    assert (client.get("e9").successes, client.get("e9").failures) == (0, 1)
    assert client.check(everything=True) == ()
    kept = cypher("MATCH (r:Recall {tenant: $t}) RETURN r.decision AS d ORDER BY d", t=tenant)
    assert [row["d"] for row in kept] == ["corrected", "use"]


def test_a_run_leaves_a_job_and_works_in_batches(
    make: Make, clock: Clock, cypher: Cypher, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules["graphmem.govern.retention"], "BATCH", 3)
    client = make(least=0.5)
    client.record_many([won(f"e{n}", expires_at=NOW + DAY) for n in range(10)])
    client.record_many([won(f"f{n}", occurred_at=NOW - 300 * DAY) for n in range(8)])
    clock.now = NOW + 2 * DAY
    done = client.retention(apply=True)
    assert (done.expired, done.faded, done.living) == (10, 8, 8)
    (job,) = cypher("MATCH (j:Job {tenant: $t, kind: 'retention'}) RETURN properties(j) AS j", t=tenant)
    kept = job["j"]
    assert (kept["id"], kept["state"], kept["expired"], kept["faded"]) == (done.job, "done", 10, 8)
    assert kept["started_at"].to_native() == kept["ended_at"].to_native() == clock.now
    client.retention()
    assert len(cypher("MATCH (j:Job {tenant: $t, kind: 'retention'}) RETURN j", t=tenant)) == 1


def test_a_run_that_fails_says_so_on_its_job() -> None:
    order = Order(apply=True)
    stage = letting_go(order, Scope("acme"), RetentionSettings(), NOW, 384, lambda: NOW)
    begun = next(stage)
    assert isinstance(begun, Write)
    assert begun.calls[0].statement.name == "jobs/begin"
    assert isinstance(stage.send([[{"state": "running"}]]), Read)
    ended = stage.throw(StoreError("the disk is full"))
    assert isinstance(ended, Write)
    assert ended.calls[0].parameters["properties"] == {"state": "failed", "ended_at": NOW, "error": "the disk is full"}
    with pytest.raises(StoreError, match="disk"):
        stage.send([[{"state": "failed"}]])


def test_everything_is_asked_for_by_the_tenant_alone(make: Make, clock: Clock) -> None:
    shared, ann = make(), make("ann")
    for client, name in ((shared, "s"), (ann, "a")):
        live(client, name)
    clock.now = NOW + 5000 * DAY
    with pytest.raises(InvalidInput, match="client of the tenant"):
        ann.retention(everything=True)
    assert shared.retention().scopes == 1
    told = shared.retention(everything=True)
    assert told.scopes == 2
    done = shared.retention(everything=True, apply=True)
    assert (done.faded, done.receipts, done.expired) == (told.faded, told.receipts, told.expired)
    assert done.faded > 0
    assert shared.check(everything=True) == ()
    empty = shared.retention(everything=True)
    assert empty == Retention(applied=False, scopes=2, living=empty.living)


@pytest.mark.parametrize("given", [{"budget": -1}, {"budget": 1.5}, {"budget": "3"}, {"apply": "yes"}, {"apply": 1}])
def test_a_wrong_order_is_refused(client: Any, given: dict[str, Any]) -> None:
    client.record(won("e"))
    with pytest.raises(InvalidInput):
        client.retention(**given)
    assert client.get("e").status is Status.ACTIVE


def test_the_settings_are_read_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHMEM_RETENTION__HALF_LIFE_DAYS__SKILL", "30")
    monkeypatch.setenv("GRAPHMEM_RETENTION__DOMAINS", '{"news": 0.1}')
    monkeypatch.setenv("GRAPHMEM_RETENTION__BUDGET", "1000")
    chosen = load_settings().retention
    assert chosen.half_life_days == ByKind(episode=90, reflection=180, skill=30)
    assert (chosen.domains, chosen.budget, chosen.least) == ({"news": 0.1}, 1000, 0.05)
