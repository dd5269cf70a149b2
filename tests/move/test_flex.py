"""Libraries in FLEX's layout: read as episodes and reflections, written from them, and the same after both."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graphmem import Episode, Outcome, Reflection, Step
from graphmem.errors import Conflict, InvalidInput
from graphmem.move import flex
from tests.memories import won
from tests.move.conftest import lines, write

RECORD: dict[str, Any] = {
    "problem": "Integrate x·e^x from 0 to 1",
    "solution_attempt": "By parts: u = x, dv = e^x dx",
    "ground_truth": "1",
    "is_correct": True,
    "domain": "calculus",
    "difficulty": 0.4,
    "timestamp": "2025-11-10T08:00:00.000001+00:00",
    "techniques_used": ["integration by parts"],
    "failure_reason": "",
    "reflection": "Choose u so that its derivative is simpler",
    "metadata": {"model": "m1", "tries": [1, None]},
}
WRONG = {
    "problem": "Count the primes below 100", "solution": ["list them", "count"], "correct": False, "domain": "numbers",
    "difficulty": "hard", "techniques": "sieve, counting", "failure_reason": "counted 1", "reflection": "1 is no prime",
    "timestamp": 1762761600, "source": "exam",
}  # fmt: skip


def test_every_key_has_its_place(make: Callable[..., Any], file: Path) -> None:
    client = make()
    write(file, [RECORD, WRONG, {**RECORD, "problem": "Open", "is_correct": None}])
    done = client.load(file)
    assert (done.format, done.created.episodes, done.created.reflections) == ("flex", 3, 3)
    found = {stored.memory.label(): stored for stored in client.list()}
    episode = found[RECORD["problem"]].memory
    assert episode == Episode(
        id=episode.id, task=RECORD["problem"], trajectory=[Step(action=RECORD["solution_attempt"])], outcome="success",
        ground_truth="1", domain="calculus", difficulty=0.4, occurred_at="2025-11-10T08:00:00.000001Z",
        techniques=["integration by parts"], metadata=RECORD["metadata"],
    )  # fmt: skip
    wrong = found[WRONG["problem"]].memory
    assert [step.action for step in wrong.trajectory] == ["list them", "count"]
    assert (wrong.outcome, wrong.difficulty, wrong.techniques) == (Outcome.FAIL, 0.75, ("sieve", "counting"))
    assert wrong.metadata == {"source": "exam", "difficulty": "hard"}
    assert wrong.occurred_at.isoformat() == "2025-11-10T08:00:00+00:00"
    lesson = found["1 is no prime"]
    assert lesson.memory.sources == (wrong.id,)
    assert [link.id for link in client.history(lesson.id).sources] == [wrong.id]
    assert (found["Open"].status, found["Open"].recallable) == ("audit", False)
    assert client.recall("integrate").candidates
    assert client.check() == ()


def test_the_round_trip_changes_nothing(make: Callable[..., Any], file: Path) -> None:
    client, other = make(), make(suffix="-other")
    write(file, [RECORD, WRONG])
    client.load(file)
    assert client.load(file).created.total == 0, "twice is once"
    written = file.with_name("flex.jsonl")
    assert client.export(written, format="flex").counts.episodes == 2
    again = {record["problem"]: record for record in lines(written)}
    assert again[RECORD["problem"]] == RECORD
    assert again[WRONG["problem"]]["metadata"] == {"source": "exam", "difficulty": "hard"}
    assert client.load(written).created.total == 0
    other.load(written)
    third = file.with_name("third.jsonl")
    other.export(third, format="flex")
    assert third.read_bytes() == written.read_bytes()
    other.erase(everything=True)


def test_ids_and_outcomes_that_flex_does_not_know_come_back(make: Callable[..., Any], file: Path) -> None:
    client = make()
    client.record(
        Episode(id="mine", task="Brew", outcome="mixed", trajectory=[Step(action="boil"), Step(action="pour")])
    )
    client.record(won("hidden", secure=True))
    client.export(file, format="flex")
    (record,) = lines(file)
    assert record["is_correct"] is None
    client.erase(everything=True)
    client.load(file)
    kept = client.get("mine").memory
    assert (kept.outcome, [step.action for step in kept.trajectory]) == (Outcome.MIXED, ["boil", "pour"])


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        (0, 0.0), (1, 1.0), (0.3, 0.3), (5, 0.5), (10, 1.0), ("easy", 0.25), ("Very Hard", 0.9), ("Level 3", 0.5),
        ("level_5", 1.0), ("1", 0.0), ("odd", None), (11, None), (-1, None), (True, None), (None, None), ([1], None),
    ],
)  # fmt: skip
def test_difficulties(said: Any, meant: float | None) -> None:
    episode, *_ = flex.read({"problem": "x", "is_correct": True, "difficulty": said})
    assert isinstance(episode, Episode)
    assert episode.difficulty == meant
    assert episode.metadata == (
        {} if said is None or (said == meant and not isinstance(said, bool)) else {"difficulty": said}
    )


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"is_correct": "maybe"}, "is_correct"), ({"is_correct": 2}, "is_correct"), ({"problem": " "}, "task"),
        ({"problem": 7}, "task"), ({"timestamp": "soon"}, "occurred_at"), ({"timestamp": 1e300}, "timestamp"),
        ({"correct": False}, "different"), ({"metadata": {"graphmem_id": "a b"}}, "id"),
        ({"metadata": {"lang": "en"}, "lang": "de"}, "lang"), ({"domain": 7}, "domain"),
    ],
)  # fmt: skip
def test_a_record_that_makes_no_sense_is_told(
    make: Callable[..., Any], file: Path, change: dict[str, Any], told: str
) -> None:
    client = make()
    write(file, [RECORD, {**RECORD, "problem": "y", **change}])
    with pytest.raises(InvalidInput, match=rf"line 2: .*{told}"):
        client.load(file)
    assert client.list() == ()


def test_memories_as_record_takes_them(make: Callable[..., Any], file: Path) -> None:
    client, ann = make(), make("ann")
    plain = [
        {"kind": "skill", "id": "s1", "name": "n", "steps": ["a"], "sources": ["r1"]},
        {"kind": "reflection", "id": "r1", "insight": "i", "sources": ["e1", "shared"]},
        {"task": "t", "id": "e1", "outcome": "success"},
        {"task": "without an id", "outcome": "success"},
        {"task": "without an id", "outcome": "success"},
    ]
    client.record(won("shared"))
    write(file, plain)
    done = ann.load(file)
    assert (done.created.total, done.skipped.total) == (4, 1)
    assert ann.load(file).created.total == 0
    assert ann.get("s1").user == "ann"
    assert make().check(everything=True) == ()
    write(file, [*plain, {"kind": "reflection", "id": "r2", "insight": "i", "sources": ["nowhere"]},
                 {"kind": "skill", "id": "s2", "name": "n", "steps": ["a"], "sources": ["r2"]}])  # fmt: skip
    with pytest.raises(InvalidInput, match="line 6: it names the source nowhere"):
        ann.load(file)
    assert ann.load(file, lenient=True).left_out == 2, "what names what is left out is left out"
    write(file, [{"task": "another", "id": "e1", "outcome": "success"}])
    with pytest.raises(Conflict, match="taken by other content"):
        ann.load(file)
    write(file, [{"task": "t", "id": "e5", "outcome": "success"}])
    assert ann.load(file, share=True).user == ""
    assert client.get("e5").user == ""
    assert isinstance(ann.get("r1").memory, Reflection)


def test_the_layout_may_be_said(make: Callable[..., Any], file: Path) -> None:
    client = make()
    write(file, [{"problem": "only a problem"}])
    with pytest.raises(InvalidInput, match="task"):
        client.load(file)
    assert client.load(file, format="flex").created.episodes == 1
    client.export(file)
    with pytest.raises(InvalidInput, match="layout"):
        client.load(file, format="flex")
    with pytest.raises(InvalidInput, match="none of"):
        client.load(file, format="csv")
    with pytest.raises(InvalidInput, match="users nor secure"):
        client.export(file, format="flex", include_secure=True)
