"""One client for both worlds: a sync or an async memory, called from code that waits and from code that awaits."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any

from graphmem.errors import InvalidInput
from graphmem.memory import AsyncMemory, Memory


class Bridge:
    """A memory whose verbs can be called and awaited, whichever kind it is."""

    def __init__(self, memory: Memory | AsyncMemory) -> None:
        """Take a memory, which stays the caller's to close. Raises InvalidInput for anything else."""
        if not isinstance(memory, Memory | AsyncMemory):
            raise InvalidInput(f"give a Memory or an AsyncMemory, and not {type(memory).__name__}")
        self.memory = memory

    def call(self, verb: str, *given: Any, **named: Any) -> Any:
        """Call a verb and wait. An async memory works in a thread and loop of its own, so a loop that runs here is
        kept waiting, but never waited for."""
        run = getattr(self.memory, verb)
        if isinstance(self.memory, Memory):
            return run(*given, **named)
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(copy_context().run, asyncio.run, run(*given, **named)).result()

    async def wait(self, verb: str, *given: Any, **named: Any) -> Any:
        """Await a verb. A sync memory works in a thread, so the loop goes on meanwhile."""
        run = getattr(self.memory, verb)
        if isinstance(self.memory, Memory):
            return await asyncio.to_thread(run, *given, **named)
        return await run(*given, **named)
