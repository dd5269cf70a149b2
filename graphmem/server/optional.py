"""Parts that come with an extra, imported when they are needed."""

from __future__ import annotations

import importlib
from typing import Any

from graphmem.errors import ConfigurationError


def require(module: str) -> Any:
    """Import a module that the `server` extra brings. Raises ConfigurationError that says how to install it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ConfigurationError(f"{module} is not installed; run: pip install 'graphmem[server]'") from error
