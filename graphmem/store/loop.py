"""An event loop of our own, in a thread of our own.

The async driver binds its connections to the loop that opened them. Callers have many loops (`asyncio.run` twice, web
workers, notebooks), so the driver lives in this one and every caller's loop awaits its answers.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

from graphmem.errors import StoreUnavailable

T = TypeVar("T")


class Loop:
    """Runs coroutines in a background thread, started by the first of them."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False

    async def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Await a coroutine that runs in our loop; cancelling here cancels it there."""
        try:
            loop = self._started()
        except StoreUnavailable:
            coroutine.close()
            raise
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(coroutine, loop))

    async def close(self, last: Coroutine[Any, Any, None]) -> None:
        """Run one last coroutine and end the thread; calling it again does nothing."""
        with self._guard:
            loop, self._loop, self._closed = self._loop, None, True
        if loop is None:
            last.close()
            return
        await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(last, loop))
        loop.call_soon_threadsafe(loop.stop)

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._guard:
            if self._closed:
                raise StoreUnavailable("this AsyncMemory is closed; make a new one")
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=_serve, args=(self._loop,), name="graphmem-driver", daemon=True).start()
            return self._loop


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    try:
        loop.run_forever()
    finally:
        loop.close()
