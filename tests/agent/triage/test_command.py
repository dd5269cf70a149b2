"""`graphmem triage`: messages from JSON Lines, a fault for each bad line, and a person's word."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graphmem import Settings
from graphmem.settings import Connection
from tests.cli.shell import Inside, environment
from tests.endpoint import Endpoint, said

FYI = "Weekly FYI: the sales figures of last week, no action needed"
ASK = "Can you approve the purchase order for the office chairs today?"


@pytest.fixture
def graphmem(settings: Settings, at: Connection, tenant: str) -> Inside:
    return Inside(environment(settings, at, tenant))


def lines(*values: Any) -> str:
    return "".join((value if isinstance(value, str) else json.dumps(value)) + "\n" for value in values)


def test_it_learns_decides_and_is_reviewed(graphmem: Inside, tenant: str) -> None:
    known = lines(
        {"id": "m1", "tenant": tenant, "body": FYI, "route": "ignore", "feedback_ref": "form:1"},
        {"id": "m2", "tenant": tenant, "body": ASK, "route": "respond", "reasoning": "they wait"},
    )
    told = graphmem("triage", "learn", "-", "--by", "ada", "--json", stdin=known).json
    assert [(one["message"], one["changed"], one["problem"]) for one in told] == [("m1", True, ""), ("m2", True, "")]
    assert graphmem("triage", "learn", "-", "--by", "ada", stdin=known).out.count("was learnt already") == 2
    asked = lines(
        {"id": "m3", "tenant": tenant, "body": f"{ASK} Thanks"}, {"id": "m4", "tenant": tenant, "body": f"{FYI}."}
    )
    first, second = graphmem("triage", "decide", "-", "--json", stdin=asked).json
    assert (first["route"], second["route"], first["by"]) == ("respond", "ignore", "examples")
    assert (first["trace"]["top"][0]["id"], second["examples"][0]["feedback_ref"]) == (told[1]["id"], "form:1")
    done = graphmem("triage", "review", first["episode"], "--route", "notify", "--by", "bob", "--json").json
    assert (done["accepted_route"], done["changed"]) == ("notify", True)
    again = graphmem("triage", "review", first["episode"], "--route", "notify", "--by", "bob").out
    assert again == f"{done['accepted']} is accepted: notify, as it was already\n"
    shown = graphmem("triage", "decide", "-", "--audit", "--dry-run", stdin=asked).out
    assert f"message m3 of {tenant}, domain email" in shown
    assert graphmem("triage", "review", second["episode"], "--accept", "--by", "bob").code == 0
    assert len(graphmem("list", "--limit", "50", "--json").json) == 5


def test_bad_lines_are_told_and_the_others_go_on(graphmem: Inside, tenant: str) -> None:
    given = lines(
        {"id": "m1", "tenant": tenant, "body": FYI},
        "{",
        {"id": "m2", "body": FYI},
        [1],
        {"id": "m3", "tenant": tenant, "body": " "},
        {"id": "m4", "tenant": tenant, "body": FYI, "colour": "red"},
        {"id": "m5", "tenant": tenant, "body": ASK},
    )
    ran = graphmem("triage", "decide", "-", "--json", stdin=given)
    assert ran.code == 1
    assert [one["trace"]["message"] for one in json.loads(ran.out)] == ["m1", "m5"]
    faults = [one for one in ran.err.splitlines() if not one.endswith("messages done so far")]
    assert [fault.split(":")[1].strip() for fault in faults] == [f"line {n}" for n in (2, 3, 4, 5, 6)]
    assert "names no tenant" in faults[1]
    ran = graphmem("triage", "learn", "-", "--by", "ada", stdin=given)
    assert (ran.code, ran.out, len(ran.err.splitlines())) == (1, "", 7)


def test_a_policy_and_a_model_are_named_or_refused(graphmem: Inside, tenant: str, tmp_path: Path) -> None:
    message = lines({"id": "m1", "tenant": tenant, "body": FYI})
    (tmp_path / "policy.txt").write_text("Everything is told.", "utf-8")
    assert graphmem("triage", "decide", "-", "--default", "ignore", stdin=message).out.split()[1] == "ignore"
    assert "none of respond" in graphmem("triage", "decide", "-", "--default", "burn", stdin=message).refusal
    assert (
        "cannot be read as a policy" in graphmem("triage", "decide", "-", "--policy", "nowhere", stdin=message).refusal
    )
    assert "GRAPHMEM_LLM__MODEL" in graphmem("triage", "decide", "-", "--agent", "openai", stdin=message).refusal
    assert graphmem("triage", "decide", "-", "--agent", "oracle", stdin=message).code == 2
    with Endpoint([said({"route": "respond", "reasoning": "why not"})]) as endpoint:
        model = {"GRAPHMEM_LLM__MODEL": "m", "GRAPHMEM_LLM__BASE_URL": f"{endpoint.address}/v1"}
        path = str(tmp_path / "policy.txt")
        ran = graphmem("triage", "decide", "-", "--agent", "openai", "--policy", path, "--json", stdin=message, **model)
        assert (ran.json[0]["route"], ran.json[0]["by"]) == ("respond", "model")
        assert "Everything is told." in endpoint.chats[0].system


@pytest.mark.parametrize(
    "wrong",
    [
        ("review", "x", "--by", "ada"),
        ("review", "x", "--accept", "--route", "ignore", "--by", "ada"),
        ("review", "x", "--accept"),
        ("learn", "-"),
        ("decide",),
    ],
)
def test_half_a_command_is_a_usage_error(graphmem: Inside, wrong: tuple[str, ...]) -> None:
    assert graphmem("triage", *wrong).code == 2


def test_the_empty_file_is_an_answer(graphmem: Inside) -> None:
    assert graphmem("triage", "decide", "-", "--json").json == []
    assert "cannot be read" in graphmem("triage", "decide", "nowhere.jsonl").refusal
