"""Serving over standard input and output, on which nothing but protocol may be written."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable
from contextlib import suppress
from typing import TextIO, cast

import anyio
from mcp.server.stdio import stdio_server

from graphmem.adapters.mcp.keeper import Keeper
from graphmem.adapters.mcp.server import make

PATIENCE = 3.0  # seconds that a signal gives the connections to close


def serve(keeper: Keeper, out: TextIO) -> None:
    """Serve until the input ends, who started it is gone, or a signal comes; `out` is what `own_stdout` gave."""
    asyncio.run(_serve(keeper, out))


async def _serve(keeper: Keeper, out: TextIO) -> None:
    server = make(keeper)
    leaving: list[asyncio.Task[None]] = []

    def leave(code: int) -> None:
        leaving.append(asyncio.ensure_future(_leave(keeper, code)))

    for number, code in ((signal.SIGTERM, 0), (signal.SIGINT, 128 + signal.SIGINT)):
        with suppress(NotImplementedError):  # Windows has none; there the process is ended
            asyncio.get_running_loop().add_signal_handler(number, leave, code)
    wire = cast("anyio.AsyncFile[str]", _Wire(out, keeper))
    async with stdio_server(stdout=wire) as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


class _Wire:
    """Where the protocol is written; when its reader is gone, all ends."""

    def __init__(self, out: TextIO, keeper: Keeper) -> None:
        self._out = anyio.wrap_file(out)
        self._keeper = keeper

    async def write(self, line: str) -> None:
        await self._or_leave(self._out.write(line))

    async def flush(self) -> None:
        await self._or_leave(self._out.flush())

    async def _or_leave(self, writing: Awaitable[object]) -> None:
        try:
            await writing
        except OSError:
            await _leave(self._keeper, 0)


async def _leave(keeper: Keeper, code: int) -> None:
    """End at once: the thread that waits for the next line of input would never let the process end."""
    with suppress(Exception):
        await asyncio.wait_for(keeper.close(), PATIENCE)
    os._exit(code)
