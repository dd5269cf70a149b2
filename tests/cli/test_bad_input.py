"""What is refused is told in one line, with the right exit code, and nothing is stored."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.shell import Inside, clean, strict

WRONG_CALLS = [
    ("record",),
    ("record", "--task"),
    ("record", "--task", "t", "--outcome", "great"),
    ("record", "--task", "t", "--metadata", "[1]"),
    ("record", "--task", "t", "--metadata", "{"),
    ("record", "--task", "t", "--metadata", '{"a": NaN}'),
    ("record", "--task", "t", "--file", "x"),
    ("recall",),
    ("recall", "t", "--limit", "0"),
    ("recall", "t", "--limit", "101"),
    ("recall", "t", "--kind", "thought"),
    ("recall", "t", "--context", "linux"),
    ("recall", "t", "--json", "--prompt"),
    ("feedback", "r1"),
    ("feedback", "r1", "--outcome", "great"),
    ("correct", "--wrong", "a", "--right", "b"),
    ("get",),
    ("list", "--limit", "-1"),
    ("list", "--limit", "1001"),
    ("update", "a"),
    ("update", "a", "--tag", "x", "--no-tags"),
    ("link", "a"),
    ("link", "a", "b", "--weight", "2"),
    ("link", "a", "b", "--kind", "x]->() DETACH DELETE n //"),
    ("forget", "a"),
    ("--nonsense",),
]


@pytest.mark.parametrize("arguments", WRONG_CALLS, ids=" ".join)
def test_a_wrong_call_ends_with_2_before_anything_is_asked(arguments: tuple[str, ...]) -> None:
    ran = Inside(clean())(*arguments)
    assert ran.code == 2
    assert ran.out == ""
    assert "Error" in ran.err
    assert "Traceback" not in ran.err
    assert "\x1b" not in ran.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("record", "--task", "  "), "Episode.task: must not be blank"),
        (("record", "--title", "t"), "Episode.task: Field required"),
        (("record", "--task", "t", "--insight", "i"), "Episode.insight"),
        (("record", "--kind", "skill", "--name", "n"), "Skill.steps"),
        (("record", "--task", "t", "--id", "a b"), "Episode.id"),
        (("record", "--task", "t", "--occurred-at", "yesterday"), "Episode.occurred_at"),
        (("record", "--task", "t", "--tag", " "), "Episode.tags"),
        (("record", "--task", "t\udcff"), "lone surrogate"),
        (("record", "--task", "t", "--metadata", '{"a": 1e999}'), "finite"),
        (("record", "--task", "t", "--metadata", '{"a": "\\ud800"}'), "surrogate"),
        (("record", "--task", "t", "--metadata", '{"a":' * 500 + "1" + "}" * 500), "metadata"),
        (("record", "--kind", "reflection", "--insight", "i", "--source", "nobody"), "source"),
        (("record", "--file", "/nowhere/x.jsonl"), "cannot be read: No such file"),
        (("recall", " \u200b"), "Request.text: must not be blank"),
        (("recall", "t\udcff"), "lone surrogate"),
        (("feedback", "nobody", "--outcome", "success"), "no receipt nobody"),
        (("feedback", "no.json", "--outcome", "success"), "there is no file of that name either"),
        (("correct", "--wrong", "a", "--right", "a", "--reason", "r"), "cannot correct itself"),
        (("correct", "--wrong", "a", "--right", "b", "--reason", "r"), "no memory a"),
        (("get", "nobody"), "no memory nobody in this scope"),
        (("list", "--since", "yesterday"), "Filters.since"),
        (("update", "nobody", "--tag", "x"), "no memory nobody"),
        (("update", "nobody", "--metadata", '{"tenant": "x"}'), "metadata cannot set tenant"),
        (("link", "a", "a"), "cannot be linked to itself"),
        (("link", "a", "b"), "no memory a"),
        (("list", "--tenant", ""), "tenant '' is not a name"),
        (("list", "--user", " u"), "user ' u' is not a name"),
    ],
)
def test_what_is_refused_is_told_in_one_line(wordy: Inside, arguments: tuple[str, ...], said: str) -> None:
    assert said in wordy(*arguments).refusal
    assert wordy("list", "--json").json == []


@pytest.mark.parametrize("content", [b"", b"{}", b"[1]", b"not json", b"\xff\xfe{\0}\0", b"[" * 100_000])
def test_feedback_about_what_is_no_recall(wordy: Inside, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "recall.json"
    file.write_bytes(content)
    for source, stdin in ((file, b""), ("-", content)):
        refusal = wordy("feedback", source, "--outcome", "success", stdin=stdin).refusal
        assert "JSON" in refusal or "UTF-8" in refusal


def test_without_a_tenant_nothing_is_read(wordy: Inside) -> None:
    nobody = Inside({name: value for name, value in wordy.env.items() if name != "GRAPHMEM_TENANT"})
    for command in (("list",), ("get", "a"), ("recall", "t"), ("record", "--task", "t")):
        assert nobody(*command).refusal.startswith("no tenant")


def test_settings_that_lead_nowhere(wordy: Inside, tmp_path: Path) -> None:
    away = {"GRAPHMEM_NEO4J__URI": "bolt://127.0.0.1:9", "GRAPHMEM_NEO4J__TIMEOUT": "1"}
    assert "bolt://127.0.0.1:9" in wordy("get", "a", **away).refusal
    assert "127.0.0.1:9" in wordy("init", **away).refusal
    recall = wordy("recall", "t", "--json", **away)
    assert recall.code == 0, "the store away is an answer, not a failure"
    answer = strict(recall.out)
    assert answer["decision"] == "policy_only"
    assert any("no receipt was written" in warning for warning in answer["warnings"])
    assert "credentials" in wordy("get", "a", GRAPHMEM_NEO4J__PASSWORD="wrong").refusal
    assert "GRAPHMEM_NEO4J__TIMEOUT" in wordy("get", "a", GRAPHMEM_NEO4J__TIMEOUT="soon").refusal
    unset = {name: value for name, value in wordy.env.items() if not name.startswith("GRAPHMEM_NEO4J")}
    assert "graphmem up" in Inside(unset | {"GRAPHMEM_HOME": str(tmp_path)})("get", "a").refusal
