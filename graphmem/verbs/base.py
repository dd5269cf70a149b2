"""What every verb stands on: whose memories, with which settings, and that the schema is there."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from graphmem.embed import Embedder
from graphmem.scope import Scope
from graphmem.settings import Settings
from graphmem.steps import Stage
from graphmem.store.schema import Wanted, ensure
from graphmem.text import utc

DIMENSIONS = 384  # of the vector index while no embedder is in use

Clock = Callable[[], datetime]


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
        self, scope: Scope, settings: Settings, embedder: Embedder | None, clock: Clock, llm: str = ""
    ) -> None:
        self.scope = scope
        self.settings = settings
        self.embedder = embedder
        self.llm = llm  # the language model's name; empty: there is none
        self.clock: Clock = lambda: utc(clock())
        self._ready = False

    def init(self) -> Stage[tuple[str, ...]]:
        """Bring the database to the schema that this client needs; the names of the steps that were applied.

        Raises SchemaMismatch, with nothing changed, when the database was made for other settings or is too old.
        """
        applied = yield from ensure(wanted(self.settings, self.embedder))
        self._ready = True
        return applied

    @property
    def _model(self) -> str:
        return self.embedder.name if self.embedder else ""

    @property
    def _dimensions(self) -> int:
        return wanted(self.settings, self.embedder).dimensions

    def _prepared(self) -> Stage[None]:
        if not self._ready:
            yield from self.init()
