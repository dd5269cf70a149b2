"""What is asked of keyed values, and what is answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Literal

from pydantic import Field, JsonValue

from graphmem.fields import Input, Metadata, Status, Text, Value, Words
from graphmem.text import Instant

MOST = 1000  # a question looks at so many of the nearest

Namespace = Annotated[tuple[Text, ...], Field(max_length=90)]
Where = Callable[[Mapping[str, JsonValue]], bool]


class Get(Input):
    """Ask for the value under a namespace and a key; reviewed or not, it is there until it is deleted."""

    namespace: Namespace
    key: Text


class Delete(Input):
    """Ask that a value is gone for good, with all its versions and what was learnt of them."""

    namespace: Namespace
    key: Text


class Put(Input):
    """Ask to keep a value under a namespace and a key, in the place of the one that is there.

    `task` and `summary` are the words by which it is found; without `indexed` no question finds it. Where
    ``value["outcome"]`` is success, mixed or fail it is an episode that ended so; else it waits for a review.
    ``failure_reason``, ``domain``, ``task_type`` and ``toolchain`` of the value are the episode's too, if they can be.
    """

    namespace: Namespace
    key: Text
    value: Metadata
    task: Words
    summary: Text = ""
    indexed: bool = Field(True, strict=True)


class Find(Input):
    """Ask for values in use, of all namespaces that begin with `namespace`.

    With a `query` the nearest come first, at most 1000 of them are looked at; without one those put last. `where` says
    of a value whether it is wanted.
    """

    namespace: Namespace
    query: Text = ""
    where: Where | None = None
    limit: int = Field(10, ge=0, le=1_000_000)
    offset: int = Field(0, ge=0, le=1_000_000)


class Match(Input):
    """How a namespace must begin or end; ``*`` stands for any one label."""

    at: Literal["prefix", "suffix"]
    path: Namespace

    def holds(self, namespace: tuple[str, ...]) -> bool:
        """Whether a namespace begins, or ends, so."""
        size = len(self.path)
        part = namespace[:size] if self.at == "prefix" else namespace[len(namespace) - size :]
        return len(namespace) >= size and all(
            wanted in ("*", label) for wanted, label in zip(self.path, part, strict=True)
        )


class Namespaces(Input):
    """Ask for the namespaces of the client's scope that fulfil all conditions, cut to `max_depth` labels, sorted."""

    matches: tuple[Match, ...] = ()
    max_depth: int | None = Field(None, ge=0)
    limit: int = Field(100, ge=0, le=1_000_000)
    offset: int = Field(0, ge=0, le=1_000_000)


Operation = Get | Put | Delete | Find | Namespaces


class Kept(Value):
    """A value that is there: the id of the memory that is its newest version, where that stands, and when it was put.

    `created_at` is when there was first a value under that key, `updated_at` when this one was put. `score` is the
    relevance to a query, in [0, 1]; None without one, and where it was found by words alone.
    """

    id: str
    namespace: tuple[str, ...]
    key: str
    value: dict[str, JsonValue]
    status: Status
    created_at: Instant
    updated_at: Instant
    score: float | None = None


class Answered(Value):
    """The answer to one operation: the items or the namespaces that it asks for; `problem` what was not done."""

    items: tuple[Kept, ...] = ()
    namespaces: tuple[tuple[str, ...], ...] = ()
    problem: str = ""
