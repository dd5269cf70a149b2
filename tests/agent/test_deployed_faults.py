"""What a deployed agent is given wrongly; and nothing is credited that was not shown, or counted twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from graphmem import Memory
from graphmem.agent import Answer, DeployedAgent, Monitor, Problem
from graphmem.errors import InvalidInput
from graphmem.models import Episode, Outcome, Step


@pytest.mark.parametrize(
    "said",
    [
        None,
        5,
        b"x",
        Answer(None),  # type: ignore[arg-type]
        Answer(5),  # type: ignore[arg-type]
        Answer("x", None),  # type: ignore[arg-type]
        Answer("x", "abc"),  # type: ignore[arg-type]
        Answer("x", (["a"],)),  # type: ignore[arg-type]
        Answer("x", (), None),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_answer_is_told_and_recorded(memory: Memory, said: Any) -> None:
    agent = DeployedAgent(memory, generate=lambda asked: said, validate=lambda problem, answer: True, reflect=False)
    solution = agent.solve("What now?")
    assert (solution.answer, solution.outcome) == (None, Outcome.UNKNOWN)
    (problem,) = solution.run.problems
    assert problem.startswith("generate: TypeError")
    assert memory.get(f"run-{solution.run.trace_id}").id == f"run-{solution.run.trace_id}"


@pytest.mark.parametrize(
    "given",
    [
        *({"truth": one} for one in (None, 42, "\ud800")),
        *({"cohort": one} for one in (None, float("nan"), "\ud800")),
        *({"difficulty": one} for one in ("hard", 7.0, float("nan"))),
        *({"text": one} for one in (5, "\ud800 x", " ")),
        {"techniques": "join"},
        {"tags": None},
        {"domain": None},
    ],
)
def test_a_problem_that_cannot_be_recorded_is_refused_when_it_is_made(given: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        Problem(**{"text": "What now?", **given})


@pytest.mark.parametrize("tokens", [1, 60, 120, 200, 400, 4000])
@pytest.mark.parametrize("named", [True, False])
def test_only_what_was_shown_is_credited_or_blamed(memory: Memory, tokens: int, named: bool) -> None:
    names = [f"lamp-{n}" for n in range(4)]
    for number, name in enumerate(names):
        step = Step(action="try it " + "very " * 60 * number, observation="x " * 200)
        task = f"Which lamp fits the hall of the museum, number {number}?"
        memory.record(Episode(id=name, task=task, outcome="success", trajectory=(step,) * 3))
    shown: list[str] = []

    def generate(asked: Any) -> Answer:
        shown.extend(name for name in names if f'"{name}"' in asked.experience)
        return Answer("wrong", tuple(names) if named else ())

    agent = DeployedAgent(
        memory, tokens=tokens, generate=generate, validate=lambda problem, answer: False, reflect=False
    )
    run = agent.solve("Which lamp fits the hall of the museum?").run
    assert run.recall is not None
    assert run.recall.hits
    assert set(run.used) <= set(shown)
    assert bool(run.used) is bool(shown)
    assert not named or set(run.used) == set(shown)
    assert tokens != 1 or not shown
    assert tokens != 4000 or shown


def test_what_the_monitor_knows_is_not_counted_again(memory: Memory) -> None:
    def made() -> DeployedAgent:
        return DeployedAgent(memory, generate=lambda asked: "x", validate=lambda problem, answer: True, reflect=False)

    first = made()
    first.solve("What is one?")
    assert first.resume() == 0
    assert first.monitor.report().total == 1
    later = made()
    assert (later.resume(), later.resume()) == (1, 0)
    first.solve("What is two?")
    assert later.resume() == 1
    assert later.monitor.report().total == 2


@pytest.mark.parametrize("title", ["<b>&\x00\x1f", "\ud800", "\ufffe\uffff", ""])
def test_any_title_makes_a_curve_that_can_be_read(tmp_path: Path, title: str) -> None:
    assert ElementTree.parse(Monitor().curve(tmp_path / "curve.svg", title)).getroot().tag.endswith("svg")
