"""Experience memory for LLM agents, kept in Neo4j."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from graphmem.memory import AsyncMemory, Memory
    from graphmem.models import Episode, Kind, LinkKind, Outcome, Reflection, Skill, Status, Step, Stored
    from graphmem.recall import Decision, Recall, Request
    from graphmem.settings import Settings

_HOMES = {
    "AsyncMemory": "graphmem.memory",
    "Memory": "graphmem.memory",
    "Episode": "graphmem.models",
    "Kind": "graphmem.models",
    "LinkKind": "graphmem.models",
    "Outcome": "graphmem.models",
    "Reflection": "graphmem.models",
    "Skill": "graphmem.models",
    "Status": "graphmem.models",
    "Step": "graphmem.models",
    "Stored": "graphmem.models",
    "Decision": "graphmem.recall",
    "Recall": "graphmem.recall",
    "Request": "graphmem.recall",
    "Settings": "graphmem.settings",
}

__all__ = [
    "AsyncMemory",
    "Decision",
    "Episode",
    "Kind",
    "LinkKind",
    "Memory",
    "Outcome",
    "Recall",
    "Reflection",
    "Request",
    "Settings",
    "Skill",
    "Status",
    "Step",
    "Stored",
]


def __getattr__(name: str) -> object:
    # Names are imported when they are asked for, so that `import graphmem` costs next to nothing.
    if name not in _HOMES:
        raise AttributeError(f"module 'graphmem' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
