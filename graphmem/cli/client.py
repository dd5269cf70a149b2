"""The client that a command works with."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from graphmem.memory import Memory


def connect(tenant: str | None, user: str | None) -> Memory:
    """A client of the given tenant and user, else of those in the environment."""
    from graphmem.memory import Memory

    return Memory(tenant=tenant, user=user)
