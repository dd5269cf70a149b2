"""What every phase of consolidation works with, and the tally of what a run did."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, TypeVar

from graphmem.errors import ReflectionError, StoreError
from graphmem.learn.drafts import Attempt, Known, Reflector, Usage
from graphmem.learn.models import Decided
from graphmem.models import Episode, Identifier, Reflection
from graphmem.policies import ConsolidationSettings
from graphmem.record.properties import intact, to_item
from graphmem.redact import Redactor, clean, noted, told
from graphmem.scope import Scope
from graphmem.steps import Call, Progress, Row
from graphmem.store.catalogue import statement

T = TypeVar("T")

LONGEST = 1000  # characters of a problem


@dataclass(frozen=True, slots=True)
class Work:
    """Whose memories, who reflects, by which rules; `worker` is the name of this run in the queue.

    Secure episodes are reflected by `rules`, whatever `reflector` is, so that their text leaves for no model.
    """

    scope: Scope
    reflector: Reflector
    rules: Reflector
    settings: ConsolidationSettings
    clock: Callable[[], datetime]
    embedding_model: str
    worker: str
    progress: Progress
    price: Callable[[Usage], float] = lambda usage: 0.0
    redactor: Redactor | None = None

    @property
    def latest(self) -> datetime:
        """The latest time that anybody with a right clock can have claimed anything until."""
        longest = max(self.settings.lease_seconds, self.settings.retry_seconds)
        return self.clock() + timedelta(seconds=longest)

    @property
    def until(self) -> datetime:
        """When a claim of now ends."""
        return self.clock() + timedelta(seconds=self.settings.lease_seconds)

    def call(self, name: str, **given: Any) -> Call:
        """A statement of this stage about the scope of this run."""
        return Call(statement(f"learn/{name}"), {"scope": self.scope.own, **given})

    def shown(self, value: T) -> T:
        """What a reflector may be shown of memories, which may be older than their redaction."""
        return clean(self.redactor, value, known=True)[0]

    def kept(self, draft: T) -> tuple[T, tuple[str, ...]]:
        """A draft as it is stored, with the note of what was taken out of it."""
        kept, found = clean(self.redactor, draft, known=True)
        return kept, noted(found)

    def told(self, problem: str) -> str:
        """What went wrong, as it is stored: redacted, and cut."""
        return told(self.redactor, problem)[:LONGEST]

    def turn(self) -> Call:
        """Lock the queue: the first statement of what takes from it, or changes what others wait for."""
        return self.call("turn", tenant=self.scope.tenant, user=self.scope.user, worker=self.worker)


@dataclass(slots=True)
class Tally:
    """What a run did so far."""

    episodes: int = 0
    lessons: int = 0
    repeated: int = 0
    grouped: int = 0
    skills: int = 0
    failed: int = 0
    dead: int = 0
    usage: Usage = field(default_factory=Usage)
    decided: list[Decided] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def spend(self, error: Exception) -> None:
        """Count what a model was asked for in vain."""
        if isinstance(error, ReflectionError):
            requests, read, wrote = error.spent
            self.usage += Usage(requests=requests, prompt_tokens=read, completion_tokens=wrote)

    def warn(self, told: tuple[str, ...]) -> None:
        """Keep warnings, a hundred at most."""
        self.warnings += told[: 100 - len(self.warnings)]


def attempt(node: Row) -> Attempt:
    """An episode of the graph as evidence. Raises StoreError when its node is damaged."""
    episode = to_item(node)
    if not isinstance(episode, Episode):
        raise StoreError(f"memory {node.get('id')} was damaged in the database: it is no episode")
    with intact(node):
        return Attempt(id=node["id"], episode=episode, happened_at=node["happened_at"], novel=bool(node.get("novel")))


def known(node: Row) -> Known:
    """A reflection of the graph. Raises StoreError when its node is damaged."""
    reflection = to_item(node)
    if not isinstance(reflection, Reflection):
        raise StoreError(f"memory {node.get('id')} was damaged in the database: it is no reflection")
    return Known(id=identifier(node), reflection=reflection)


def readable(nodes: Sequence[Row], read: Callable[[Row], T]) -> tuple[tuple[T, ...], dict[str, str]]:
    """What can be read of some nodes, and what is wrong with the others, by id."""
    values: list[T] = []
    damaged: dict[str, str] = {}
    for node in nodes:
        try:
            values.append(read(node))
        except StoreError as error:
            damaged[identifier(node)] = str(error)
    return tuple(values), damaged


def identifier(node: Row) -> Identifier:
    """The id of a node."""
    return str(node["id"])
