"""What callers and planners get wrong: counted, told where it went wrong, and never held against what was good."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pytest

from graphmem import AsyncMemory, Memory, Settings
from graphmem.agent import (
    Acted,
    AsyncLoop,
    FedBack,
    Intent,
    Loop,
    Plan,
    Reflected,
    Run,
    Task,
    View,
    Wrong,
)
from graphmem.agent.align import align
from graphmem.agent.atlas import Atlas
from graphmem.agent.follow import follow
from graphmem.agent.literal import renames
from graphmem.agent.notes import failures
from graphmem.embed import Embedder
from graphmem.models import Episode, Outcome, Step
from tests.outbox.relay import Relay


def of(run: Run, kind: type) -> list[Any]:
    return [event for event in run.trace if isinstance(event, kind)]


def raising(*_: Any) -> Any:
    raise OSError("the oven is off")


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


@pytest.mark.parametrize("by", ["rules", "own"])
def test_an_action_that_raises_is_itself_what_failed(memory: Memory, by: str) -> None:
    def act(action: str) -> str:
        return raising() if action.startswith("bake") else "mixed well"

    actions = ("mix the dough", "bake the bread")
    planner = Fixed(Plan("own", tuple(map(Intent, actions)))) if by == "own" else None
    task = Task("Mix the dough and bake the bread", act=act, options=actions, reset=lambda: None)
    run = Loop(memory, planner=planner, gate=lambda step: True, attempts=1, reflect=False).solve(task)
    assert [(one.action, one.number) for one in of(run, Acted)] == [("mix the dough", 1), ("bake the bread", 2)]
    assert run.outcome is Outcome.FAIL
    assert [one.failed for one in run.tried] == ["bake the bread"]
    episode = recorded(memory, run)
    assert [step.action for step in episode.trajectory] == list(actions)
    assert episode.trajectory[0].decision == ""
    assert "the oven is off" in episode.trajectory[1].decision
    assert list(failures(episode)) == ["bake the bread"]


@pytest.mark.parametrize("where", ["gate", "done"])
def test_what_was_done_before_a_check_raised_is_kept_and_has_not_failed(memory: Memory, where: str) -> None:
    checks: dict[str, Any] = {"gate": lambda step: True, where: raising}
    done = checks.pop("done", None)
    task = Task("Place the order", act=lambda action: "placed", options=["place the order"], done=done)
    run = Loop(memory, budget=5, reflect=False, **checks).solve(task)
    assert run.problems == (f"{where}: OSError: the oven is off",)
    assert (run.outcome, run.actions, run.attempts, run.tried) == (Outcome.UNKNOWN, 1, 1, ())
    episode = recorded(memory, run)
    assert [(step.action, step.observation) for step in episode.trajectory] == [("place the order", "placed")]
    assert list(failures(episode)) == []


def test_the_steps_of_a_last_attempt_that_nobody_judged_are_kept_beside_the_failed_ones(memory: Memory) -> None:
    def gate(step: Acted) -> bool:
        return raising() if step.attempt == 2 else False

    task = Task("Say hello", act=lambda action: "hm", options=["say hello", "hello you"])
    episode = recorded(memory, Loop(memory, gate=gate, reflect=False).solve(task))
    assert [step.action for step in episode.trajectory] == ["say hello", "hello you"]
    assert list(failures(episode)) == ["say hello"]


@pytest.mark.parametrize(
    "said",
    [
        *(None, "fail", "no", "", Outcome.FAIL, 0, 1, float("nan"), {"ok": False}, object()),
        *([False, "bad"], (False, "bad", 3), (None, "x"), ("no", "x")),
    ],
)
def test_a_gate_that_gives_no_bool_is_no_success(memory: Memory, said: object) -> None:
    task = Task("Say hello", act=lambda action: "segfault", options=["say hello"])
    run = Loop(memory, gate=lambda step: said, reflect=False).attempt(task)
    assert [event.where for event in of(run, Wrong)] == ["gate"]
    assert run.outcome is Outcome.UNKNOWN


@pytest.mark.parametrize(("said", "outcome"), [(True, "success"), (False, "fail"), ((True, None), "success")])
def test_a_gate_that_gives_a_bool_decides(memory: Memory, said: object, outcome: str) -> None:
    task = Task("Say hello", act=lambda action: "hello", options=["say hello"])
    run = Loop(memory, gate=lambda step: said, attempts=1, reflect=False).attempt(task)
    assert (run.outcome.value, run.problems) == (outcome, ())
    assert "None" not in run.evidence


@pytest.mark.parametrize("attempts", [None, 40])
@pytest.mark.parametrize("where", ["act", "done", "gate", "answer"])
def test_each_call_of_act_counts_against_the_budget(memory: Memory, attempts: int | None, where: str) -> None:
    called: list[str] = []

    def act(action: str) -> Any:
        called.append(action)
        return raising() if where == "act" else View("x", "", understood=None) if where == "answer" else "done"  # type: ignore[arg-type]

    options = [f"place order {n}" for n in range(9)]
    task = Task("Place the order", act=act, options=options, done=raising if where == "done" else None)
    gate = raising if where == "gate" else lambda step: True
    run = Loop(memory, gate=gate, budget=1, attempts=attempts, reflect=False).attempt(task)
    assert (len(called), run.actions) == (1, 1)


def test_an_action_that_raised_is_not_proposed_again_at_once(memory: Memory) -> None:
    called: list[str] = []

    def act(action: str) -> str:
        called.append(action)
        return raising()

    Loop(memory, gate=lambda step: True, reflect=False).attempt(
        Task("Say hello", act=act, options=["a hello", "hello b"])
    )
    assert called == ["a hello", "hello b"]


class Lost:
    """A world of one place, whose demonstration makes the player raise."""

    task = "Please find mug 7 and move mug 7 to the shelf"

    def reset(self) -> View:
        return View("You enter.", "This is the hall. You see:\nmug.7\na shelf")

    def act(self, action: str) -> View:
        return View("ok", "This is the hall. You see:\nmug.7\na shelf")

    def valid_actions(self) -> list[str]:
        return ["take mug.7", "move mug.7 to shelf"]


@pytest.mark.parametrize(
    ("old", "new", "text", "wanted"),
    [
        ("move cup 3 there", "move mug 7 there", "take cup.3", "take mug 7"),
        ("find user s file", "find admin t file", "user's", "admin t"),
        ("wash the stein", "wash the bowl", "\u017ftein", "bowl"),
        ("open part 2 now", "open lid 5 now", "PART--2 is open", "lid 5 is open"),
    ],
)
def test_words_are_replaced_however_a_demonstration_writes_them(old: str, new: str, text: str, wanted: str) -> None:
    assert align(old, new)(text) == wanted


def test_a_demonstration_that_writes_its_names_in_another_form_is_followed() -> None:
    steps = (Step(action="take cup.3", observation="Taken: cup.3"), Step(action="move cup.3 to shelf", observation="."))
    shown = Episode(id="cup", task=Lost.task.replace("mug 7", "cup 3"), outcome="success", trajectory=steps)
    done = follow(Lost(), [("cup", shown)], Atlas(), 10)
    assert done.used == ("cup",)
    assert "mug" in " ".join(step.action for step in done.steps)


def test_a_player_that_raises_ends_the_run_with_what_was_done(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    class Odd(Lost):
        def act(self, action: str) -> View:
            monkeypatch.setattr("graphmem.agent.body.Body._note", raising)
            return super().act(action)

    run = Loop(memory, gate=lambda step: True, budget=10, attempts=1, reflect=False).solve(Odd())
    monkeypatch.undo()
    assert run.problems == ("plan: OSError: the oven is off",)
    assert run.outcome is Outcome.FAIL
    assert recorded(memory, run).trajectory[-1].observation == "ok"
    assert list(failures(recorded(memory, run)))[1:] == []


def test_a_sync_function_that_raises_cancelled_error_is_a_fault_of_its_own(
    settings: Settings, embedder: Embedder, tenant: str
) -> None:
    def act(action: str) -> str:
        raise asyncio.CancelledError("mine")

    async def main() -> Run:
        async with AsyncMemory(tenant, settings=settings, embedder=embedder) as memory:
            loop = AsyncLoop(memory, gate=lambda step: True, reflect=False)
            return await asyncio.wait_for(loop.solve(Task("Say hello", act=act, options=["say hello"])), 30)

    run = asyncio.run(main())
    assert run.outcome is Outcome.FAIL
    assert [event.where for event in of(run, Wrong)] == ["act"]


def test_feedback_that_waits_is_not_reflected_upon(
    here: Settings, relay: Relay, embedder: Embedder, tenant: str
) -> None:
    class Cut(Memory):
        def record(self, *given: Any, **more: Any) -> Any:
            answer = super().record(*given, **more)
            relay.cut()
            return answer

    with Cut(tenant, settings=here, embedder=embedder) as memory:
        memory.init()
        run = Loop(memory, gate=lambda step: True).solve(Task("Say hello", act=str, options=["say hello"]))
        assert [event.queued for event in of(run, FedBack)] == [True]
        assert (of(run, Reflected), run.problems) == ([], ())


@pytest.mark.parametrize("words", [20_000, 80_000])
def test_a_long_repetitive_task_is_aligned_in_proportion_to_its_length(words: int) -> None:
    old = "Find the cause in this log: " + "GET / 200 ok " * (words // 4)
    compare: tuple[Callable[..., Any], ...] = (align, renames)
    for compared in compare:
        begin = time.process_time()
        pairs = compared(old, old.replace("cause", "reason"))
        compared(old, "Else " + " ".join(reversed(old.split())) + " end")
        assert time.process_time() - begin < 5
        assert ("cause", "reason") in (pairs.whole if compared is align else pairs)
