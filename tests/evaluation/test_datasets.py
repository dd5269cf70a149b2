"""The data sets as they are read: what is remembered, what is asked, what judges it, and what is told of a bad file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graphmem import Episode, Outcome, Reflection, Skill
from graphmem.errors import InvalidInput
from graphmem.measure.evaluate.command import main, read
from graphmem.measure.evaluate.data import Ask, DataSet, Known
from graphmem.measure.evaluate.judge import Judge
from graphmem.measure.evaluate.sets import SETS, load
from tests.evaluation import files


def known(data: DataSet) -> list[Known]:
    return [one for stage in data.stages for one in stage.known]


def asks(data: DataSet) -> list[Ask]:
    return [ask for stage in data.stages for ask in stage.asks]


def test_clinc150(tmp_path: Path) -> None:
    files.clinc150(tmp_path)
    data = load("clinc150", tmp_path, 0)
    assert data.novelty
    assert {(one.item.domain, one.group) for one in known(data)} == {("home", "weather"), ("utility", "alarm")}
    assert len(known(data)) == 8
    assert [len(ask.groups) for ask in asks(data)] == [1] * 8 + [0] * 4
    assert {ask.text for ask in asks(data) if not ask.groups} == set(files.STRANGE)
    assert all(one.item.searchable() in files.REPLIES[one.group] for one in known(data))
    assert len(data.paraphrases) == 8
    assert load("clinc150", tmp_path, 0) == data
    assert [ask.text for ask in asks(load("clinc150", tmp_path, 1))] != [ask.text for ask in asks(data)]


def test_runbooks(tmp_path: Path) -> None:
    files.runbooks(tmp_path)
    data = load("runbooks", tmp_path, 0)
    assert [one.group for one in known(data)] == ["one/DiskFull.md", "two/ClockSkew.md"]
    for one in known(data):
        assert isinstance(one.item, Skill)
        assert one.item.approved_by
        text = one.item.searchable()
        assert "DiskFull" not in text
        assert "Disk Full" not in text
        assert "ClockSkew" not in text
    assert "Delete logs." in known(data)[0].item.searchable()
    (ask,) = asks(data)  # one alert lists no runbook, another says nothing
    assert (ask.text, ask.groups) == ("No space. A volume is full.", {"one/DiskFull.md"})


def test_tau_bench(tmp_path: Path) -> None:
    files.tau_bench(tmp_path)
    data = load("tau_bench", tmp_path, 0)
    assert data.graded
    item = known(data)[0].item
    assert isinstance(item, Episode)
    assert item.outcome is Outcome.FAIL
    assert known(data)[1].better
    judge = Judge(data)
    judge.learn(known(data))
    for own, ask in zip(known(data), asks(data), strict=True):
        bar = judge.bar(ask)
        assert own.id not in bar.relevant
        assert len(bar.relevant) == 3
        assert len(bar.better) == (1 if own.better else 2)
    assert not any("secret" in str(one.item.model_dump()) for one in known(data))


def test_reflexion_in_the_order_of_trial(tmp_path: Path) -> None:
    files.alfworld(tmp_path)
    data = load("reflexion_alfworld", tmp_path, 0)
    assert [(len(stage.known), len(stage.asks)) for stage in data.stages] == [(0, 0), (3, 3), (1, 1)]
    assert all(isinstance(one.item, Reflection) for one in known(data))
    judge = Judge(data)
    judge.learn(data.stages[1].known)
    base, lamp, other = data.stages[1].asks
    assert base.excluded == {data.stages[1].known[0].id}
    assert judge.bar(base).relevant == {data.stages[1].known[2].id}  # the lesson of the other run
    assert not judge.bar(base).better  # nobody has tried it yet
    assert not judge.bar(lamp).relevant
    judge.credit(data.stages[1].asks)
    judge.learn(data.stages[2].known)
    (last,) = data.stages[2].asks
    assert "clean the plate" in last.text
    assert len(judge.bar(last).relevant) == 2
    assert judge.bar(last).better == {data.stages[1].known[0].id}  # followed by the success of the base run
    assert other.evidence is not None
    assert not other.evidence.succeeded


def test_only_the_attempt_that_follows_a_lesson_is_its_evidence(tmp_path: Path) -> None:
    lines = [
        files.attempt("base", 0, False, [], ["Look behind the door."]),
        files.attempt("base", 1, False, ["Look behind the door."], []),
        files.attempt("base", 2, True, ["Look behind the door."], []),
    ]
    files.write_lines(tmp_path / "reflexion" / "webshop.jsonl", lines)
    first, second = asks(load("reflexion_webshop", tmp_path, 0))
    assert first.evidence is not None
    assert second.evidence is None


def test_hotpotqa(tmp_path: Path) -> None:
    files.hotpotqa(tmp_path)
    data = load("reflexion_hotpotqa", tmp_path, 0)
    assert [(len(stage.known), len(stage.asks)) for stage in data.stages] == [(0, 0), (2, 1), (1, 1)]
    assert [one.better for one in known(data)] == [False, False, True]
    texts = [one.item.searchable() for one in known(data)]
    assert texts[2] == "Which band is older?\nIt is b.\nAction 2: Finish[a]"
    assert not any("Correct answer" in text or "Answer is" in text for text in texts)


def test_email_intent(tmp_path: Path) -> None:
    files.email(tmp_path)
    data = load("email_intent", tmp_path, 0)
    assert [one.group for one in known(data)] == ["tells", "asks"]  # equal sentences are one, blank ones none
    assert [ask.groups for ask in asks(data)] == [{"asks"}, {"tells"}]
    assert "recall@10" not in data.metrics


def test_ids_tell_nothing(tmp_path: Path) -> None:
    for write in (files.clinc150, files.runbooks, files.tau_bench, files.alfworld, files.hotpotqa, files.email):
        write(tmp_path)
    for name in SETS:
        if name != "reflexion_webshop":
            ids = [one.id for one in known(load(name, tmp_path, 0))]
            assert len(set(ids)) == len(ids)
            assert all(len(one) == 16 and int(one, 16) >= 0 for one in ids)


@pytest.mark.parametrize("name", SETS)
def test_a_missing_file_is_named(name: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"is not there; give --data the folder that holds it"):
        load(name, tmp_path, 0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"text": "a", "asks_for_action": true}\n{"text"', "line 2 of .*ask_train.jsonl is not JSON"),
        ("[]", "line 1 of .* is no JSON object"),
        ('{"text": "a"}', "line 1 of .* has no 'asks_for_action'"),
        ("\udcff", "cannot be read"),
    ],
)
def test_a_damaged_line_is_told_with_its_place(text: str, said: str, tmp_path: Path) -> None:
    files.email(tmp_path)
    (tmp_path / "email" / "ask_train.jsonl").write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(InvalidInput, match=said):
        load("email_intent", tmp_path, 0)


def test_files_that_do_not_belong_together_are_told(tmp_path: Path) -> None:
    files.clinc150(tmp_path)
    (tmp_path / "clinc150" / "domains.json").write_text(json.dumps({"home": ["weather"]}), "utf-8")
    with pytest.raises(InvalidInput, match=r"domains.json names no domain of intent 'alarm'"):
        load("clinc150", tmp_path, 0)
    (tmp_path / "clinc150" / "data_full.json").write_text(json.dumps({"train": []}), "utf-8")
    with pytest.raises(InvalidInput, match=r"data_full.json has no list 'test'"):
        load("clinc150", tmp_path, 0)
    files.runbooks(tmp_path)
    (tmp_path / "runbooks" / "one" / "DiskFull.md").unlink()
    with pytest.raises(InvalidInput, match=r"DiskFull.md is not there, but alert DiskFull lists it"):
        load("runbooks", tmp_path, 0)
    files.write_lines(tmp_path / "reflexion" / "webshop.jsonl", [files.attempt("base", 1, False, ["Unheard of."], [])])
    with pytest.raises(InvalidInput, match="base, env_1, trial 1 holds a lesson that no trial wrote"):
        load("reflexion_webshop", tmp_path, 0)


def test_everything_that_lacks_is_told_at_once_before_anything_starts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files.email(tmp_path)
    with pytest.raises(InvalidInput) as told:
        read(list(SETS), tmp_path, 0)
    assert [name for name in SETS if f"{name}: " in str(told.value)] == [
        name for name in SETS if name != "email_intent"
    ]
    arguments = ["--data", str(tmp_path), "--json", str(tmp_path / "out.json"), "--only", "nonsense"]
    assert main(lambda *_: None, arguments) == 2  # type: ignore[arg-type]  # never called
    assert "no data set is called 'nonsense'" in capsys.readouterr().err
    assert not (tmp_path / "out.json").exists()


@pytest.mark.parametrize("option", ["--json", "--page"])
def test_a_file_that_cannot_be_written_is_told_before_anything_is_read(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--data", str(tmp_path / "none"), "--json", str(tmp_path / "out.json"), option, str(tmp_path)]
    assert main(lambda *_: None, arguments) == 2  # type: ignore[arg-type]  # never called
    assert f"{tmp_path} cannot be written (Is a directory)" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
