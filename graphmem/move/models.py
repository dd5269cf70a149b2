"""What is asked of an export or import, and what they tell."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from pydantic import Field

from graphmem.errors import InvalidInput
from graphmem.models import Input, Kind, Text, Value, chosen

SHOWN = 20  # faults that are told
NAMES = {Kind.EPISODE: "episodes", Kind.REFLECTION: "reflections", Kind.SKILL: "skills"}  # as counts call them


class Format(StrEnum):
    """What a file holds: all that graphmem keeps, a library in FLEX's layout, or memories as `record` takes them."""

    GRAPHMEM = "graphmem"
    FLEX = "flex"
    RECORDS = "records"


class Ask(Input):
    """How to export: in which layout, whether a tenant's users too, and whether what is secure."""

    format: Format = Format.GRAPHMEM
    everything: bool = Field(False, strict=True)
    include_secure: bool = Field(False, strict=True)

    def __init__(self, /, **fields: Any) -> None:
        super().__init__(**{**fields, "format": chosen(Format, fields.get("format", "graphmem"), "format")})
        if self.format is Format.RECORDS:
            raise InvalidInput("export writes 'graphmem' or 'flex'")
        if self.format is Format.FLEX and (self.everything or self.include_secure):
            raise InvalidInput(
                "FLEX knows neither users nor secure memories; export one scope's, without include_secure"
            )


class Order(Input):
    """How to import: in which layout (None: recognised), whose, into what is shared, and what becomes of bad lines."""

    format: Format | None = None
    everything: bool = Field(False, strict=True)
    share: bool = Field(False, strict=True)
    inherit: bool = Field(False, strict=True)
    lenient: bool = Field(False, strict=True)

    def __init__(self, /, **fields: Any) -> None:
        given = fields.get("format")
        super().__init__(**{**fields, "format": None if given is None else chosen(Format, given, "format")})


class Counts(Value):
    """How many of each kind; `parameters` and `rules` are versions of them, `links` all that join two of the others."""

    episodes: int = 0
    reflections: int = 0
    skills: int = 0
    receipts: int = 0
    parameters: int = 0
    rules: int = 0
    jobs: int = 0
    links: int = 0

    @property
    def total(self) -> int:
        """All of them together."""
        return sum(self.model_dump().values())


class Exported(Value):
    """What was written. `outside` counts links to what this client sees and does not export: they stay behind."""

    format: Format
    counts: Counts
    outside: int = 0


class Fault(Value):
    """What is wrong with a line (or item) of a file; `conflict` when its id is taken by other content."""

    place: str
    problem: Text
    conflict: bool = False

    def __str__(self) -> str:
        return f"{self.place}: {self.problem}"


class Loaded(Value):
    """What became of a file's records: created, or skipped since they were there already.

    `left_out` counts lines that were not taken (lenient alone), of which the first `faults` are told. `unembedded`
    memories came without a usable vector: `reembed` embeds them. `waiting` lessons and skills were in use where they
    come from, and are candidates here, for nothing here proves them and no person vouches for them.
    """

    format: Format
    tenant: str
    user: str
    inherited_from: str = ""
    created: Counts = Counts()
    skipped: Counts = Counts()
    left_out: int = 0
    faults: tuple[Fault, ...] = ()
    unembedded: int = 0
    waiting: int = 0
    redacted: int = 0
