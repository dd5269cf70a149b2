"""A person says afterwards how an episode ended: what nobody knew the end of becomes evidence, once, and stays so."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from graphmem import Episode, Memory, Reflection
from graphmem.errors import Conflict, InvalidInput, NotFound
from graphmem.models import Outcome, Status

TASK = "Drain the boiler before the winter"


@pytest.fixture
def told(memory: Memory) -> Memory:
    memory.record(Episode(id="e", task=TASK, secure=False, source_ref="mail:7", metadata={"a": [1, None]}))
    return memory


@pytest.mark.parametrize("outcome", ["success", "fail", "mixed"])
def test_it_is_recalled_from_then_on(told: Memory, outcome: str) -> None:
    assert told.recall(TASK).hits == ()
    done = told.review(
        "e", approve=True, by="ada", outcome=outcome, evidence="the valve is dry", feedback_ref="ticket:9"
    )
    assert (done.before, done.status, done.recallable, done.changed) == (Status.AUDIT, Status.ACTIVE, True, True)
    kept = told.get("e").memory
    assert isinstance(kept, Episode)
    assert (kept.outcome, kept.outcome_evidence, kept.feedback_ref) == (outcome, "the valve is dry", "ticket:9")
    assert (kept.source_ref, kept.metadata, kept.task) == ("mail:7", {"a": [1, None]}, TASK)
    assert [hit.id for hit in told.recall(TASK, reviewed=True).hits] == ["e"]
    assert told.check() == ()


def test_it_is_reflected_then_and_not_before(told: Memory) -> None:
    assert told.consolidate().episodes == 0
    told.review("e", approve=True, by="ada", outcome="success")
    assert told.consolidate().episodes == 1


def test_said_again_nothing_changes_and_another_end_is_refused(told: Memory) -> None:
    told.review("e", approve=True, by="ada", outcome="success", feedback_ref="ticket:9")
    before = told.get("e")
    again = told.review("e", approve=True, by="ada", outcome="success", feedback_ref="ticket:9")
    assert not again.changed
    with pytest.raises(InvalidInput, match="ended in success, and not in fail"):
        told.review("e", approve=True, by="ada", outcome="fail")
    assert told.get("e") == before


@pytest.mark.parametrize("given", [{"feedback_ref": "ticket:2"}, {"evidence": "a rumour"}])
@pytest.mark.parametrize("first", [{}, {"feedback_ref": "ticket:1", "evidence": "a photograph"}])
def test_evidence_and_reference_of_a_known_end_never_change(
    told: Memory, first: dict[str, str], given: dict[str, str]
) -> None:
    told.review("e", approve=True, by="ada", outcome="success", **first)
    before = told.get("e")
    with pytest.raises(InvalidInput, match="never changes"):
        told.review("e", approve=True, by="ada", outcome="success", **given)
    assert told.get("e") == before


def test_recorded_once_more_as_it_was_nothing_changes(told: Memory, tmp_path: Path) -> None:
    first = told.get("e").memory
    told.export(tmp_path / "before.jsonl")
    told.review("e", approve=True, by="ada", outcome="success")
    ended = told.get("e")
    assert told.record(first).result == "unchanged"
    assert told.load(tmp_path / "before.jsonl").skipped.episodes == 1
    assert told.get("e") == ended
    with pytest.raises(Conflict):
        told.record(Episode(id="e", task="Something else"))
    told.export(tmp_path / "after.jsonl")
    told.erase(everything=True)
    told.load(tmp_path / "after.jsonl")
    assert told.record(first).result == "unchanged"
    assert told.check() == ()


def test_an_episode_that_is_rejected_with_its_end_is_never_recalled(told: Memory) -> None:
    done = told.review("e", approve=False, by="ada", outcome="fail")
    assert (done.status, done.recallable) == (Status.RETIRED, False)
    assert told.recall(TASK).hits == ()
    assert told.check() == ()


def test_silence_is_no_approval(told: Memory) -> None:
    with pytest.raises(InvalidInput, match="say its outcome with the verdict"):
        told.review("e", approve=True, by="ada")
    assert told.get("e").status is Status.AUDIT


def test_a_reference_to_feedback_never_changes(memory: Memory) -> None:
    memory.record(Episode(id="e", task=TASK, feedback_ref="ticket:1"))
    with pytest.raises(InvalidInput, match="never changes"):
        memory.review("e", approve=True, by="ada", outcome="success", feedback_ref="ticket:2")
    assert memory.get("e").status is Status.AUDIT
    memory.review("e", approve=True, by="ada", outcome="success")
    assert memory.get("e").memory.feedback_ref == "ticket:1"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"outcome": "unknown"}, "success, fail or mixed"),
        ({"outcome": "splendid"}, "outcome"),
        ({"evidence": "a photograph"}, "give the outcome too"),
        ({"feedback_ref": "ticket:1"}, "give the outcome too"),
    ],
)
def test_what_is_no_end_is_refused(memory: Memory, given: dict[str, Any], told: str) -> None:
    memory.record(Episode(id="e", task=TASK))
    with pytest.raises(InvalidInput, match=told):
        memory.review("e", approve=True, by="ada", **given)
    assert memory.get("e").status is Status.AUDIT


def test_only_an_episode_that_is_there_ends(memory: Memory) -> None:
    memory.record(Reflection(id="r", insight="Drain it early"))
    with pytest.raises(InvalidInput, match="only an episode has an outcome"):
        memory.review("r", approve=True, by="ada", outcome="success")
    with pytest.raises(NotFound):
        memory.review("nobody", approve=True, by="ada", outcome="success")


def test_a_secure_episode_stays_secure(memory: Memory) -> None:
    memory.record(Episode(id="e", task=TASK, secure=True))
    assert not memory.review("e", approve=True, by="ada", outcome="success").recallable
    assert memory.recall(TASK).hits == ()
    assert [hit.id for hit in memory.recall(TASK, include_secure=True, reviewed=True).hits] == ["e"]
    assert memory.check() == ()


def test_of_two_people_who_say_otherwise_one_is_heard(connect: Callable[..., Memory]) -> None:
    memory = connect()
    for turn in range(8):
        name = f"e{turn}"
        memory.record(Episode(id=name, task=f"{TASK} {turn}"))

        def say(outcome: str, name: str = name) -> str:
            try:
                memory.review(name, approve=True, by=outcome, outcome=outcome)
            except InvalidInput as error:
                return str(error)
            return "done"

        with ThreadPoolExecutor(2) as pool:
            said = dict(zip(("success", "fail"), pool.map(say, ("success", "fail")), strict=True))
        kept = memory.get(name).memory
        assert isinstance(kept, Episode)
        assert kept.outcome is not Outcome.UNKNOWN
        assert said[kept.outcome.value] == "done"
        assert sorted(word == "done" for word in said.values()) == [False, True]
    assert memory.check() == ()
