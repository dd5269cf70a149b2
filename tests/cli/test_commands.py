"""Every command that works with memories: its data as strict JSON, and its text for people."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path

from tests.cli.shell import Inside

EPISODE = (
    "--id", "e1", "--task", "Descale the espresso machine", "--outcome", "success", "--title", "Descaling",
    "--summary", "citric acid, twice", "--domain", "kitchen", "--task-type", "upkeep", "--toolchain", "citric acid",
    "--tag", "coffee", "--tag", "acid", "--evidence", "the flow is back", "--technique", "soak",
    "--occurred-at", "2025-03-30T02:30:00+02:00", "--expires-at", "2999-01-01", "--source-ref", "log 7",
    "--metadata", '{"grams": 20, "note": null, "名": ["é"]}',
)  # fmt: skip


def test_an_episode_from_options_comes_back_as_it_was_given(graphmem: Inside) -> None:
    recorded = graphmem("record", *EPISODE, "--json").json
    assert recorded == {"id": "e1", "result": "created", "status": "active", "problem": ""}
    assert graphmem("record", *EPISODE, "--json").json["result"] == "unchanged"
    stored = graphmem("get", "e1", "--json").json
    memory = stored["memory"]
    assert stored["kind"] == "episode"
    assert memory["task"] == "Descale the espresso machine"
    assert memory["tags"] == ["coffee", "acid"]
    assert memory["techniques"] == ["soak"]
    assert memory["outcome_evidence"] == "the flow is back"
    assert memory["metadata"] == {"grams": 20, "note": None, "名": ["é"]}
    assert memory["occurred_at"] == "2025-03-30T00:30:00+00:00"
    for moment in (memory["expires_at"], stored["created_at"], stored["updated_at"]):
        assert datetime.fromisoformat(moment).utcoffset() == timedelta(0)
    shown = graphmem("get", "e1").out
    assert "citric acid, twice" in shown
    assert '{"grams": 20, "note": null, "名": ["é"]}' in shown


def test_reflections_and_skills_from_options(wordy: Inside) -> None:
    wordy("record", "--id", "e1", "--task", "Descale the machine", "--outcome", "success")
    lesson = ("--kind", "reflection", "--id", "r1", "--insight", "Acid dissolves scale", "--condition", "water = hard")
    assert wordy("record", *lesson, "--source", "e1", "--json").json["status"] == "active"
    skill = ("--kind", "skill", "--id", "s1", "--name", "Descale", "--step", "heat", "--step", "soak")
    assert wordy("record", *skill, "--source", "r1", "--approved-by", "Ann", "--json").json["status"] == "active"
    listed = {row["id"]: row["memory"] for row in wordy("list", "--json").json}
    assert listed["r1"]["sources"] == ["e1"]
    assert listed["r1"]["conditions"] == ["water = hard"]
    assert listed["s1"]["steps"] == ["heat", "soak"]
    assert listed["s1"]["approved_by"] == "Ann"


def test_recall_in_all_its_forms(graphmem: Inside) -> None:
    graphmem("record", *EPISODE)
    question = (
        "recall",
        "descale the coffee machine",
        "--domain",
        "kitchen",
        "--tag",
        "acid",
        "--context",
        "water=hard",
    )
    recall = graphmem(*question, "--json").json
    assert recall["decision"] == "use"
    assert [hit["id"] for hit in recall["hits"]] == ["e1"]
    assert recall["request"]["context"] == {"water": "hard"}
    assert recall["warnings"] == []
    text = graphmem(*question)
    assert text.code == 0
    assert text.out.startswith("use: ")
    assert "episode e1, success" in text.out
    assert "semantic" in graphmem(*question, "--explain").out
    assert '<memory id="e1" kind="episode"' in graphmem(*question, "--prompt").out


def test_a_novel_recall_is_an_answer(graphmem: Inside) -> None:
    recall = graphmem("recall", "repair a bicycle tyre", "--json").json
    assert recall["decision"] == "novel"
    assert recall["budget"]["attempts"] >= 1
    text = graphmem("recall", "repair a bicycle tyre")
    assert text.code == 0
    assert "attempts without memory" in text.out


def test_feedback_by_id_from_stdin_and_from_a_file(graphmem: Inside, tmp_path: Path) -> None:
    graphmem("record", *EPISODE)
    printed = graphmem("recall", "descale the coffee machine", "--json").out
    id_ = graphmem("recall", "descale the coffee machine").out.split()[-1]
    said = graphmem("feedback", id_, "--outcome", "success", "--used", "e1", "--json").json
    told = {"recall_id": id_, "outcome": "success", "used": ["e1"], "misled": [], "warnings": [], "queued": False}
    assert said == told
    said = graphmem("feedback", "-", "--outcome", "success", "--used", "e1", "--json", stdin=printed).json
    assert said["used"] == ["e1"]
    assert graphmem("get", "e1", "--json").json["successes"] == 2
    file = tmp_path / "recall.json"
    file.write_bytes(b"\xef\xbb\xbf" + printed.replace("\n", "\r\n").encode())
    text = graphmem("feedback", file, "--outcome", "fail", "--misled", "e1", "--reason", "wrong acid").out
    assert "ended with fail" in text
    assert "misled  e1" in text
    assert graphmem("get", "e1", "--json").json["successes"] == 1, "the latest word on a recall counts"


def test_a_correction_takes_the_place_of_what_was_wrong(graphmem: Inside) -> None:
    graphmem("record", "--id", "wrong", "--task", "Descale the espresso machine with vinegar", "--outcome", "success")
    graphmem("record", "--id", "right", "--task", "Use citric acid on the seals", "--outcome", "success")
    ruling = ("--wrong", "wrong", "--right", "right", "--reason", "vinegar eats the seals", "--by", "Ann")
    made = graphmem("correct", *ruling, "--json").json
    assert (made["wrong"], made["right"], made["everywhere"]) == ("wrong", "right", True)
    hits = graphmem("recall", "descale the espresso machine with vinegar", "--json").json["hits"]
    assert [(hit["id"], hit["replaces"]) for hit in hits] == [("right", "wrong")]
    assert graphmem("correct", *ruling).out == "right takes the place of wrong everywhere\n"


def test_list_filters_and_update_and_link(wordy: Inside) -> None:
    rows = [
        {"id": "a", "task": "first", "outcome": "success", "tags": ["x"], "occurred_at": "2025-01-01T00:00:00Z"},
        {"id": "b", "task": "second", "outcome": "fail", "tags": ["x", "y"], "occurred_at": "2025-01-02T00:00:00Z"},
        {"id": "c", "task": "third", "domain": "kitchen", "occurred_at": "2025-01-03T00:00:00Z"},
    ]
    assert wordy("record", "--file", "-", stdin="\n".join(map(_json, rows))).out == "3 created\n"
    assert _ids(wordy, "--since", "2025-01-02", "--until", "2025-01-03") == ["b"]
    assert _ids(wordy, "--tag", "x", "--outcome", "success") == ["a"]
    assert _ids(wordy, "--status", "audit", "--kind", "episode", "--domain", "kitchen") == ["c"]
    assert _ids(wordy, "--limit", "1", "--skip", "1") == ["b"]
    lines = wordy("list").out.splitlines()
    assert [line.split()[0] for line in lines] == ["c", "b", "a"]
    updated = wordy("update", "a", "--tag", "z", "--metadata", '{"n": 1}', "--expires-at", "2999-01-01", "--json").json
    assert updated["memory"]["tags"] == ["z"]
    assert updated["memory"]["metadata"] == {"n": 1}
    assert updated["memory"]["expires_at"] == "2999-01-01T00:00:00+00:00"
    assert wordy("update", "a", "--no-tags", "--json").json["memory"]["tags"] == []
    made = wordy("link", "a", "b", "--kind", "follows", "--weight", "0.5", "--json").json
    assert made == {"start": "a", "end": "b", "kind": "follows", "weight": 0.5, "by": "caller"}
    assert wordy("link", "b", "a").out == "a is linked to b: similar, weight 1\n"


def test_a_scope_is_given_to_the_root_or_to_the_command(wordy: Inside, tenant: str) -> None:
    apart = Inside({name: value for name, value in wordy.env.items() if name != "GRAPHMEM_TENANT"})
    mine = ("--tenant", tenant, "--user", "u7")
    apart("record", *mine, "--id", "own", "--task", "mine alone", "--outcome", "success")
    apart(*mine, "record", "--id", "shared", "--task", "for all", "--outcome", "success", "--share")
    assert {row["id"] for row in apart(*mine, "list", "--json").json} == {"own", "shared"}
    assert {row["id"] for row in apart("list", "--json", *mine).json} == {"own", "shared"}
    assert [row["id"] for row in apart("--tenant", "nobody", "list", "--tenant", tenant, "--json").json] == ["shared"]
    assert apart("list", "--user", "u7").refusal.startswith("no tenant")


def test_what_others_stored_cannot_steer_the_terminal(wordy: Inside) -> None:
    wordy("record", "--id", "e", "--task", "nice\x1b]0;owned\x07 \u202eevil\nsecond line", "--outcome", "success")
    for command in (("list",), ("get", "e"), ("recall", "nice"), ("recall", "nice", "--prompt")):
        shown = wordy(*command).out
        assert "nice" in shown
        assert not {"\x1b", "\x07", "\u202e"} & set(shown)
    assert wordy("get", "e", "--json").json["memory"]["task"] == "nice\x1b]0;owned\x07 \u202eevil\nsecond line"


def _json(row: object) -> str:
    return json.dumps(row)


def _ids(shell: Inside, *filters: str) -> list[str]:
    return [row["id"] for row in shell("list", "--json", *filters).json]
