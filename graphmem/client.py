"""What both clients are made of: whose memories they keep, and what they ask beside the database."""

from __future__ import annotations

from threading import Lock

from graphmem.embed import Embedded, Embedder, check_embedder, embed_texts, make_embedder
from graphmem.errors import EmbeddingError, StoreUnavailable
from graphmem.llm import Completion, Llm, ask, check_llm, make_llm
from graphmem.outbox import Outbox
from graphmem.redact import Redactor, check_redactor, make_redactor
from graphmem.scope import Scope, scope
from graphmem.settings import Settings, connection, load_settings
from graphmem.steps import Complete, Embed
from graphmem.text import utc_now
from graphmem.verbs import Clock, Verbs


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
        self._closed = False

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

    def _check_open(self) -> None:
        if self._closed:
            raise StoreUnavailable(f"this {type(self).__name__} is closed; make a new one")

    def _embed(self, step: Embed) -> list[Embedded]:
        if self._verbs.embedder is None:
            raise EmbeddingError("no embedding model is in use (GRAPHMEM_EMBEDDING__MODEL is 'none')")
        return embed_texts(self._verbs.embedder, step.texts, step.kind)

    def _complete(self, step: Complete) -> Completion:
        return ask(self._llm, step.prompt)
