"""The two runners tell one story: answers sent in, errors thrown in, the stage closed whatever happens."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from graphmem.steps import Embed, Stage, Step, arun, run

Runner = Callable[[Stage[Any], Callable[[Step], Any]], Any]


def _awaited(stage: Stage[Any], answer: Callable[[Step], Any]) -> Any:
    async def later(step: Step) -> Any:
        await asyncio.sleep(0)
        return answer(step)

    return asyncio.run(arun(stage, later))


@pytest.fixture(params=[run, _awaited], ids=["run", "arun"])
def drive(request: pytest.FixtureRequest) -> Runner:
    chosen: Runner = request.param
    return chosen


def ask(text: str) -> Stage[Any]:
    return (yield Embed([text], "query"))


def asked(step: Step) -> str:
    assert isinstance(step, Embed)
    return step.texts[0]


def test_a_stage_that_asks_nothing_returns_its_value(drive: Runner) -> None:
    def stage() -> Stage[int]:
        yield from ()
        return 7

    assert drive(stage(), lambda step: pytest.fail(f"asked {step}")) == 7


def test_answers_are_sent_in_order(drive: Runner) -> None:
    def stage() -> Stage[list[str]]:
        first = yield from ask("a")
        return [first, (yield from ask(first))]

    assert drive(stage(), lambda step: asked(step) + "!") == ["a!", "a!!"]


@pytest.mark.parametrize("falsy", [None, 0, "", []])
def test_a_falsy_answer_is_an_answer(drive: Runner, falsy: object) -> None:
    assert drive(ask("a"), lambda _: falsy) == falsy


def test_an_error_is_thrown_into_the_stage_which_may_go_on(drive: Runner) -> None:
    def stage() -> Stage[list[str]]:
        try:
            yield from ask("bad")
        except ValueError as error:
            told = str(error)
        return [told, (yield from ask("good"))]

    def answer(step: Step) -> str:
        if asked(step) == "bad":
            raise ValueError("refused")
        return "done"

    assert drive(stage(), answer) == ["refused", "done"]


def test_an_error_nobody_handles_comes_out_as_it_was(drive: Runner) -> None:
    fault = OSError("away")
    closed = []

    def stage() -> Stage[None]:
        try:
            yield from ask("a")
        finally:
            closed.append(True)

    def answer(_: Step) -> None:
        raise fault

    with pytest.raises(OSError, match="away") as caught:
        drive(stage(), answer)
    assert caught.value is fault
    assert closed == [True]


def test_an_error_of_the_stage_itself_comes_out(drive: Runner) -> None:
    def stage() -> Stage[None]:
        yield from ask("a")
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        drive(stage(), lambda _: None)


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
def test_an_interruption_is_no_failed_step(drive: Runner, stop: type[BaseException]) -> None:
    seen: list[str] = []

    def stage() -> Stage[None]:
        try:
            yield from ask("a")
        except Exception:
            seen.append("handled")
        finally:
            seen.append("closed")

    def answer(_: Step) -> None:
        raise stop

    with pytest.raises(stop):
        drive(stage(), answer)
    assert seen == ["closed"]


def test_a_cancelled_wait_closes_the_stage() -> None:
    closed = []

    def stage() -> Stage[None]:
        try:
            yield from ask("a")
        finally:
            closed.append(True)

    async def never(_: Step) -> None:
        await asyncio.Event().wait()

    async def main() -> None:
        task = asyncio.ensure_future(arun(stage(), never))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert closed == [True]
