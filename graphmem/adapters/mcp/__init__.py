"""The MCP server: the tools of one tenant or user, over stdio or streamable HTTP, with the official SDK.

Raises ConfigurationError when it is imported without the ``mcp`` extra.
"""

from graphmem.errors import ConfigurationError as _ConfigurationError

try:
    import mcp as _mcp  # noqa: F401
except ImportError as error:
    raise _ConfigurationError("mcp is not installed; run: pip install 'graphmem[mcp]'") from error
