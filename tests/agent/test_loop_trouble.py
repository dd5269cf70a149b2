"""What fails on the way is a value, and the run ends within its budget, with an outcome."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from graphmem import Memory, Settings
from graphmem.agent import (
    Context,
    FedBack,
    Intent,
    Loop,
    Plan,
    Recorded,
    Reflected,
    Run,
    Task,
    Wrong,
)
from graphmem.embed import Embedder
from graphmem.errors import InvalidInput
from graphmem.models import Outcome
from graphmem.recall import Decision
from tests.outbox.relay import Relay

DOMAIN = "work"


def of(run: Run, kind: type) -> list[Any]:
    return [event for event in run.trace if isinstance(event, kind)]


@pytest.mark.parametrize("where", ["act", "reset", "options", "plan"])
def test_whatever_a_caller_raises_is_a_value_and_the_run_has_an_outcome(memory: Memory, where: str) -> None:
    def broken(*_: Any) -> Any:
        raise OSError("the disk is gone")

    class Broken:
        name = "broken"
        plan = broken

    given: dict[str, Any] = {"act": lambda action: "hello", "options": ["say hello"]}
    loop = Loop(memory, domain=DOMAIN, reflect=False, **({"planner": Broken()} if where == "plan" else {}))
    run = loop.solve(Task("Say hello", **(given | ({where: broken} if where != "plan" else {}))))
    assert f"{where}: OSError: the disk is gone" in run.problems
    assert run.outcome is (Outcome.UNKNOWN if where == "plan" else Outcome.FAIL)
    assert [event.result for event in of(run, Recorded)] == ["created"]
    assert run.misled == ()
    if where == "plan":
        assert run.steps[0].action == "say hello"


def test_an_interrupt_passes(memory: Memory) -> None:
    def stop(action: str) -> str:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Loop(memory).solve(Task("Say hello", act=stop, options=["say hello"]))


def test_a_memory_that_is_closed_is_told_in_the_trace(connect: Callable[..., Memory]) -> None:
    closed = connect()
    closed.close()
    run = Loop(closed, gate=lambda step: True).solve(Task("Say hello", act=lambda a: "hello", options=["say hello"]))
    assert (run.decision, run.recall, run.outcome) == (Decision.POLICY_ONLY, None, Outcome.SUCCESS)
    assert [event.where for event in of(run, Wrong)] == ["recall", "record", "reflect"]


def test_a_plan_that_is_cut_off_by_the_budget_is_no_success(memory: Memory) -> None:
    class Long:
        name = "long"

        def plan(self, brief: Any) -> Plan:
            return Plan("long", tuple(Intent(f"step {n}") for n in range(9)))

    done: list[str] = []
    loop = Loop(memory, planner=Long(), gate=lambda step: True, budget=4, reflect=False)
    run = loop.solve(Task("Do nine steps", act=lambda action: done.append(action) or "ok"))
    assert len(done) == run.actions == 4
    assert (run.outcome, run.evidence) == (Outcome.FAIL, "it ended before its plan did")


def test_what_nothing_can_be_done_about_ends_at_once(memory: Memory) -> None:
    run = Loop(memory, gate=lambda step: True).solve(Task("Say hello", tools={"shout": str.upper}))
    assert (run.outcome, run.actions, run.attempts) == (Outcome.FAIL, 0, 1)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda memory: Task("  ", act=print),
        lambda memory: Task("Say hello"),
        lambda memory: Task("Say hello", tools={"a:b": print}),
        lambda memory: Loop(memory, budget=0),
        lambda memory: Loop(memory, attempts=0),
        lambda memory: Loop(memory, planner=object()),  # type: ignore[arg-type]
        lambda memory: Loop(memory).attempt(Task("Say hello", act=print), Context(difficulty=7.0)),
    ],
)
def test_what_cannot_be_done_is_refused_before_anything_is(memory: Memory, wrong: Callable[[Memory], Any]) -> None:
    with pytest.raises(InvalidInput):
        wrong(memory)


def test_an_endless_observation_is_kept_by_its_ends(memory: Memory) -> None:
    text = "begin" + "x" * 100_000 + "\ud800 end"
    run = Loop(memory, gate=lambda step: True).solve(Task("Say hello", act=lambda a: text, options=["say hello"]))
    seen = run.steps[0].observation
    assert seen.startswith("begin")
    assert seen.endswith("? end")
    assert len(seen) < 9000
    assert of(run, Recorded)[0].result == "created"


def test_what_would_have_to_be_awaited_is_refused_by_the_sync_loop(memory: Memory) -> None:
    async def act(action: str) -> str:
        return "hello"

    run = Loop(memory).attempt(Task("Say hello", act=act, options=["say hello"]))
    assert "act has to be awaited; give it to an AsyncLoop" in run.problems[0]


def test_while_the_store_is_away_it_acts_by_policy_and_what_it_lived_waits(
    here: Settings, relay: Relay, embedder: Embedder, tenant: str
) -> None:
    with Memory(tenant, settings=here, embedder=embedder) as memory:
        memory.init()
        relay.cut()
        loop = Loop(memory, gate=lambda step: step.action == "hello you")
        run = loop.solve(Task("Say hello", act=lambda action: "hello", options=["say hello", "hello you"]))
        assert (run.decision, run.outcome, run.attempts) == (Decision.POLICY_ONLY, Outcome.SUCCESS, 2)
        assert [event.result for event in of(run, Recorded)] == ["queued"]
        assert [event.queued for event in of(run, FedBack)] == [True]
        assert of(run, Reflected) == []
        relay.mend()
        assert memory.flush().delivered == 2
        assert memory.get(f"run-{run.trace_id}").memory.outcome is Outcome.SUCCESS  # type: ignore[union-attr]
