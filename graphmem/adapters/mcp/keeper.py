"""The client of a server that outlives its store."""

from __future__ import annotations

import asyncio

from graphmem.adapters.box import AsyncToolbox
from graphmem.embed import make_embedder
from graphmem.errors import ConfigurationError
from graphmem.memory import AsyncMemory
from graphmem.scope import scope
from graphmem.settings import Connection, Settings, connection


class Keeper:
    """Makes the client when it is first wanted, and anew when the private server has come back at another address.

    So a server may be started before its store is.
    """

    def __init__(self, tenant: str | None, user: str | None, settings: Settings) -> None:
        """Whose memories; the settings' if not given. Raises ScopeError without a tenant."""
        self.scope = scope(
            tenant if tenant is not None else settings.tenant, user if user is not None else settings.user
        )
        self._settings = settings
        self._embedder = make_embedder(settings)
        self._box: AsyncToolbox | None = None
        self._at: Connection | None = None

    async def box(self) -> AsyncToolbox:
        """The tools, over a client of the store as it is now. Raises ConfigurationError before it was ever started."""
        try:
            at = await asyncio.to_thread(connection, self._settings)
        except ConfigurationError:
            if self._box is None:
                raise
            return self._box  # it was stopped: the client says so, and what is recorded waits in the outbox
        if self._box is None or at != self._at:
            before, self._at = self._box, at
            self._box = AsyncToolbox(
                AsyncMemory(
                    self.scope.tenant, self.scope.user or None, settings=self._settings, embedder=self._embedder
                )
            )
            if before is not None:
                await before.memory.close()
        return self._box

    async def close(self) -> None:
        """Close the connections."""
        box, self._box = self._box, None
        if box is not None:
            await box.memory.close()
