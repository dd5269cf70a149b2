"""Verbs that write memories, look at them and change them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from pydantic import JsonValue

from graphmem import govern, learn
from graphmem import record as recording
from graphmem.errors import Conflict, InvalidInput, NotFound
from graphmem.govern import Erased, Filters
from graphmem.learn import Link
from graphmem.models import AnyItem, LinkKind, Stored, chosen
from graphmem.record import Given, Order, Recorded, Reembedded, Result, accept, batches, sorted_out
from graphmem.scope import new_id
from graphmem.steps import Stage
from graphmem.verbs.base import Base

Progress = Callable[[tuple[Recorded, ...]], object]


class Keeping(Base):
    """record, record_many, get, list, update, link, reembed, erase."""

    def record(self, item: Given, *, share: bool = False) -> Stage[Recorded]:
        """Record one memory, in the user's own scope or (`share`) in what the tenant shares.

        The same id with the same content changes nothing and says so. Raises Conflict for the same id with other
        content, NotFound when a source is not there, InvalidInput for what cannot be recorded.
        """
        (answer,) = yield from self._batch([accept(item)], share)
        if answer.result is Result.CONFLICT:
            raise Conflict(answer.problem)
        if answer.result is Result.NO_SOURCE:
            raise NotFound(answer.problem)
        return answer

    def record_many(
        self, items: Iterable[Given], *, share: bool = False, progress: Progress | None = None
    ) -> Stage[tuple[Recorded, ...]]:
        """Record memories in transactions of at most 256; the answers come in the order of the items.

        Every good item is stored, every other one is told with its reason. `progress` is given the answers of each
        batch once it is committed: what it was told is there, whatever happens afterwards.
        """
        answers: list[Recorded] = []
        for start, batch in batches(items):
            accepted, told = sorted_out(batch, start)
            stored = iter((yield from self._batch(accepted, share)) if accepted else ())
            answered = tuple(fault or next(stored) for fault in told)
            answers += answered
            if progress is not None:
                progress(answered)
        return tuple(answers)

    def get(self, id: str) -> Stage[Stored]:  # noqa: A002 - the public name
        """One memory. Raises NotFound when it is not in this scope, or has expired."""
        yield from self._prepared()
        return (yield from govern.get(id, self.scope, self.clock()))

    def list(self, /, **filters: Any) -> Stage[tuple[Stored, ...]]:
        """Memories that have not expired, newest first; the filters are the fields of `Filters`."""
        wanted = Filters(**filters)
        yield from self._prepared()
        return (yield from govern.listed(wanted, self.scope, self.clock()))

    def update(
        self,
        id: str,  # noqa: A002
        *,
        tags: Sequence[str] | None = None,
        metadata: Mapping[str, JsonValue] | None = None,
        expires_at: datetime | str | None = None,
        share: bool = False,
    ) -> Stage[Stored]:
        """Change tags, metadata, the end; what is shared with `share` alone. Raises InvalidInput, NotFound."""
        yield from self._prepared()
        target = self.scope.writes(share)
        return (yield from govern.update(id, target, self.clock(), tags, metadata, expires_at))

    def link(
        self, start: str, end: str, *, kind: str = "similar", weight: float = 1.0, by: str = "caller"
    ) -> Stage[Link]:
        """Relate two memories; `kind` is one of a fixed set, `weight` in [0, 1]. Raises NotFound, InvalidInput."""
        said = Link(start=start, end=end, kind=chosen(LinkKind, kind, "kind"), weight=weight, by=by)
        yield from self._prepared()
        return (yield from learn.link(said, self.scope, self.clock()))

    def reembed(self, *, progress: Callable[[int], object] | None = None) -> Stage[Reembedded]:
        """Embed what was stored without a vector; `progress` is given the count. It may be stopped and run again.

        Raises EmbeddingError while the model is away.
        """
        yield from self._prepared()
        return (yield from recording.reembed(self.scope, self._model, self.clock(), progress))

    def erase(self, *, everything: bool = False) -> Stage[Erased]:
        """Erase all memories, receipts, parameters and jobs of this client's scope, with their links, for good.

        A client of a user erases what is that user's own, and nothing that the tenant shares, even if this user gave
        it; a client of a tenant without a user erases the whole tenant, all its users included. What shared memories
        owe to erased receipts is counted anew. It works in batches: stopped and run again, it goes on. Raises
        InvalidInput, with nothing erased, unless `everything` is True.
        """
        if everything is not True:
            raise InvalidInput("erase takes everything=True, and then all of this scope is gone; nothing was erased")
        yield from self._prepared()
        return (yield from govern.erase(self.scope, self._dimensions))

    def _batch(self, items: Sequence[AnyItem], share: bool) -> Stage[tuple[Recorded, ...]]:
        yield from self._prepared()
        return (yield from recording.record(items, Order(self.scope, share, self.clock(), self._model, new_id)))
