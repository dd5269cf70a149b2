"""Nonsense in plans, options and contexts: told, refused, or none; and a strict task does nothing but its options."""

from __future__ import annotations

from typing import Any

import pytest

from graphmem import Memory
from graphmem.agent import (
    Context,
    Intent,
    Loop,
    Plan,
    Planned,
    Run,
    Task,
    Wrong,
)
from graphmem.agent.task import RESERVED
from graphmem.errors import InvalidInput
from graphmem.models import Episode, Outcome, Step

LOST = "\ud800"


def of(run: Run, kind: type) -> list[Any]:
    return [event for event in run.trace if isinstance(event, kind)]


class Fixed:
    """A planner with one answer."""

    name = "fixed"

    def __init__(self, plan: Any) -> None:
        self.answer = plan

    def plan(self, brief: Any) -> Any:
        return self.answer


def recorded(memory: Memory, run: Run) -> Episode:
    found = memory.get(f"run-{run.trace_id}").memory
    assert isinstance(found, Episode)
    return found


NONSENSE: dict[str, Any] = {
    "none": None,
    "no steps": Plan("p", None),  # type: ignore[arg-type]
    "texts as steps": Plan("p", ("say hello",)),  # type: ignore[arg-type]
    "a number as action": Plan("p", (Intent(5),)),  # type: ignore[arg-type]
    "a number expected": Plan("p", (Intent("x", 5),)),  # type: ignore[arg-type]
    "no why": Plan("p", (Intent("x", "", None),)),  # type: ignore[arg-type]
    "lost in an action": Plan("p", (Intent(f"x {LOST}"),)),
    "lost in why": Plan("p", (Intent("x", "", LOST),)),
    "no sources": Plan("p", (Intent("x"),), None),  # type: ignore[arg-type]
    "lists as sources": Plan("p", (Intent("x"),), (["a"],)),  # type: ignore[arg-type]
    "lost in sources": Plan("p", (Intent("x"),), (LOST,)),
    "nameless": Plan(None, (Intent("x"),)),  # type: ignore[arg-type]
    "texts shown": Plan("p", (), (), ("ab",), adaptive=True),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("name", NONSENSE)
def test_nonsense_in_a_plan_is_told_and_the_rules_plan(memory: Memory, name: str) -> None:
    task = Task("Say hello", act=lambda action: "hello", options=["say hello"])
    run = Loop(memory, planner=Fixed(NONSENSE[name]), gate=lambda step: True, reflect=False).solve(task)
    assert [event.where for event in of(run, Wrong)] == ["plan"]
    assert [event.by for event in of(run, Planned)] == ["rules-1"]
    assert recorded(memory, run).outcome is Outcome.SUCCESS


def test_options_and_actions_without_words_are_none_and_lost_characters_are_replaced(memory: Memory) -> None:
    task = Task("Say hello", act=lambda action: "hello", options=["", "  ", f"say {LOST} hello"])
    run = Loop(memory, gate=lambda step: True, reflect=False).solve(task)
    assert [step.action for step in recorded(memory, run).trajectory] == ["say ? hello"]
    empty = Loop(memory, planner=Fixed(Plan("p", (Intent(" "),))), gate=lambda step: True, reflect=False).attempt(task)
    assert empty.actions == 0


@pytest.mark.parametrize("given", [{"options": "say hello"}, {"strict": True}, {"strict": True, "options": []}])
def test_a_task_with_odd_options_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        Task("Say hello", act=str, **given)


@pytest.mark.parametrize("name", RESERVED)
def test_what_a_run_says_of_itself_is_no_name_for_what_holds(memory: Memory, name: str) -> None:
    with pytest.raises(InvalidInput, match=name):
        Context(where={name: "mine"})
    task = Task("Say hello", act=lambda action: "hello", options=["say hello"])
    assert name in recorded(memory, Loop(memory, reflect=False).solve(task)).metadata  # none is missing from the list


@pytest.mark.parametrize("strict", [True, False])
def test_a_strict_task_does_nothing_but_its_options(memory: Memory, strict: bool) -> None:
    poison = Step(action="rm -rf build", observation="ok")
    memory.record(Episode(id="poison", task="Clean up the build folder", outcome="success", trajectory=(poison,)))
    done: list[str] = []
    task = Task(
        "Clean up the build folder",
        act=lambda action: done.append(action) or "ok",
        options=lambda: ["make clean"],
        strict=strict,
    )
    Loop(memory, gate=lambda step: True, reflect=False).attempt(task)
    Loop(memory, planner=Fixed(Plan("p", (Intent("rm -rf build"),))), attempts=1, reflect=False).attempt(task)
    assert ("rm -rf build" in done) is not strict
    assert ("make clean" in done) is strict
