"""Verbs about what waits in the outbox of this computer."""

from __future__ import annotations

from graphmem.errors import InvalidInput
from graphmem.outbox import Backlog, Flushed, deliver
from graphmem.scope import Scope
from graphmem.steps import Count, Progress, Revive, Stage
from graphmem.verbs.base import Base

PATIENCE = 60.0  # seconds that a flush waits for another client that delivers
WITHOUT_END = 2**62


class Delivering(Base):
    """flush, waiting."""

    def flush(
        self,
        *,
        everything: bool = False,
        retry_dead: bool = False,
        drop_dead: bool = False,
        progress: Progress = lambda doing, done, whole: None,
    ) -> Stage[Flushed]:
        """Deliver all that this client wrote while the store was away, in order, and tell what stays, and why.

        With `everything`, a client of the tenant delivers what all its users wrote. Dead letters, which the store
        refused for good, are left alone, or tried again in their old places (`retry_dead`), or given up for good
        (`drop_dead`). A store that is away is no error: `problem` says so, and all waits on. Raises OutboxError when
        the file cannot be used, InvalidInput when a user's client asks for everything or both are asked for.
        """
        self._check_whose(everything)
        if not isinstance(retry_dead, bool) or not isinstance(drop_dead, bool) or (retry_dead and drop_dead):
            raise InvalidInput("retry_dead and drop_dead are True or False, and not both are True")
        dropped = 0
        if retry_dead or drop_dead:
            changed: int = yield Revive(self.scope, everything, drop_dead)
            dropped = changed if drop_dead else 0
        before: Backlog = yield Count(self.scope, everything)
        delivered, unchanged, problem = 0, 0, ""
        for user in before.users:

            def tell(now: int, earlier: int = delivered) -> object:
                return progress("delivering", earlier + now, before.waiting)

            owner = Scope(self.scope.tenant, user)
            done = yield from deliver(owner, self._means, WITHOUT_END, PATIENCE, tell)
            delivered, unchanged, problem = delivered + done.delivered, unchanged + done.unchanged, done.left or problem
        after: Backlog = yield Count(self.scope, everything)
        return Flushed(
            delivered=delivered,
            unchanged=unchanged,
            dropped=dropped,
            problem=problem if after.waiting else "",
            **{name: getattr(after, name) for name in ("waiting", "oldest", "dead", "letters")},
        )

    def waiting(self, *, everything: bool = False) -> Stage[Backlog]:
        """What waits in the outbox of this client's writes, or with `everything` of all of a tenant; and dead letters.

        The store is not asked. Raises OutboxError when the file cannot be read, InvalidInput as `flush`.
        """
        self._check_whose(everything)
        backlog: Backlog = yield Count(self.scope, everything)
        return backlog

    def _check_whose(self, everything: bool) -> None:
        if not isinstance(everything, bool):
            raise InvalidInput(f"everything is True or False, not {everything!r:.60}")
        if everything and self.scope.user:
            raise InvalidInput("a user's client works on that user's own; make a client of the tenant for everything")
