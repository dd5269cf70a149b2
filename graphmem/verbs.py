"""Every verb once, as a stage: checked arguments in, steps out. `Memory` and `AsyncMemory` run them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from pydantic import JsonValue

from graphmem import correct as correcting
from graphmem import govern, learn
from graphmem import recall as recalling
from graphmem import record as recording
from graphmem.correct import Correction, Feedback, Ruling, Verdict
from graphmem.embed import Embedder
from graphmem.errors import Conflict, GraphmemError, InvalidInput, NotFound, StoreUnavailable
from graphmem.govern import Filters
from graphmem.learn import Link
from graphmem.models import AnyItem, LinkKind, Outcome, Stored, chosen
from graphmem.recall import Decision, Recall, Request
from graphmem.record import Given, Order, Recorded, Reembedded, Result, accept, batches, sorted_out
from graphmem.scope import Scope, new_id
from graphmem.settings import Settings
from graphmem.steps import Stage
from graphmem.store.schema import Wanted, ensure
from graphmem.text import utc

DIMENSIONS = 384  # of the vector index while no embedder is in use

Clock = Callable[[], datetime]
Progress = Callable[[tuple[Recorded, ...]], object]


def wanted(settings: Settings, embedder: Embedder | None) -> Wanted:
    """What these settings ask of a database."""
    return Wanted(
        embedding_model=embedder.name if embedder else "",
        dimensions=embedder.dimensions if embedder else DIMENSIONS,
        analyzer=settings.fulltext.analyzer,
    )


class Verbs:
    """The verbs of one client, whose scope, settings, embedder and clock they share."""

    def __init__(self, scope: Scope, settings: Settings, embedder: Embedder | None, clock: Clock) -> None:
        self.scope = scope
        self.settings = settings
        self.embedder = embedder
        self.clock: Clock = lambda: utc(clock())
        self._ready = False

    def init(self) -> Stage[tuple[str, ...]]:
        """Bring the database to the schema that this client needs; the names of the steps that were applied.

        Raises SchemaMismatch, with nothing changed, when the database was made for other settings or is too old.
        """
        applied = yield from ensure(wanted(self.settings, self.embedder))
        self._ready = True
        return applied

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

    def recall(
        self,
        text: str,
        *,
        kind: str | None = None,
        domain: str | None = None,
        task_type: str | None = None,
        toolchain: str | None = None,
        tags: Sequence[str] = (),
        context: Mapping[str, str] | None = None,
        limit: int = 3,
        trace_id: str = "",
        receipt: bool = False,
    ) -> Stage[Recall]:
        """The memories that fit a task, or the news that none does.

        `kind`, `domain`, `task_type` and `toolchain` filter, `tags` must all be there, `context` excludes memories
        whose conditions it contradicts. With `receipt`, and whenever the answer is novel, a receipt is written at
        once. Raises InvalidInput for a blank text or a limit outside 1 to 100. While the store is away the decision
        is `policy_only`.
        """
        request = Request(
            text=text,
            kind=kind,
            domain=domain,
            task_type=task_type,
            toolchain=toolchain,
            tags=tags,
            context=context or {},
            limit=limit,
            trace_id=trace_id,
        )
        (answer,) = yield from self.recall_many([request])
        if receipt or answer.decision is Decision.NOVEL:
            return (yield from self._with_receipt(answer))
        return answer

    def recall_many(self, requests: Sequence[Request]) -> Stage[tuple[Recall, ...]]:
        """Answer several questions in one round trip, in their order; no receipts are written."""
        if not all(isinstance(request, Request) for request in requests):
            raise InvalidInput("recall_many takes Requests; make them with graphmem.Request")
        rules = self.settings.recall
        setting = recalling.Setting(
            scope=self.scope,
            rules=rules,
            policy=recalling.policy(rules, self.embedder),
            now=self.clock(),
            ids=[new_id() for _ in requests],
        )
        if not requests:
            return ()
        try:
            yield from self._prepared()
            return (yield from recalling.recall(requests, setting))
        except StoreUnavailable as error:
            pairs = zip(requests, setting.ids, strict=True)
            return tuple(recalling.unavailable(*pair, setting, error) for pair in pairs)

    def feedback(
        self,
        recall: Recall | Mapping[str, Any] | str | bytes,
        *,
        outcome: str,
        used: Iterable[str] = (),
        misled: Iterable[str] = (),
        evidence: str = "",
        reason: str = "",
    ) -> Stage[Feedback]:
        """Say how the attempt behind a recall ended, which memories were used, and which misled.

        `recall` is the Recall, its JSON, or the id of a written receipt; the latest word on it counts. Only memories
        that are named are credited or blamed. Raises NotFound for an id that is not there, with nothing written.
        """
        about = correcting.reference(recall)
        verdict = Verdict(
            outcome=chosen(Outcome, outcome, "outcome"),
            used=used,
            misled=misled,
            evidence=evidence,
            reason=reason or evidence,
        )
        yield from self._prepared()
        return (yield from correcting.feedback(about, verdict, self.scope, self.clock(), self.settings.receipt_days))

    def correct(
        self, *, wrong: str, right: str, reason: str, context: str | None = None, by: str = "caller"
    ) -> Stage[Correction]:
        """Say that one memory is right where another is wrong: in contexts like `context`, or everywhere.

        From then on recall gives the right one in the place of the wrong one. Raises NotFound when either is not
        there, InvalidInput when they are the same or there is no reason.
        """
        ruling = Ruling(wrong=wrong, right=right, reason=reason, context=context, by=by)
        yield from self._prepared()
        return (yield from correcting.correct(ruling, self.scope, self.clock(), self.settings.receipt_days))

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

    @property
    def _model(self) -> str:
        return self.embedder.name if self.embedder else ""

    def _prepared(self) -> Stage[None]:
        if not self._ready:
            yield from self.init()

    def _batch(self, items: Sequence[AnyItem], share: bool) -> Stage[tuple[Recorded, ...]]:
        yield from self._prepared()
        return (yield from recording.record(items, Order(self.scope, share, self.clock(), self._model, new_id)))

    def _with_receipt(self, answer: Recall) -> Stage[Recall]:
        if answer.decision is Decision.POLICY_ONLY:
            return answer.warned("no receipt was written: the memory is away")
        try:
            yield from correcting.write_receipt(answer, self.scope, self.clock(), self.settings.receipt_days)
        except GraphmemError as error:
            return answer.warned(f"no receipt was written: {error}")
        return answer
