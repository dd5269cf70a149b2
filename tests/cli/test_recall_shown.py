"""`graphmem recall` as a prompt within a budget, as an explanation and as a picture."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.cli.shell import Inside

TASK = "Descale the boiler"


@pytest.fixture
def kept(wordy: Inside) -> Inside:
    """A command line that keeps one success and one failure."""
    for id_, outcome in (("won", "success"), ("lost", "fail")):
        assert wordy("record", "--id", id_, "--task", f"{TASK} {id_}", "--outcome", outcome).code == 0
    return wordy


def test_a_prompt_keeps_to_its_budget(kept: Inside) -> None:
    whole = kept("recall", TASK, "--prompt").out
    assert [whole.index(f'id="{id_}"') for id_ in ("won", "lost")] == sorted(
        map(whole.index, ('id="won"', 'id="lost"'))
    )
    budget = len(whole) // 4 - 10
    short = kept("recall", TASK, "--prompt", "--tokens", str(budget)).out
    assert len(short.rstrip("\n")) <= 4 * budget
    assert "Left out for length: 1 of 2 memories." in short
    for wrong in (("--tokens", "9"), ("--prompt", "--tokens", "0")):
        assert kept("recall", TASK, *wrong).code == 2


def test_an_explanation_says_it_all(kept: Inside) -> None:
    told = kept("recall", TASK, "--explain").out
    for part in ("verify: ", "words alone", "θ", "δ", "parameters version 0", "semantic", "false hit", "episode won"):
        assert part in told
    assert told.count("\x1b") == 0


def test_a_picture_is_written_beside_what_is_printed(kept: Inside, tmp_path: Path) -> None:
    page = tmp_path / "recall.html"
    assert kept("recall", TASK, "--json", "--html", page).json["decision"] == "verify"
    assert f"{TASK} lost" in page.read_text("utf-8")
    ran = kept("recall", TASK, "--html", tmp_path / "nowhere" / "recall.html")
    assert ran.code == 1
    assert "cannot be written" in ran.err
    assert "\nrecall " in ran.out


def test_without_the_extra_nothing_is_asked_for_a_picture(kept: Inside, tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "neo4j_viz", None)
        patch.delitem(sys.modules, "graphmem.recall.picture", raising=False)
        ran = kept("recall", TASK, "--html", tmp_path / "recall.html")
    assert ran.refusal == "neo4j-viz is not installed; run: pip install 'graphmem[viz]'"
    assert ran.out == ""
    assert sum(one["asked"] for one in kept("metrics", "--json").json["domains"]) == 0


def test_techniques_and_difficulty_narrow_it_down(wordy: Inside, tmp_path: Path) -> None:
    file = tmp_path / "memories.jsonl"
    plain = {"task": TASK, "outcome": "success"}
    items = [plain | {"id": id_, "techniques": [id_], "difficulty": n} for id_, n in (("acid", 0.2), ("steam", 0.8))]
    file.write_text("".join(json.dumps(item) + "\n" for item in items))
    assert wordy("record", "--file", file).code == 0
    for options, left in (
        ((), {"acid", "steam"}),
        (("--technique", "acid"), {"acid"}),
        (("--difficulty", "0.5", "1"), {"steam"}),
        (("--technique", "acid", "--difficulty", "0.5", "1"), set()),
    ):
        found = wordy("recall", TASK, "--json", *options).json
        assert {one["id"] for one in found["candidates"]} == left
    assert "difficulty" in wordy("recall", TASK, "--difficulty", "0.9", "0.1").refusal
