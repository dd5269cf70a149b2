"""The history of a memory: all that the client sees of it, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from graphmem import Episode, Memory, Outcome, Reflection, Skill
from graphmem.govern.history import MOST
from tests.memories import NOW, Clock, won

Make = Callable[..., Any]


def test_where_a_memory_comes_from_and_what_came_of_it(make: Make) -> None:
    client = make()
    client.record_many(
        [
            won("e1", "pump one"), won("e2", "pump two"), won("gone", expires_at=NOW + timedelta(days=1)),
            Reflection(id="r1", insight="slowly", sources=["e1", "e2"]),
            Reflection(id="r2", insight="gently", sources=["e2", "gone"]),
            Skill(id="s", name="pump", steps=["a"], approved_by="ada", sources=["r1", "r2"]),
        ]
    )  # fmt: skip
    skill = client.history("s")
    assert [(one.hop, one.id, one.edge) for one in skill.sources] == [
        (1, "r1", "generalizes"), (1, "r2", "generalizes"),
        (2, "e1", "derives"), (2, "e2", "derives"), (2, "gone", "derives"),
    ]  # fmt: skip
    assert {(one.by, one.at) for one in skill.sources} == {("caller", NOW)}
    assert [(one.hop, one.id) for one in client.history("e2").results] == [(1, "r1"), (1, "r2"), (2, "s")]
    middle = client.history("r1")
    assert [one.id for one in middle.sources] == ["e1", "e2"]
    assert [one.id for one in middle.results] == ["s"]
    assert middle.cut is False


def test_what_has_expired_is_in_nobodys_history(make: Make, clock: Clock) -> None:
    client = make()
    client.record_many([won("e1"), won("gone", expires_at=NOW + timedelta(days=1))])
    client.record(Reflection(id="r", insight="i", sources=["e1", "gone"]))
    client.correct(wrong="r", right="gone", reason="x")
    client.link("r", "gone")
    assert len(client.history("r").sources) == 2
    clock.now = NOW + timedelta(days=2)
    after = client.history("r")
    assert [one.id for one in after.sources] == ["e1"]
    assert after.corrected_by == after.related == ()


def test_who_corrected_it_and_what_it_corrects(make: Make, clock: Clock) -> None:
    client = make()
    client.record_many([won(f"e{n}", f"pump north:0.{n}") for n in (7, 8, 9)])
    client.correct(wrong="e7", right="e8", reason="newer pump", by="ada")
    clock.now = NOW + timedelta(hours=1)
    client.correct(wrong="e7", right="e9", reason="only there", context="wet pump north:0.9")
    clock.now = NOW + timedelta(hours=2)
    client.correct(wrong="e8", right="e7", reason="it was right after all")
    told = client.history("e7")
    newer, revoked = told.corrected_by
    assert (newer.id, newer.everywhere, newer.contexts) == ("e9", False, ("wet pump north:0.9",))
    assert (revoked.id, revoked.everywhere, revoked.by, revoked.reason) == ("e8", True, "ada", "newer pump")
    assert (revoked.revoked_at, newer.revoked_at) == (clock.now, None)
    assert [one.id for one in told.corrects] == ["e8"]
    assert told.uses.misled == 1
    (blame,) = told.uses.latest
    assert (blame.decision, blame.misled, blame.reason, blame.outcome) == (
        "corrected",
        True,
        "only there",
        Outcome.FAIL,
    )
    lines = told.explain().splitlines()
    assert any("episode e8" in line and "everywhere; newer pump; revoked 2025-06-01 14:00" in line for line in lines)


def test_how_it_was_used_and_with_which_parameters(make: Make, clock: Clock, damage: Callable[..., None]) -> None:
    client = make()
    client.record_many([won("e8", "pump north:0.8"), won("e9", "pump north:0.9")])
    for n, outcome in enumerate(("success", "success", "fail")):
        clock.now = NOW + timedelta(hours=n)
        client.feedback(client.recall("pump north:1"), outcome=outcome, used=["e8"])
    client.feedback(client.recall("pump north:1", domain="ops"), outcome="fail")
    damage("e8", "MATCH (m)<-[:RETURNED]-(r) WHERE r.outcome = 'fail' SET r.parameters = 3, r.threshold = 0.6")
    told = client.history("e8")
    uses = told.uses
    assert (uses.returned, uses.used, uses.misled, uses.successes, uses.failures) == (3, 3, 0, 2, 1)
    assert [(one.at, one.outcome, one.used, one.rank) for one in uses.latest] == [
        (NOW + timedelta(hours=2), Outcome.FAIL, True, 2),
        (NOW + timedelta(hours=1), Outcome.SUCCESS, True, 2),
        (NOW, Outcome.SUCCESS, True, 2),
    ]
    assert [(one.version, one.threshold, one.recalls, one.first_at) for one in told.parameters] == [
        (3, 0.6, 1, NOW + timedelta(hours=2)),
        (0, 0.5, 2, NOW),
    ]
    shown = told.explain()
    assert "returned 3 times, used 3, misled 0; 2 successes, 1 failures in all" in shown
    assert "parameters version 3, θ 0.600: 1 recalls, 2025-06-01 14:00 to 2025-06-01 14:00" in shown
    assert "the settings, θ 0.500: 2 recalls" in shown
    assert client.check() == ()


def test_only_what_the_client_sees_is_told(make: Make) -> None:
    shared, ann, bob = make(), make("ann"), make("bob")
    shared.record_many([won("e1", "pump north:0.9"), won("e2", "pump north:0.8")])
    for client, name in ((ann, "ann"), (bob, "bob")):
        client.record(Reflection(id=f"r-{name}", insight=f"of {name}", sources=["e1"]))
        client.correct(wrong="e1", right="e2", reason=f"{name} says so")
        client.link("e1", "e2", kind="contradicts", by=name)
        client.feedback(client.recall("north:1"), outcome="success", used=["e2"])
    assert shared.history("e1").results == shared.history("e1").related == ()
    assert shared.history("e2").uses.returned == 0
    assert shared.history("e2").uses.successes == 2, "the whole track record stands on the memory"
    own = ann.history("e1")
    assert [one.id for one in own.results] == ["r-ann"]
    assert [one.reason for one in own.corrected_by] == ["ann says so"]
    assert [one.by for one in own.related] == ["ann"]
    assert ann.history("e2").uses.used == 1
    assert "bob" not in own.model_dump_json()
    ann.record(won("e1", "my own pump"))
    assert ann.history("e1").memory.memory.task == "my own pump"
    assert ann.history("e1").results == ()


def test_a_long_history_is_cut_and_says_so(connect: Callable[..., Memory]) -> None:
    client = connect()
    many = MOST + 1
    client.record(won("e"))
    client.record_many([Reflection(id=f"r{n:03}", insight=f"lesson {n}", sources=["e"]) for n in range(many)])
    told = client.history("e")
    assert len(told.results) == MOST
    assert told.cut
    assert told.explain().splitlines()[-1].startswith("cut: ")


def test_a_history_is_strict_json_with_its_times_in_iso(make: Make) -> None:
    client = make()
    client.record_many([won("e1"), won("e2"), Episode(id="x\u200b", task="\u001b[2J\u202e\nwipe", outcome="fail")])
    client.correct(wrong="e2", right="e1", reason="r")
    client.retire("e2", by="ada")
    shown = json.loads(client.history("e2").model_dump_json())
    assert datetime.fromisoformat(shown["events"][0]["at"]) == NOW
    assert datetime.fromisoformat(shown["corrected_by"][0]["at"]) == NOW
    assert shown["events"][0]["at"].endswith("+00:00")
    client.correct(wrong="e1", right="x\u200b", reason="\u001b[31mred")
    text = client.history("e1").explain()
    assert "\u001b" not in text
    assert "\\x1b[31mred" in text
