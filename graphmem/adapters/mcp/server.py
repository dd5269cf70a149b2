"""The server: what it lists, and how it answers a call."""

from __future__ import annotations

import traceback
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import mcp_types as types
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError

from graphmem.adapters.mcp.keeper import Keeper
from graphmem.adapters.table import INSTRUCTIONS, TOOLS, Tool
from graphmem.adapters.told import Answer, refused
from graphmem.errors import GraphmemError
from graphmem.telemetry import logger
from graphmem.text import shown

LOG = logger("mcp")

NAMES = frozenset(tool.name for tool in TOOLS)


def make(keeper: Keeper) -> Server[Any]:
    """A server of the keeper's tools; whoever runs it, over whatever transport, closes the keeper's client at the end.

    A call that fails, whatever the reason, is a tool error, and the server stays up.
    """

    @asynccontextmanager
    async def lifespan(_: Server[Any]) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await keeper.close()

    async def listed(_: Any, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_described(tool) for tool in TOOLS])

    async def called(_: Any, asked: types.CallToolRequestParams) -> types.CallToolResult:
        if asked.name not in NAMES:
            raise MCPError(types.INVALID_PARAMS, f"no tool {shown(asked.name)}; there are {', '.join(sorted(NAMES))}")
        answer = await _answered(keeper, asked.name, asked.arguments)
        # Text alone: of an answer with structured content some clients show models nothing else, and the quotation
        # marks with the origin would be lost.
        return types.CallToolResult(content=[types.TextContent(type="text", text=answer.text)], is_error=answer.failed)

    return Server(
        "graphmem",
        version=_version(),
        instructions=INSTRUCTIONS,
        lifespan=lifespan,
        on_list_tools=listed,
        on_call_tool=called,
    )


async def _answered(keeper: Keeper, name: str, arguments: object) -> Answer:
    try:
        box = await keeper.box()
        return await box.answer(name, arguments)
    except GraphmemError as error:
        return refused(error)
    except Exception as error:
        # Its words may be those of the call; where it came from is not.
        where = "".join(traceback.format_tb(error.__traceback__))
        LOG.error("tool %s failed: %s\n%s", name, type(error).__name__, where)
        return Answer(f"Error: {name} failed ({type(error).__name__}); the server's log says more", failed=True)


def _described(tool: Tool[Any]) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.schema,
        annotations=types.ToolAnnotations(
            title=tool.title,
            read_only_hint=tool.reads,
            destructive_hint=tool.replaces,
            idempotent_hint=tool.repeatable,
            open_world_hint=False,
        ),
    )


def _version() -> str:
    try:
        return version("graphmem")
    except PackageNotFoundError:
        return ""
