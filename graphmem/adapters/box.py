"""The tools as a plain list in OpenAI's function form, which can also call them."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, overload

from graphmem.adapters.arguments import Arguments
from graphmem.adapters.forms import read
from graphmem.adapters.table import TOOLS, Tool
from graphmem.adapters.told import Answer, refused
from graphmem.errors import GraphmemError, InvalidInput, ScopeError
from graphmem.memory import AsyncMemory, Memory
from graphmem.text import shown

_NAMED = {tool.name: tool for tool in TOOLS}


class _Box(list[dict[str, Any]]):
    """The tools of one memory, as ``{"type": "function", "function": {"name", "description", "parameters"}}``."""

    def __init__(self, tenant: str) -> None:
        super().__init__(_function(tool) for tool in TOOLS)
        self._tenant = tenant

    def _asked(self, name: str, arguments: object) -> tuple[Tool[Any], Arguments]:
        """The tool of a call and its arguments. Raises InvalidInput, ScopeError for another tenant."""
        tool = _NAMED.get(name)
        if tool is None:
            raise InvalidInput(f"no tool {shown(name)}; there are {', '.join(_NAMED)}")
        asked = read(tool.arguments, tool.schema["properties"], arguments)
        if asked.tenant not in (None, self._tenant):
            raise ScopeError("tenant: these tools belong to one tenant, and that is another; leave it out")
        return tool, asked


class Toolbox(_Box):
    """The tools over a `Memory`; may be shared by threads."""

    def __init__(self, memory: Memory) -> None:
        super().__init__(memory.scope.tenant)
        self.memory = memory

    def call(self, name: str, arguments: object = None) -> str:
        """Call a tool by its name; the answer is text for the model, also where it is an error ("Error: …").

        `arguments` are a mapping or its JSON text, as models give them.
        """
        return self.answer(name, arguments).text

    def answer(self, name: str, arguments: object = None) -> Answer:
        """As `call`, and whether it failed."""
        try:
            tool, asked = self._asked(name, arguments)
            return tool.tell(tool.ask(self.memory, asked))
        except GraphmemError as error:
            return refused(error)


class AsyncToolbox(_Box):
    """The tools over an `AsyncMemory`; any number of calls may run at once."""

    def __init__(self, memory: AsyncMemory) -> None:
        super().__init__(memory.scope.tenant)
        self.memory = memory

    async def call(self, name: str, arguments: object = None) -> str:
        """Call a tool by its name; the answer is text for the model, also where it is an error ("Error: …").

        `arguments` are a mapping or its JSON text, as models give them.
        """
        return (await self.answer(name, arguments)).text

    async def answer(self, name: str, arguments: object = None) -> Answer:
        """As `call`, and whether it failed."""
        try:
            tool, asked = self._asked(name, arguments)
            return tool.tell(await tool.ask(self.memory, asked))
        except GraphmemError as error:
            return refused(error)


@overload
def tools(memory: Memory) -> Toolbox: ...
@overload
def tools(memory: AsyncMemory) -> AsyncToolbox: ...
def tools(memory: Memory | AsyncMemory) -> Toolbox | AsyncToolbox:
    """The tools of a memory: a list for the ``tools`` of a chat completion, with `call` for what the model asks for.

    Raises InvalidInput for what is no client.
    """
    if isinstance(memory, Memory):
        return Toolbox(memory)
    if isinstance(memory, AsyncMemory):
        return AsyncToolbox(memory)
    raise InvalidInput(f"tools need a Memory or an AsyncMemory, and not a {type(memory).__name__}")


def _function(tool: Tool[Any]) -> dict[str, Any]:
    said = {"name": tool.name, "description": tool.description, "parameters": deepcopy(tool.schema)}
    return {"type": "function", "function": said}
