"""What a file of graphmem holds: a header, and records whose fields are all that a file can set.

The format is JSON Lines, UTF-8, a line feed after each line. The first line is the header; nothing in it differs
between two exports of the same content. Then come memories, receipts, versions of parameters, jobs and versions of
rules, then links, each with its ``kind`` and, where it is not shared, the ``user`` whose it is. What graphmem can
compute (labels, tokens, digests, counters, words for the indexes) is in no file.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from graphmem.errors import ScopeError
from graphmem.fields import Value
from graphmem.govern import Event
from graphmem.models import Episode, Identifier, Input, Kind, Label, Outcome, Reflection, Skill, Status, Text, When
from graphmem.recall import Decision
from graphmem.scope import scope
from graphmem.settings import Weights
from graphmem.text import shown

FORMAT = "graphmem"
VERSION = 1
AWAITS = {Kind.EPISODE: ("reflection", "dead"), Kind.REFLECTION: ("grouping", "distilling"), Kind.SKILL: ()}
OTHER_THAN_AUDIT = frozenset(Status) - {Status.AUDIT}
UNKNOWN = frozenset({Status.AUDIT, Status.RETIRED, Status.QUARANTINED})  # what an unknown outcome allows
LONGEST_VECTOR = 4096

Vector = Annotated[tuple[float, ...], Field(max_length=LONGEST_VECTOR)]
Share = Annotated[float, Field(ge=0, le=1)]
Number = Annotated[int, Field(ge=-(2**63), lt=2**63)]
Version = Annotated[int, Field(ge=1, le=2**53)]  # after which there is room for more versions than anybody makes


class Header(Input):
    """Whose content a file holds, and of which model its vectors are.

    `user` is empty for a tenant's; with `everything` the file holds the tenant's shared memories and those of all its
    users, with `secure` also those that are secure.
    """

    format: Literal["graphmem"]
    version: Literal[1]
    tenant: str
    user: str = ""
    everything: bool = Field(False, strict=True)
    secure: bool = Field(False, strict=True)
    embedding_model: Text = ""
    dimensions: int = Field(ge=0, le=LONGEST_VECTOR)

    @model_validator(mode="after")
    def _named(self) -> Header:
        _owner(self.tenant, self.user)
        return self


class Record(Input):
    """One line of a file: `user` is whose it is, empty for what the tenant shares."""

    sort: ClassVar[int]

    kind: str
    user: str = ""

    @model_validator(mode="after")
    def _owned(self) -> Record:
        _owner("tenant", self.user)
        return self


class Remembered(Record):
    """A memory: what the caller said, where it stands, and what learning knows of it.

    `pinned` and `secure` stand beside the caller's words where they have become otherwise since; `open_hash` is the
    content of an episode whose outcome was said afterwards, as it was before. An episode of unknown
    outcome is in audit, retired or quarantined, whatever a file says.
    """

    sort = 0

    id: Identifier
    memory: Episode | Reflection | Skill
    status: Status
    created_at: When
    updated_at: When
    pinned: bool | None = None
    secure: bool | None = None
    secure_said: bool | None = None
    redacted: tuple[Text, ...] = ()
    review: Literal["approved", "rejected"] | None = None
    reviewed_by: Text | None = None
    reviewed_at: When | None = None
    authority: Literal[0, 1] = 0
    open_hash: Text | None = None
    events: Annotated[tuple[Event, ...], Field(max_length=1000)] = ()
    awaits: str | None = None
    tries: Annotated[Number, Field(ge=0)] | None = None
    problem: Text | None = None
    claimed_until: When | None = None
    reflected_at: When | None = None
    reflected_by: Text | None = None
    group: Identifier | None = None
    family: Identifier | None = None
    support: Annotated[Number, Field(ge=0)] | None = None
    success_rate: Share | None = None
    success_low: Share | None = None
    centrality: Share | None = None
    degree: Share | None = None
    betweenness: Share | None = None
    centrality_at: When | None = None
    inherited_from: Text | None = None
    embedding_model: Text | None = None
    embedded: Text | None = None
    vector: Vector = ()

    @property
    def guarded(self) -> bool:
        """Whether it is secure now."""
        return self.memory.secure if self.secure is None else self.secure

    @property
    def unknown(self) -> bool:
        """Whether it is an episode whose outcome nobody knows."""
        return isinstance(self.memory, Episode) and self.memory.outcome is Outcome.UNKNOWN

    @property
    def vouched(self) -> bool:
        """Whether a person vouches for it."""
        return self.review == "approved" or (isinstance(self.memory, Skill) and bool(self.memory.approved_by))

    @property
    def approved(self) -> bool:
        """Whether a person of its own scope approved it; those of whom it was inherited do not count."""
        if self.inherited_from is not None:
            return self.review == "approved" and self.authority == 1
        return self.vouched and self.review != "rejected"

    @property
    def proposed(self) -> bool:
        """Whether it was learnt, and is active where it comes from; whether it may be so here is seen at the end."""
        return self.status is Status.ACTIVE and not isinstance(self.memory, Episode)

    @model_validator(mode="after")
    def _allowed(self) -> Remembered:
        if self.kind != self.memory.kind:
            raise ValueError(f"a {self.memory.kind.value} is told as {self.kind}")
        if self.status not in (UNKNOWN if self.unknown else OTHER_THAN_AUDIT):
            known = "unknown" if self.unknown else "known"
            raise ValueError(f"its status cannot be {self.status.value}, for its outcome is {known}")
        if self.awaits is not None and self.awaits not in AWAITS[self.memory.kind]:
            raise ValueError(f"a {self.kind} awaits no {shown(self.awaits)}")
        if self.awaits in ("reflection", "dead") and (self.reflected_at is not None or self.unknown):
            raise ValueError(f"it cannot await {self.awaits}: it was reflected, or its outcome is unknown")
        if self.awaits == "dead" and not self.problem:
            raise ValueError("it is a dead letter without a problem")
        return self


class Receipt(Record):
    """The receipt of a recall, with the vector of what was asked, or (decision "corrected") a correction's context.

    `question` is what was asked, where a memory misled.
    """

    sort = 1

    kind: Literal["receipt"]
    id: Identifier
    decision: Decision | Literal["corrected"]
    at: When
    expires_at: When
    context_hash: Text
    trace_id: Text | None = None
    question: Text | None = None
    domain: Label | None = None
    best: float | None = None
    agreed: float | None = None
    surroundings: float | None = None
    confidence: float | None = None
    parameters: Number | None = None
    embedding_model: Text | None = None
    novelty: float | None = None
    threshold: float | None = None
    lexical_only: bool | None = None
    milliseconds: Annotated[float, Field(ge=0)] | None = None
    outcome: Outcome | None = None
    evidence: Text | None = None
    judged_at: When | None = None
    vector: Vector = ()


class Tuned(Record):
    """One version of the parameters of a domain, as it was calibrated; without weights, those of the settings hold."""

    sort = 2

    kind: Literal["parameters"]
    domain: Label = ""
    version: Version
    active: bool
    replaced: Annotated[Number, Field(ge=0)]
    at: When
    by: Text
    embedding_model: Text
    false_hit_rate: float
    labelled: Annotated[Number, Field(ge=0)]
    threshold: float = Field(ge=0)
    band: float = Field(ge=0)
    agreement: float = Field(0.0, ge=0)
    contrast: float = Field(0.0, ge=0)
    reference: float = 0.0
    weights: Weights | None = None


class End(Value):
    """One end of a link: a memory or a receipt, of a user or (empty) shared."""

    user: str = ""
    id: Identifier


def _owner(tenant: str, user: str) -> None:
    try:
        scope(tenant, user or None)
    except ScopeError as error:
        raise ValueError(str(error)) from error
