"""Verbs that write memories, look at them and change them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from pydantic import JsonValue

from graphmem import govern, learn
from graphmem import record as recording
from graphmem.errors import Conflict, NotFound
from graphmem.govern import Filters
from graphmem.learn import Link
from graphmem.models import AnyItem, LinkKind, Stored, chosen
from graphmem.outbox import of_record
from graphmem.record import Accepted, Given, Order, Recorded, Reembedded, Result, accepted, batches, sorted_out
from graphmem.redact import clean
from graphmem.scope import new_id
from graphmem.steps import Stage
from graphmem.store.move import movable, moves
from graphmem.store.schema import inspect
from graphmem.telemetry import trace
from graphmem.verbs.base import Base, wanted

Progress = Callable[[tuple[Recorded, ...]], object]


class Keeping(Base):
    """record, record_many, get, list, update, link, reembed."""

    def record(self, item: Given, *, share: bool = False) -> Stage[Recorded]:
        """Record one memory, in the user's own scope or (`share`) in what the tenant shares.

        The same id with the same content changes nothing and says so. Raises Conflict for the same id with other
        content, NotFound when a source is not there, InvalidInput for what cannot be recorded. While the store is away
        it waits in the local outbox (`queued`), and nothing is known of its sources; raises OutboxError when it cannot.
        """
        (answer,) = yield from self._batch([self._accepted(item)], share)
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
            good, told = sorted_out(batch, start, self.redactor)
            stored = iter((yield from self._batch(good, share)) if good else ())
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
        wanted = self._clean(Filters(**filters))
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
        said, found = clean(self.redactor, (tags, metadata))
        yield from self._prepared()
        target = self.scope.writes(share)
        return (yield from govern.update(id, target, self.clock(), *said, expires_at, found))

    def link(
        self, start: str, end: str, *, kind: str = "similar", weight: float = 1.0, by: str = "caller"
    ) -> Stage[Link]:
        """Relate two memories; `kind` is one of a fixed set, `weight` in [0, 1]. Raises NotFound, InvalidInput."""
        said = self._clean(Link(start=start, end=end, kind=chosen(LinkKind, kind, "kind"), weight=weight, by=by))
        yield from self._prepared()
        return (yield from learn.link(said, self.scope, self.clock()))

    def reembed(self, *, progress: Callable[[int], object] | None = None) -> Stage[Reembedded]:
        """Embed what was stored without a vector; `progress` is given the count. It may be stopped and run again.

        A database of another embedding model is moved to this client's, with all its tenants: until that has ended
        everybody's recall goes by words, and says so. Raises EmbeddingError while the model is away.
        """
        target = wanted(self.settings, self.embedder)
        present = yield from inspect()
        if not moves(target, present):
            yield from self._prepared()
            return (yield from recording.reembed(self.scope.visible, self._model, self.clock(), progress))
        yield from movable(target, present)
        return (yield from recording.move(target, self.clock(), progress))

    def _accepted(self, given: Given) -> Accepted:
        """One memory as it is kept: checked, redacted, with the note of what was taken out."""
        return accepted(given, self.redactor)

    def _batch(self, items: Sequence[Accepted], share: bool) -> Stage[tuple[Recorded, ...]]:
        """Record a batch; each memory has its id before it is tried, so that it may be tried again from the outbox."""
        now = self.clock()
        named = [replace(one, item=_identified(one.item)) for one in items]
        if len(named) == 1:
            trace(named[0].item.trace_id)
        answers, why = yield from self._in_order(
            recording.record(named, Order(self.scope, share, now, self._model, new_id)),
            lambda: [of_record(one, self.scope, share, now) for one in named],
        )
        if answers is None:
            return tuple(Recorded(id=one.item.id, result=Result.QUEUED, problem=why) for one in named)
        return answers


def _identified(item: AnyItem) -> AnyItem:
    return item if item.id is not None else item.model_copy(update={"id": new_id()})
