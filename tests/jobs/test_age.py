"""Recall says how old its centrality is, in the answer, in its JSON and in its explanation."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from graphmem import Memory, Recall
from graphmem.jobs import CentralityJob
from tests.memories import NOW, Clock, won

Connect = Callable[..., Memory]
Job = Callable[..., CentralityJob]
NONE_YET = "centrality: none was computed yet ('graphmem jobs centrality')"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def memory(make: Connect, clock: Clock) -> Memory:
    """Two linked memories, and a clock that the test moves."""
    made = make(clock=clock)
    made.record_many([won(id_, f"{id_} north:0.8") for id_ in "ab"])
    made.link("a", "b")
    return made


def line(recall: Recall) -> str:
    """What the explanation tells of centrality."""
    (found,) = [line for line in recall.explain().splitlines() if line.startswith("centrality:")]
    return found


def test_without_a_job_there_is_no_time(memory: Memory) -> None:
    recall = memory.recall("north:1")
    assert [one.centrality_at for one in (*recall.candidates, *recall.hits)] == [None] * 4
    assert line(recall) == NONE_YET
    assert '"centrality_at":null' in recall.to_json()


@pytest.mark.parametrize(
    ("age", "told"),
    [
        (timedelta(), "less than a minute"),
        (timedelta(seconds=119), "1 minute"),
        (timedelta(hours=5, minutes=59), "5 hours"),
        (timedelta(days=1, hours=23), "1 day"),
        (timedelta(days=400), "400 days"),
        (-timedelta(hours=1), "less than a minute"),
    ],
)
def test_the_age_is_told_from_the_time_of_the_recall(
    memory: Memory, clock: Clock, job: Job, age: timedelta, told: str
) -> None:
    job()
    clock.now += age
    recall = memory.recall("north:1")
    assert {one.centrality_at for one in (*recall.candidates, *recall.hits)} == {NOW}
    assert line(recall) == f"centrality: computed {told} before"


def test_what_is_younger_than_the_job_has_none(memory: Memory, clock: Clock, job: Job) -> None:
    job()
    clock.now += timedelta(hours=2)
    memory.record(won("c", "c north:0.8"))
    recall = memory.recall("north:1")
    assert {one.id: one.centrality_at for one in recall.candidates} == {"a": NOW, "b": NOW, "c": None}
    assert line(recall) == "centrality: computed 2 hours before, 1 have none yet"


def test_a_user_sees_two_ages(memory: Memory, make: Connect, clock: Clock, job: Job) -> None:
    mine = make(user="u7", clock=clock)
    mine.record(won("m", "m north:0.8"))
    job()
    clock.now += timedelta(days=2)
    job("u7", clock=clock)
    clock.now += timedelta(minutes=3)
    assert line(mine.recall("north:1")) == "centrality: computed 3 minutes to 2 days before"


def test_the_time_survives_json_and_an_older_answer_has_none(memory: Memory, job: Job) -> None:
    job()
    recall = memory.recall("north:1")
    again = Recall.from_json(recall.to_json())
    assert [one.centrality_at for one in again.candidates] == [NOW, NOW]
    assert again.explain() == recall.explain()

    def without(value: Any) -> Any:
        if isinstance(value, list):
            return [without(one) for one in value]
        if isinstance(value, dict):
            return {key: without(one) for key, one in value.items() if key != "centrality_at"}
        return value

    older = Recall.from_json(without(recall.model_dump(mode="json")))
    assert {one.centrality_at for one in older.candidates} == {None}
    assert line(older) == NONE_YET


def test_nothing_found_has_no_age(make: Connect) -> None:
    empty = make()
    empty.init()
    assert "centrality" not in empty.recall("north:1").explain()
