"""Rules leave and come back as they were; an import neither revives what was withdrawn nor rewrites what stands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graphmem.errors import Conflict, InvalidInput
from graphmem.move import leave
from tests.memories import NOW, Clock
from tests.move.conftest import lines, write

Make = Callable[..., Any]


def lived(client: Any, clock: Clock) -> None:
    client.set_rule("r", "one", by="ada", conditions=["a = 1"], mentions=["x", "名"], decision="stop")
    clock.now = NOW.replace(microsecond=7)
    client.set_rule("r", "two\u2028", by="bob")
    client.set_rule("r", "other", by="bob", domain="plant")
    client.set_rule("q", "ended", by="ada")
    client.withdraw_rule("q", by="cat")


def test_rules_come_back_byte_equal_and_in_their_order(
    make: Make, clock: Clock, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leave, "PAGE", 2)
    monkeypatch.setattr(leave, "FULL", [{}] * 2)
    shared, ann = make(), make("ann")
    for client in (shared, ann):
        lived(client, clock)
    done = shared.export(file, everything=True)
    assert done.counts.rules == 8
    told = [one for one in lines(file)[1:] if one["kind"] == "rule"]
    keys = [(one.get("domain", ""), one["name"], one["version"], one["active"]) for one in told if "user" not in one]
    assert keys == [("", "q", 1, False), ("", "r", 1, False), ("", "r", 2, True), ("plant", "r", 1, True)]
    before = ann.rules(versions=True)
    shared.erase(everything=True)
    assert shared.load(file, everything=True).created == done.counts
    assert ann.rules(versions=True) == before
    again = file.with_name("again.jsonl")
    shared.export(again, everything=True)
    assert again.read_bytes() == file.read_bytes()
    loaded = shared.load(file, everything=True)
    assert (loaded.created.total, loaded.skipped) == (0, done.counts)
    assert shared.check(everything=True) == ()
    assert ann.set_rule("r", "three", by="ada").rule.version == 3


def test_a_scope_exports_its_own_rules_alone(make: Make, file: Path) -> None:
    shared, ann, bob = make(), make("ann"), make("bob")
    for client in (shared, ann, bob):
        client.set_rule("r", "words", by="ada")
    assert ann.export(file).counts.rules == 1
    assert [one["user"] for one in lines(file)[1:]] == ["ann"]


def test_what_was_withdrawn_meanwhile_stays_so(make: Make, file: Path) -> None:
    client = make()
    client.set_rule("r", "one", by="ada")
    client.export(file)
    client.withdraw_rule("r", by="bob")
    assert client.load(file).skipped.rules == 1
    assert client.rules() == ()


def test_an_older_version_comes_into_force_beside_no_newer_one(make: Make, file: Path) -> None:
    client = make()
    client.set_rule("r", "one", by="ada")
    client.set_rule("r", "two", by="ada")
    client.export(file)
    header, *rules = lines(file)
    for given, active in (([rules[0] | {"active": True}], [True]), ([rules[1]], [False, True]), (rules, [False, True])):
        target = make(suffix=f"-{len(active)}{len(given)}")
        if len(given) < 2 and len(active) == 2:
            target.set_rule("r", "one", by="ada")
        target.load(write(file, [header | {"tenant": header["tenant"] + f"-{len(active)}{len(given)}"}, *given]))
        found = sorted(target.rules(versions=True), key=lambda one: one.version)
        assert sum(one.active for one in found) == 1
        assert target.check() == ()
        target.erase(everything=True)


def test_a_version_that_is_withdrawn_here_lets_no_older_one_into_force(make: Make, file: Path) -> None:
    client = make()
    client.set_rule("r", "one", by="ada")
    client.export(file)
    header, rule = lines(file)
    client.erase(everything=True)
    client.load(write(file, [header, rule | {"version": 2, "active": False, "withdrawn_at": rule["at"]}]))
    client.load(write(file, [header, rule]))
    assert [(one.version, one.active) for one in client.rules(versions=True)] == [(2, False), (1, False)]


def test_of_two_that_say_that_they_are_in_force_one_is(make: Make, file: Path) -> None:
    client = make()
    client.set_rule("r", "one", by="ada")
    client.export(file)
    header, rule = lines(file)
    client.erase(everything=True)
    client.load(write(file, [header, rule | {"version": 2}, rule]))
    assert [(one.version, one.active) for one in client.rules(versions=True)] == [(2, True), (1, False)]
    assert client.check() == ()


def test_a_version_that_says_otherwise_is_a_conflict_and_nothing_is_overwritten(make: Make, file: Path) -> None:
    client = make()
    client.set_rule("r", "one", by="ada")
    client.export(file)
    client.erase(everything=True)
    client.set_rule("r", "another", by="ada")
    with pytest.raises(Conflict, match=r'rule \["", "r", 1\] is taken by other content'):
        client.load(file)
    assert client.load(file, lenient=True).left_out == 1
    assert [one.text for one in client.rules(versions=True)] == ["another"]


def test_rules_are_not_inherited(make: Make, file: Path) -> None:
    giver, heir = make("bob"), make("ann")
    giver.set_rule("r", "Answer at once.", by="bob")
    giver.record({"id": "e", "task": "t", "outcome": "success"})
    giver.export(file)
    done = heir.load(file, inherit=True)
    assert (done.created.episodes, done.created.rules) == (1, 0)
    assert heir.rules() == ()


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"name": " "}, "name: must not be blank"),
        ({"text": ""}, "text: must not be blank"),
        ({"version": 0}, "version"),
        ({"version": 2**63}, "version"),
        ({"version": 2**63 - 1}, "version"),
        ({"version": 2**53 + 1}, "version"),
        ({"conditions": ["monday"]}, 'is not "key = value"'),
        ({"withdrawn_at": "2025-01-01"}, "in force and withdrawn"),
        ({"scope": "s"}, "scope"),
        ({"user": "ann"}, "of another user"),
        ({"mentions": ["kim.lee@example.org"]}, "Rule.mentions holds what must not be kept"),
        ({"name": "kim.lee@example.org"}, "Rule.name holds what must not be kept"),
    ],
)
def test_what_is_no_rule_is_told_with_its_line(make: Make, file: Path, change: dict[str, Any], problem: str) -> None:
    client = make()
    client.set_rule("r", "one", by="ada")
    client.export(file)
    client.erase(everything=True)
    header, rule = lines(file)
    with pytest.raises(InvalidInput, match="line 2: .*" + problem) as told:
        client.load(write(file, [header, rule | change]))
    assert "kim.lee" not in str(told.value)
    assert client.rules(versions=True) == ()


def test_the_words_of_a_rule_in_a_file_are_redacted(make: Make, file: Path) -> None:
    client = make()
    client.set_rule("r", "one", by="ada")
    client.export(file)
    client.erase(everything=True)
    header, rule = lines(file)
    mail = "kim.lee@example.org"
    ended = {"active": False, "withdrawn_at": rule["at"], "withdrawn_by": mail}
    assert client.load(write(file, [header, rule | ended | {"text": f"Write to {mail}.", "by": mail}])).redacted == 1
    (one,) = client.rules(versions=True)
    assert mail not in one.model_dump_json()
    assert one.text.startswith("Write to [")


def test_after_the_greatest_version_of_a_file_there_is_room_for_more(make: Make, file: Path) -> None:
    client = make()
    client.set_rule("r", "one", by="ada")
    client.export(file)
    client.erase(everything=True)
    header, rule = lines(file)
    client.load(write(file, [header, rule | {"version": 2**53}]))
    assert client.set_rule("r", "two", by="ada").rule.version == 2**53 + 1


def test_what_an_erasure_took_from_a_rule_makes_an_older_file_no_other_content(make: Make, file: Path) -> None:
    client = make()
    client.set_rule("signed", "one", by="Frieda")
    client.set_rule("told", "Ask Frieda.", by="ada", mentions=["refund"], decision="stop")
    client.set_rule("ended", "one", by="ada")
    client.withdraw_rule("ended", by="Frieda")
    client.export(file)
    client.erase(subject="Frieda")
    after = client.rules(versions=True)
    assert client.load(file).skipped.rules == 3
    assert client.rules(versions=True) == after
    header, *rules = lines(file)
    for rule, change in (
        (rules[1], {"text": "other"}),
        (rules[1], {"at": "2020-01-01T00:00:00+00:00"}),
        (rules[2], {"by": "bob"}),
    ):
        with pytest.raises(Conflict, match="is taken by other content"):
            client.load(write(file, [header, rule | change]))
