"""Everything that graphmem raises.

    GraphmemError
    ├── InvalidInput          an argument or a record is not acceptable       (also a ValueError)
    │   └── ScopeError        the tenant or the user is missing or in doubt
    ├── NotFound              no such memory in the caller's scope            (also a KeyError)
    ├── Conflict              the id is taken by other content
    ├── ConfigurationError    settings contradict themselves, or a part is not installed
    ├── StoreError            the database refused or failed
    │   ├── StoreUnavailable  nobody answers at the address, or the retries ran out
    │   ├── AccessDenied      the credentials are wrong or do not suffice
    │   └── SchemaMismatch    the database was made for other settings, or is too old
    ├── EmbeddingError        the embedding model is away or gave no usable vector
    ├── ReflectionError       a model is away, or gave nothing that could be read
    ├── RedactionError        the redactor failed, so nothing was kept
    ├── OutboxError           the local outbox is full, damaged, or cannot be read or written
    └── ServerError           the private Neo4j cannot be fetched, started or stopped
        └── ArtifactError     a download failed or is not what the lock says

Abstaining from an answer is a value (`Recall.decision`), never an exception. A message says what was refused,
where, and what to do about it; the cause is kept as ``__cause__``.
"""

from __future__ import annotations


class GraphmemError(Exception):
    """The root of the tree: catching it catches all of graphmem."""


class InvalidInput(GraphmemError, ValueError):  # noqa: N818 - named for what it says, as the whole tree is
    """An argument or a record is not acceptable; nothing was written."""


class ScopeError(InvalidInput):
    """The tenant or the user is missing, empty or in doubt; nothing was read or written."""


class NotFound(GraphmemError, KeyError):  # noqa: N818
    """No such memory in the caller's scope."""

    def __str__(self) -> str:
        return Exception.__str__(self)


class Conflict(GraphmemError):  # noqa: N818
    """The id is taken by a memory with other content; nothing was written."""


class ConfigurationError(GraphmemError):
    """The settings contradict themselves, or name a part that is not installed."""


class StoreError(GraphmemError):
    """The database refused a statement or failed while running it."""


class StoreUnavailable(StoreError):  # noqa: N818
    """No database answers at the address, or it kept failing until the retries ran out."""


class AccessDenied(StoreError):  # noqa: N818
    """The credentials are wrong, or the account may not do this."""


class SchemaMismatch(StoreError):  # noqa: N818
    """The database was made for other settings, or is too old; nothing was changed."""


class EmbeddingError(GraphmemError):
    """The embedding model is away, or what it returned cannot be used as a vector."""


class ReflectionError(GraphmemError):
    """The language model is away, refused, or answered nothing that could be read; nothing was written.

    `spent` is what it was asked for in vain: requests, tokens that it read, tokens that it wrote.
    """

    def __init__(self, message: str, spent: tuple[int, int, int] = (0, 0, 0)) -> None:
        super().__init__(message)
        self.spent = spent


class RedactionError(GraphmemError):
    """The redactor failed, so what it was given was neither stored nor embedded nor sent anywhere."""


class OutboxError(GraphmemError):
    """The local outbox is full, damaged, or cannot be read or written; nothing was kept in it."""


class ServerError(GraphmemError):
    """The private Neo4j cannot be set up, started or stopped."""


class ArtifactError(ServerError):
    """A download failed, or its size or SHA-256 is not the locked one."""
