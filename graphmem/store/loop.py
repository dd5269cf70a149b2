"""An event loop of our own, in a thread of our own.

The async driver binds its connections to the loop that opened them. Callers have many loops (`asyncio.run` twice, web
workers, notebooks), so the driver lives in this one and every caller's loop awaits its answers.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from typing import Any, TypeVar

from graphmem.errors import StoreUnavailable

T = TypeVar("T")
GRACE = 5.0  # seconds that work gets to end before its connections are closed


class Loop:
    """Runs coroutines in a background thread, started by the first of them."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False

    async def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Await a coroutine that runs in our loop.

        Cancelling this gives up the answer, not the work: a connection that is cut while it opens is never closed.
        """
        with self._guard:
            if self._closed:
                coroutine.close()
                raise StoreUnavailable("this AsyncMemory is closed; make a new one")
            future = asyncio.run_coroutine_threadsafe(coroutine, self._started())
        try:
            return await _answer(future)
        except CancelledError as error:
            raise StoreUnavailable("this AsyncMemory was closed meanwhile; make a new one") from error

    async def close(self, last: Coroutine[Any, Any, None]) -> None:
        """Let work end, run one last coroutine and end the thread; calling it again does nothing."""
        with self._guard:
            loop, self._loop, self._closed = self._loop, None, True
        if loop is None:
            last.close()
            return
        try:
            await _answer(asyncio.run_coroutine_threadsafe(_wound_up(last), loop))
        finally:
            loop.call_soon_threadsafe(loop.stop)

    def _started(self) -> asyncio.AbstractEventLoop:
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            threading.Thread(target=_serve, args=(self._loop,), name="graphmem-driver", daemon=True).start()
        return self._loop


async def _answer(future: Future[T]) -> T:
    loop = asyncio.get_running_loop()
    done = asyncio.Event()

    def wake(_: Future[T]) -> None:
        with suppress(RuntimeError):  # the loop that asked is gone
            loop.call_soon_threadsafe(done.set)

    future.add_done_callback(wake)
    await done.wait()
    return future.result()


async def _wound_up(last: Coroutine[Any, Any, None]) -> None:
    work = asyncio.all_tasks() - {asyncio.current_task()}
    if work:
        await asyncio.wait(work, timeout=GRACE)
    await last
    rest = [task for task in work if not task.done()]
    for task in rest:
        task.cancel()
    await asyncio.gather(*rest, return_exceptions=True)


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    try:
        loop.run_forever()
    finally:
        loop.close()
