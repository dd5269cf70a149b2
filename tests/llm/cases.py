"""Cases and groups for reflectors, and a stage driven by a model."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from graphmem import Episode, Reflection
from graphmem.learn.drafts import Attempt, Case, Group, Known
from graphmem.llm import Llm, ask
from graphmem.steps import Complete, Stage, Step, run

T = TypeVar("T")
BEGAN = datetime(2025, 6, 1, tzinfo=UTC)


def attempt(id_: str, hours: float = 0, novel: bool = False, **fields: Any) -> Attempt:
    """A failed attempt at descaling, unless the fields say otherwise."""
    said = {"task": "Descale the boiler", "outcome": "fail", "failure_reason": "acid left inside", **fields}
    return Attempt(id=id_, episode=Episode(**said), happened_at=BEGAN + timedelta(hours=hours), novel=novel)


def known(id_: str, insight: str = "Rinse twice", **fields: Any) -> Known:
    """A lesson that is in the graph."""
    return Known(id=id_, reflection=Reflection(insight=insight, **fields))


def case(*ids: str, lessons: tuple[Known, ...] = ()) -> Case:
    """A case of new attempts in the order of time."""
    return Case(new=tuple(attempt(id_, hours) for hours, id_ in enumerate(ids)), lessons=lessons)


def group(*ids: str) -> Group:
    """A group of two lessons with these attempts behind them."""
    attempts = tuple(attempt(id_, hours, outcome="success") for hours, id_ in enumerate(ids))
    return Group(lessons=(known("r1"), known("r2", "Rinse until clear")), attempts=attempts)


def drive(stage: Stage[T], llm: Llm) -> T:
    """Run a stage that asks for completions alone."""

    def answer(step: Step) -> Any:
        assert isinstance(step, Complete)
        return ask(llm, step.prompt)

    return run(stage, answer)
