"""What every verb stands on: whose memories, with which settings, and that the schema is there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TypeVar

from graphmem.embed import Embedder
from graphmem.errors import OutboxError, StoreError, StoreUnavailable
from graphmem.outbox import Delivery, Entry, Means, deliver
from graphmem.redact import Redactor, clean
from graphmem.scope import Scope, new_id
from graphmem.settings import Settings
from graphmem.steps import Keep, Knock, Stage
from graphmem.store.schema import Wanted, ensure
from graphmem.telemetry import logger, waiting
from graphmem.text import utc

DIMENSIONS = 384  # of the vector index while no embedder is in use
_LOG = logger("outbox")
PATIENCE = 1.0  # seconds that a write waits for another client that delivers what came before it
KEPT = "waits in the outbox ('graphmem flush')"

Clock = Callable[[], datetime]
T = TypeVar("T")


def wanted(settings: Settings, embedder: Embedder | None) -> Wanted:
    """What these settings ask of a database."""
    return Wanted(
        embedding_model=embedder.name if embedder else "",
        dimensions=embedder.dimensions if embedder else DIMENSIONS,
        analyzer=settings.fulltext.analyzer,
    )


class Base:
    """The state that the verbs of one client share."""

    def __init__(
        self,
        scope: Scope,
        settings: Settings,
        embedder: Embedder | None,
        clock: Clock,
        llm: str = "",
        redactor: Redactor | None = None,
    ) -> None:
        self.scope = scope
        self.settings = settings
        self.embedder = embedder
        self.llm = llm  # the language model's name; empty: there is none
        self.redactor = redactor  # of all that callers and models say; none: it is switched off
        self.clock: Clock = lambda: utc(clock())
        self._ready = False

    def init(self) -> Stage[tuple[str, ...]]:
        """Bring the database to the schema that this client needs; the names of the steps that were applied.

        Raises SchemaMismatch, with nothing changed, when the database was made for other settings or is too old.
        """
        applied = yield from ensure(wanted(self.settings, self.embedder))
        self._ready = True
        yield from self._prepared()
        return applied

    def _clean(self, said: T) -> T:
        """What a caller says, redacted. Raises InvalidInput for an id, RedactionError, as `redact.clean` does."""
        return clean(self.redactor, said)[0]

    @property
    def _model(self) -> str:
        return self.embedder.name if self.embedder else ""

    @property
    def _dimensions(self) -> int:
        return wanted(self.settings, self.embedder).dimensions

    def _prepared(self) -> Stage[str]:
        """Deliver what waits, and see that the schema is there; why some of this scope's writes wait on, if they do."""
        try:
            left = (yield from self._delivered(patience=0.0)).left
        except (StoreError, OutboxError) as error:
            left = str(error)
        yield from self._schema()
        return left

    def _in_order(self, write: Stage[T], entries: Callable[[], Sequence[Entry]]) -> Stage[tuple[T | None, str]]:
        """Write once all that waits is delivered, or keep it behind that in the outbox: then no answer, but the reason.

        Raises StoreUnavailable where no outbox is in use, OutboxError when it cannot keep it.
        """
        away: StoreUnavailable | None = None
        try:
            delivery = yield from self._before()
            if not delivery.left:
                yield from self._schema()
                return (yield from write), ""
            away, why = delivery.away, delivery.left
        except StoreUnavailable as error:
            if not self.settings.outbox.enabled:
                raise
            away, why = error, str(error)
        try:
            kept = entries()
            yield Keep(kept)
        except OutboxError as error:
            raise error from away
        _LOG.warning("kept in the outbox: %d (%s)", len(kept), "the store is away" if away else "others wait before")
        return None, f"{KEPT}: {why}"

    def _before(self) -> Stage[Delivery]:
        try:
            return (yield from self._delivered(PATIENCE))
        except OutboxError as error:
            try:
                yield Knock()
            except StoreUnavailable as away:
                raise error from away
            raise

    def _delivered(self, patience: float) -> Stage[Delivery]:
        rules = self.settings.outbox
        return (yield from deliver(self.scope, self._means, rules.per_call, patience)) if rules.enabled else Delivery()

    @property
    def _means(self) -> Means:
        return Means(self._model, self.settings.receipt_days, new_id, self._schema)

    def _schema(self) -> Stage[None]:
        if not self._ready:
            with waiting("the database is being looked at, and brought to the schema if it is new"):
                yield from ensure(wanted(self.settings, self.embedder))
            self._ready = True
