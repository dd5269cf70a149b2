"""`graphmem review`, `retire`, `pin`, `history`, `retention` and `check`: JSON as the verbs give it, and text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.cli.shell import Inside

Cypher = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def recorded(wordy: Inside) -> Inside:
    for number, task in enumerate(("Descale the boiler", "Rotate the key")):
        wordy("record", "--id", f"e{number}", "--task", task, "--outcome", "success")
    wordy("record", "--kind", "reflection", "--id", "r", "--insight", "Acid works", "--source", "e0")
    wordy("record", "--kind", "skill", "--id", "s", "--name", "Descale", "--step", "soak", "--source", "r")
    return wordy


def test_what_waits_is_listed_and_decided(recorded: Inside) -> None:
    recorded("link", "e0", "e1", "--kind", "contradicts")
    waiting = recorded("review", "--json").json
    assert [(one["why"], one["id"], one["other"]) for one in waiting] == [
        ("candidate", "s", None),
        ("contradiction", "e0", "e1"),
    ]
    shown = recorded("review").out.splitlines()
    assert shown[0].startswith("candidate      skill    s   distinct successful attempts behind it: not counted yet")
    assert shown[1].split() == ["contradiction", "episode", "e0", "it", "contradicts", "e1", "Descale", "the", "boiler"]
    assert len(recorded("review", "--limit", "1", "--json").json) == 1
    done = recorded("review", "s", "--approve", "--by", "ada", "--reason", "tried it", "--json").json
    assert (done["status"], done["before"], done["verdict"], done["by"]) == ("active", "candidate", "approved", "ada")
    assert recorded("review", "s", "--approve", "--by", "bob").out == "approved by bob: s is active already\n"
    assert recorded("review", "e1", "--reject", "--by", "ada").out.splitlines() == [
        "rejected by ada: e1 is retired, it was active",
        "  settled with  e0",
    ]
    assert recorded("review").out == "nothing waits for a person\n"
    assert recorded("review", "--json").json == []
    assert recorded("get", "e1", "--json").json["status"] == "retired"


@pytest.mark.parametrize(
    "wrong",
    [
        ("review", "s"),
        ("review", "s", "--approve"),
        ("review", "s", "--approve", "--reject", "--by", "ada"),
        ("review", "--approve", "--by", "ada"),
        ("review", "--limit", "0"),
        ("retire",),
        ("pin",),
        ("history",),
        ("retention", "--budget", "-1"),
    ],
)
def test_a_wrong_call_is_told(graphmem: Inside, wrong: tuple[str, ...]) -> None:
    assert graphmem(*wrong).code == 2


def test_retire_and_pin(recorded: Inside) -> None:
    assert recorded("retire", "e0", "--by", "ada").out == "e0 is retired, it was active\n"
    assert recorded("retire", "e0", "--json").json["changed"] is False
    assert recorded("pin", "e1").out == "e1 is pinned\n"
    assert recorded("pin", "e1", "--json").json["memory"]["pinned"] is True
    assert recorded("pin", "e1", "--off").out == "e1 is not pinned\n"
    for command in (("retire", "no"), ("pin", "no"), ("history", "no"), ("review", "no", "--approve", "--by", "a")):
        assert recorded(*command).refusal.startswith("no memory no in this scope")
    assert "share=True" in recorded("pin", "e1", "--user", "ann").refusal
    assert recorded("pin", "e1", "--user", "ann", "--share").out == "e1 is pinned\n"


def test_history_as_json_and_as_text(recorded: Inside) -> None:
    recorded("correct", "--wrong", "e1", "--right", "e0", "--reason", "better")
    recorded("retire", "e0", "--by", "ada", "--reason", "old")
    told = recorded("history", "e0", "--json").json
    assert [one["id"] for one in told["results"]] == ["r", "s"]
    assert [one["id"] for one in told["corrects"]] == ["e1"]
    assert told["events"][0]["what"] == "retired"
    shown = recorded("history", "e0").out.splitlines()
    assert shown[0] == "episode e0, retired: Descale the boiler"
    assert "became:" in shown
    assert any(line.startswith("  reflection r, active: Acid works; derives") for line in shown)
    assert any(line.startswith("    skill s version 1, candidate: Descale; generalizes") for line in shown)
    assert any("retired by ada: old" in line for line in shown)


def test_retention_tells_before_it_does(recorded: Inside) -> None:
    recorded("record", "--id", "x", "--task", "t", "--outcome", "fail", "--expires-at", "2020-01-01")
    recorded("record", "--id", "o", "--task", "t", "--outcome", "fail", "--occurred-at", "2020-01-01")
    told = recorded("retention").out.splitlines()
    assert told[0] == "1 expired memories and 0 expired receipts would be deleted"
    assert told[1] == "1 faded and 0 beyond the budget, of 5 in use, would be archived"
    assert told[2].startswith("episode  o  ")
    assert recorded("get", "o", "--json").json["status"] == "active"
    done = recorded("retention", "--apply", "--budget", "2", "--json").json
    assert (done["expired"], done["faded"], done["excess"], done["applied"]) == (1, 1, 2, True)
    again = recorded("retention", "--apply", "--budget", "2").out.splitlines()
    assert again[1] == "0 faded and 0 beyond the budget, of 2 in use, were archived"
    assert recorded("retention", "--everything", "--json").json["scopes"] == 1
    assert "client of the tenant" in recorded("retention", "--everything", "--user", "ann").refusal


def test_check_ends_with_1_where_something_is_wrong(recorded: Inside, cypher: Cypher, tenant: str) -> None:
    assert recorded("check").out == "all is in order\n"
    assert recorded("check", "--json").json == []
    cypher("MATCH (m {tenant: $t, id: 'e0'}) SET m.successes = 7", t=tenant)
    told = recorded("check", "--everything")
    assert told.code == 1
    assert told.out.split()[:3] == ["counters", "e0", "-"]
    assert told.err.startswith("graphmem: counters: give the latest feedback on it again")
    assert recorded("check", "--json").code == 1
