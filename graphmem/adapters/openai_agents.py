"""The tools for the OpenAI Agents SDK, with the strict schemas that it wants.

Raises ConfigurationError when it is imported without the ``openai-agents`` extra.
"""

from __future__ import annotations

import asyncio
from copy import deepcopy
from functools import partial
from typing import TYPE_CHECKING, Any

from graphmem.adapters.box import AsyncToolbox, Toolbox
from graphmem.adapters.box import tools as boxed
from graphmem.errors import ConfigurationError

try:
    from agents import FunctionTool
except ImportError as error:
    raise ConfigurationError("openai-agents is not installed; run: pip install 'graphmem[openai-agents]'") from error

if TYPE_CHECKING:
    from agents.tool_context import ToolContext

    from graphmem.memory import AsyncMemory, Memory

# Strict mode knows no bounds of texts; graphmem checks them all the same.
_LOOSE = ("minLength", "maxLength", "pattern")


def tools(memory: Memory | AsyncMemory) -> list[FunctionTool]:
    """The tools of a memory, for ``Agent(tools=…)``.

    A `Memory` is asked in a thread, an `AsyncMemory` awaited. What cannot be done is told to the model as text
    ("Error: …"), and the run goes on. Raises InvalidInput for what is no client.
    """
    box = boxed(memory)
    return [
        FunctionTool(
            name=tool["function"]["name"],
            description=tool["function"]["description"],
            params_json_schema=strict(tool["function"]["parameters"]),
            on_invoke_tool=partial(_invoke, box, tool["function"]["name"]),
        )
        for tool in box
    ]


def strict(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema for strict mode: every field is required, null where it may be absent; an open object is JSON text."""
    part = {key: deepcopy(value) for key, value in schema.items() if key not in _LOOSE}
    if part.get("type") == "object" and "properties" not in part:
        return {"type": "string", "description": "A JSON object, as text."}
    if "properties" in part:
        part["properties"] = {name: strict(field) for name, field in part["properties"].items()}
        part["required"] = list(part["properties"])
    if "items" in part:
        part["items"] = strict(part["items"])
    if "anyOf" in part:
        part["anyOf"] = [strict(form) for form in part["anyOf"]]
    return part


async def _invoke(box: Toolbox | AsyncToolbox, name: str, context: ToolContext[Any], arguments: str) -> str:
    if isinstance(box, AsyncToolbox):
        return await box.call(name, arguments)
    return await asyncio.to_thread(box.call, name, arguments)
