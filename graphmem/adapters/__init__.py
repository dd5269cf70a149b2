"""graphmem for frameworks that agents already use: plain tools, MCP, the OpenAI Agents SDK, LangGraph.

What needs a framework is in a module of its own, which asks for its extra when it is imported.
"""

from graphmem.adapters.box import AsyncToolbox, Toolbox, tools
from graphmem.adapters.table import INSTRUCTIONS

__all__ = ["INSTRUCTIONS", "AsyncToolbox", "Toolbox", "tools"]
