"""What is asked of recall."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, field_validator

from graphmem.fields import DEFAULT_LIMIT
from graphmem.models import Input, Kind, Label, Labels, Text, Words

Unit = Annotated[float, Field(ge=0, le=1)]


class Request(Input):
    """One question to the memory.

    `kind`, `domain`, `task_type` and `toolchain` filter (absent: any); `tags` and `techniques` must all be there, and a
    `difficulty` must lie in the given range (lowest, highest) in [0, 1]. `context` says what holds now ("os": "linux")
    and excludes what contradicts it. `limit` is the most hits; secure memories are found with `include_secure` alone,
    and with `reviewed` nothing but what a person approved.
    """

    text: Words
    kind: Kind | None = None
    domain: Label | None = None
    task_type: Label | None = None
    toolchain: Label | None = None
    tags: Labels = ()
    techniques: Labels = ()
    difficulty: tuple[Unit, Unit] | None = None
    context: dict[Words, Text] = Field(default_factory=dict)
    limit: int = Field(DEFAULT_LIMIT, ge=1, le=100)
    trace_id: Text = ""
    include_secure: bool = Field(False, strict=True)
    reviewed: bool = Field(False, strict=True)

    @field_validator("difficulty")
    @classmethod
    def _ordered(cls, value: tuple[float, float] | None) -> tuple[float, float] | None:
        if value is not None and value[0] > value[1]:
            raise ValueError("the lowest stands first")
        return value
