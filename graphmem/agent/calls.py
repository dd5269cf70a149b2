"""How a caller's functions are called: at once, or from a thread that awaits those which are coroutines.

The loop is one generator that yields what it needs (a verb of the memory, a piece of work) and is driven by `Loop` and
by `AsyncLoop`. A piece of work may take long and call the caller's functions in turn, so `AsyncLoop` gives it a thread,
from which a `Bridge` awaits coroutines in the caller's own event loop.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import contextvars
import inspect
from collections.abc import Awaitable, Callable, Generator
from dataclasses import dataclass
from threading import Thread
from typing import Any, Protocol, TypeVar

from graphmem.errors import InvalidInput

T = TypeVar("T")


class Call(Protocol):
    """Calls a function of the caller's with arguments, and gives its answer, awaited if it has to be."""

    def __call__(self, function: Callable[..., Any], /, *arguments: Any) -> Any: ...


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask the memory: `verb` is given the client, and its answer is awaited where the client is an async one."""

    verb: Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Do:
    """Work that may take long; it is given the way to call the caller's functions."""

    work: Callable[[Call], Any]


Course = Generator[Ask | Do, Any, T]


class Stopped(BaseException):
    """The task that waited for this work was cancelled; no `except Exception` of a caller swallows it."""


def plainly(function: Callable[..., Any], /, *arguments: Any) -> Any:
    """Call at once. Raises InvalidInput for a function that would have to be awaited."""
    answer = function(*arguments)
    if inspect.isawaitable(answer):
        if inspect.iscoroutine(answer):
            answer.close()
        name = getattr(function, "__name__", type(function).__name__)
        raise InvalidInput(f"{name} has to be awaited; give it to an AsyncLoop")
    return answer


class Bridge:
    """The way from a thread back to the event loop in which it was made."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._waiting: concurrent.futures.Future[Any] | None = None
        self._stopped = False

    def __call__(self, function: Callable[..., Any], /, *arguments: Any) -> Any:
        """Call from the thread; a coroutine runs in the event loop meanwhile. Raises Stopped once cancelled."""
        if self._stopped:
            raise Stopped
        try:
            answer = function(*arguments)
        except asyncio.CancelledError as error:  # its own: this work goes on, so it is an error as any other
            raise concurrent.futures.CancelledError(*error.args) from error
        if not inspect.isawaitable(answer):
            return answer
        self._waiting = asyncio.run_coroutine_threadsafe(_awaited(answer), self._loop)
        if self._cancelled():  # in the meantime
            self._waiting.cancel()
        try:
            return self._waiting.result()
        except concurrent.futures.CancelledError:
            if self._cancelled():
                raise Stopped from None
            raise

    async def aside(self, work: Callable[[Call], T]) -> T:
        """Do work in a thread of its own, so that any number of it may await the event loop at once."""
        done: asyncio.Future[T] = self._loop.create_future()
        context = contextvars.copy_context()

        def settle(setter: Callable[[Any], None], value: object) -> None:
            if not done.done():
                setter(value)

        def body() -> None:
            told: tuple[Callable[[Any], None], object]
            try:
                told = done.set_result, context.run(work, self)
            except BaseException as error:
                told = done.set_exception, error
            with contextlib.suppress(RuntimeError):  # the loop was closed: nobody waits any more
                self._loop.call_soon_threadsafe(settle, *told)

        Thread(target=body, name="graphmem-loop", daemon=True).start()
        try:
            return await done
        except asyncio.CancelledError:
            self._stop()
            raise

    def _cancelled(self) -> bool:
        return self._stopped

    def _stop(self) -> None:
        self._stopped = True
        if self._waiting is not None:
            self._waiting.cancel()


async def _awaited(answer: Awaitable[T]) -> T:
    return await answer
