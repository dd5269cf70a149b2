"""What both clients are made of: whose memories they keep, and what they ask beside the database."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from threading import Lock
from typing import Self

from graphmem import telemetry
from graphmem.embed import Embedded, Embedder, Known, check_embedder, make_embedder
from graphmem.errors import EmbeddingError, StoreUnavailable
from graphmem.llm import Completion, Llm, ask, check_llm, make_llm
from graphmem.outbox import Outbox
from graphmem.redact import Redactor, check_redactor, errors_redacted, make_redactor
from graphmem.scope import Scope, scope
from graphmem.settings import Settings, connection, load_settings
from graphmem.steps import Complete, Embed
from graphmem.telemetry import logger, span
from graphmem.text import utc_now
from graphmem.verbs import Clock, Verbs

JOBS = frozenset({"calibrate", "consolidate", "erase", "export", "load", "reembed", "retention"})
"""Verbs that are long work: an operator wants to know that they ended, and with which counts."""
_EMBEDDING = logger("embed")
_COMPLETING = logger("llm")


class Client:
    """What both clients are made of."""

    def __init__(
        self,
        tenant: str | None = None,
        user: str | None = None,
        *,
        settings: Settings | None = None,
        embedder: Embedder | None = None,
        llm: Llm | None = None,
        redactor: Redactor | None = None,
        clock: Clock = utc_now,
    ) -> None:
        """Make a client of one tenant, or of one of its users.

        What is not given is read from ``GRAPHMEM_*``. Nothing is asked of the database before the first verb.
        Raises ScopeError without a tenant, ConfigurationError when the settings name no database.
        """
        self._settings = settings or load_settings()
        named = tenant if tenant is not None else self._settings.tenant
        owner = user if user is not None else self._settings.user
        chosen = check_embedder(embedder) if embedder is not None else make_embedder(self._settings)
        self._llm = check_llm(llm) if llm is not None else make_llm(self._settings)
        self._verbs = Verbs(
            scope(named, owner),
            self._settings,
            chosen,
            clock,
            self._llm.name if self._llm is not None else "",
            check_redactor(redactor) if redactor is not None else make_redactor(self._settings),
        )
        self._at = connection(self._settings)
        self._outbox = Outbox(self._settings, self._at)
        self._guard = Lock()  # threads that share a client open one database, which `close` then closes
        self._known = Known()
        self._closed = False
        self._through: Self | None = None  # the client whose connections this one uses

    def scoped(self, tenant: str, user: str | None = None) -> Self:
        """A client of another tenant or user through this one: its connections, settings, models and redactor.

        For programs that serve many: it costs nothing to make. It ends with this one, and closing it ends it alone.
        Raises ScopeError as the constructor does, StoreUnavailable once this one is closed.
        """
        self._check_open()
        other = copy(self)
        other._verbs = copy(self._verbs)
        other._verbs.scope = scope(tenant, user)
        other._through = self._through or self
        other._known = Known()
        return other

    @property
    def settings(self) -> Settings:
        """The settings of this client."""
        return self._settings

    @property
    def scope(self) -> Scope:
        """Whose memories these are."""
        return self._verbs.scope

    @property
    def redactor(self) -> Redactor | None:
        """What takes secrets and personal data out of all that is recorded; None where that is switched off."""
        return self._verbs.redactor

    @contextmanager
    def _observed(self, verb: str) -> Iterator[Callable[[object], object]]:
        """A verb as an operator sees it: its errors redacted, its end logged, its span made."""
        ended = logging.INFO if verb in JOBS else logging.DEBUG
        with errors_redacted(self._verbs.redactor), telemetry.verb(verb, self.scope.own, ended=ended) as told:
            yield told

    def _check_open(self) -> None:
        if self._closed:
            raise StoreUnavailable(f"this {type(self).__name__} is closed; make a new one")
        if self._through is not None:
            self._through._check_open()

    def _embed(self, step: Embed) -> list[Embedded]:
        embedder = self._verbs.embedder
        if embedder is None:
            raise EmbeddingError("no embedding model is in use (GRAPHMEM_EMBEDDING__MODEL is 'none')")
        asked = {"gen_ai.operation.name": "embeddings", "gen_ai.request.model": embedder.name}
        with span(f"embeddings {embedder.name}", _EMBEDDING, {**asked, "graphmem.texts": len(step.texts)}):
            try:
                answers = self._known.embed(embedder, step.texts, step.kind)
            except EmbeddingError as error:
                cause = type(error.__cause__ or error).__name__
                _EMBEDDING.warning("the embedding model %s is away (%s)", embedder.name, cause)
                raise
        without = sum(one.vector is None for one in answers)
        if without:
            _EMBEDDING.warning("%d of %d texts got no vector from %s", without, len(answers), embedder.name)
        return answers

    def _complete(self, step: Complete) -> Completion:
        name = self._llm.name if self._llm is not None else ""
        asked = {"gen_ai.operation.name": "chat", "gen_ai.request.model": name}
        with span(f"chat {name}", _COMPLETING, asked, client=True) as told:
            answer = ask(self._llm, step.prompt)
            told({f"gen_ai.usage.{kind}_tokens": tokens for kind, tokens in _spent(answer)})
        return answer


def _spent(answer: Completion) -> tuple[tuple[str, int], ...]:
    return ("input", answer.prompt_tokens), ("output", answer.completion_tokens)
