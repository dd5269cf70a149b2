"""`graphmem calibrate`, `metrics` and `judge`: JSON as the verbs give it, tables for people, questions for a judge."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graphmem.scope import Scope
from tests.cli.shell import Inside
from tests.measure.planting import Planter

TASKS = ("Descale the espresso machine", "Rotate the API key of the mailer", "Free space on the build server")


@pytest.fixture
def planter(cypher: Callable[..., list[dict[str, Any]]], tenant: str) -> Planter:
    return Planter(cypher, Scope(tenant))


@pytest.fixture
def recorded(graphmem: Inside) -> Inside:
    for number, task in enumerate(TASKS):
        graphmem("record", "--id", f"e{number}", "--task", task, "--outcome", "success", "--domain", "plant")
    return graphmem


def test_calibrate_go_back_and_look_at_the_history(recorded: Inside, planter: Planter) -> None:
    command = ("calibrate", "--domain", "plant")
    assert recorded(*command).refusal.startswith("0 labelled recalls are too few to keep false hits at 0.05: 50 are")
    assert recorded(*command, "--rollback").refusal.startswith("no parameters are active for domain 'plant'")
    assert recorded(*command, "--history", "--json").json == []
    assert recorded(*command, "--history").out == ""
    planter.labelled(60, "e0", domain="plant")
    done = recorded(*command, "--false-hit-rate", "0.1", "--by", "ada", "--json").json
    assert (done["version"], done["labelled"], done["fit"]["chosen_on"], done["fit"]["fitted_on"]) == (1, 60, 20, 40)
    assert done["parameters"]["version"] == 1
    shown = recorded(*command, "--false-hit-rate", "0.2").out
    assert "version 2   is active for domain plant" in shown
    assert "60 recalls: 20 to choose by, 40 for θ" in shown
    assert "at most 20.0% expected" in shown
    assert "0 recalls have right and wrong memories" in shown
    history = recorded(*command, "--history", "--json").json
    assert [(row["parameters"]["version"], row["active"], row["by"]) for row in history] == [
        (2, True, "caller"),
        (1, False, "ada"),
    ]
    assert recorded(*command, "--history").out.splitlines()[1].startswith("2 active  ")
    back = recorded(*command, "--rollback", "--json").json
    assert (back["before"], back["version"]) == (2, 1)
    assert back["parameters"] == done["parameters"]
    assert recorded(*command, "--rollback", "--to", "2").out == "version 2 is active\n"
    assert recorded(*command, "--rollback", "--to", "0").out == "no version is active\n"
    assert recorded(*command, "--rollback", "--to", "7").refusal.startswith("no version 7")


@pytest.mark.parametrize(
    "wrong",
    [
        ("calibrate", "--to", "1"),
        ("calibrate", "--rollback", "--history"),
        ("calibrate", "--rollback", "--to", "-1"),
        ("judge",),
        ("judge", "a task", "--recall", "r1"),
        ("judge", "--recall", "r1"),
        ("judge", "--file", "x", "--relevant", "e0"),
        ("judge", "a task", "--limit", "0"),
    ],
)
def test_a_wrong_call_is_told(graphmem: Inside, wrong: tuple[str, ...]) -> None:
    assert graphmem(*wrong).code == 2


def test_a_false_hit_rate_that_is_none_is_refused(graphmem: Inside) -> None:
    assert "false_hit_rate" in graphmem("calibrate", "--false-hit-rate", "5").refusal


def test_metrics_as_json_and_as_tables(recorded: Inside, planter: Planter) -> None:
    empty = recorded("metrics")
    assert empty.out.startswith("0 contexts were new")
    for number in (1, 2):
        failed = (
            "--id",
            f"f{number}",
            "--task",
            "mend",
            "--outcome",
            "fail",
            "--failure-reason",
            f"timeout after {number} s",
        )
        recorded("record", *failed, "--domain", "plant")
    wrong = [planter.edge("e0"), planter.edge("e0", misled="x")]
    planter.plant([
        (planter.receipt(1, domain="plant"), [planter.edge("e0", used=True)]),
        (planter.receipt(2, domain="plant", outcome="fail"), wrong),
        (planter.receipt(3, decision="novel", outcome=None), []),
    ])  # fmt: skip
    measured = recorded("metrics", "--domain", "plant", "--json").json
    assert measured["domains"][0]["false_hit_rate"] == 0.5
    assert measured["patterns"][0]["count"] == 2
    shown = recorded("metrics").out.splitlines()
    heads = ["domain", "asked", "use", "verify", "novel", "labelled", "false_hits", "rate", "judged", "precision@3"]
    assert shown[0].split() == heads
    assert shown[1].split() == ["-", "1", "0", "0", "1", "0", "0", "-", "0", "-"]
    assert shown[2].split() == ["plant", "2", "2", "0", "0", "2", "1", "50.0%", "0", "-"]
    assert shown[3] == "1 contexts were new, 0 asked again, 0 answered since"
    assert "attempts without memory: 0 success, 0 mixed, 0 fail, 1 unknown" in shown
    assert shown[-1].split()[:2] == ["2", "plant"]
    assert "timeout after" in shown[-1]


def test_judge_without_questions(recorded: Inside) -> None:
    told = recorded("judge", "descale the coffee machine", "--relevant", "e0", "--irrelevant", "e1", "--json").json
    (one,) = told["judged"]
    assert (one["relevant"], one["irrelevant"]) == (["e0"], ["e1"])
    assert (told["k"], told["ranked"], told["relevant"], told["precision"]) == (3, 2, 1, 0.5)
    again = ("judge", "--recall", one["recall_id"], "--irrelevant", "e0")
    assert recorded(*again).out == "1 recall judged, precision@3 0.00 (0 of 1)\n"
    assert recorded(*again, "--relevant", "e1", "--json").json["precision"] == 0.5
    both = recorded(
        "judge", "descale the coffee machine", "--relevant", "e0", "--irrelevant", "e1", "--irrelevant", "e2"
    )
    assert both.out == "1 recall judged, precision@3 0.33 (1 of 3)\n"
    assert "no memory nobody" in recorded("judge", "descale", "--relevant", "nobody").refusal


def test_judge_asks_for_each_memory(recorded: Inside) -> None:
    asked = recorded("judge", "descale the coffee machine", "--domain", "plant", stdin="y\nmaybe\nN\ns\n")
    assert asked.code == 0
    assert "1. episode e0: Descale the espresso machine" in asked.err
    assert asked.err.count("y relevant, n not, s skip, q quit") == 4
    assert asked.out == "1 recall judged, precision@3 0.50 (1 of 2)\n"


def test_judge_goes_through_a_file_until_it_is_told_to_stop(recorded: Inside, tmp_path: Path) -> None:
    file = tmp_path / "tasks.txt"
    file.write_text("descale the coffee machine\n\nrotate the key\nfree the disk\n", "utf-8")
    asked = recorded("judge", "--file", file, "--limit", "1", "--json", stdin="y\nn\nq\n")
    assert [len(one["relevant"]) for one in asked.json["judged"]] == [1, 0]
    asked = recorded("judge", "--file", file, "--limit", "1", stdin="y\n")
    assert asked.out == "1 recall judged, precision@1 1.00 (1 of 1)\n", "the end of the input quits"
    assert recorded("judge", "--file", file, stdin="q\n").out == "0 recalls judged\n"
    assert "cannot be read" in recorded("judge", "--file", tmp_path / "nothing").refusal


def test_judge_where_nothing_is_remembered(graphmem: Inside) -> None:
    asked = graphmem("judge", "descale the coffee machine", stdin="")
    assert asked.out == "0 recalls judged\n"
    assert "nothing was found to judge" in asked.err
