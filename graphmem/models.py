"""What is remembered: episodes, reflections and skills, as frozen values.

A caller's own words are the fields of `Episode`, `Reflection` and `Skill`; what graphmem adds to them (owner, status,
times) stands beside them in `Stored`, so no metadata key can reach it.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Annotated, Any, ClassVar

from pydantic import (
    Field,
    model_validator,
)

from graphmem.fields import (
    Identifier,
    Input,
    Kind,
    Label,
    Labels,
    LinkKind,
    Metadata,
    Outcome,
    Status,
    Text,
    Value,
    When,
    Words,
    chosen,
)
from graphmem.text import Instant

__all__ = [
    "KINDS",
    "AnyItem",
    "Episode",
    "Identifier",
    "Input",
    "Item",
    "Kind",
    "Label",
    "Labels",
    "LinkKind",
    "Metadata",
    "Outcome",
    "Reflection",
    "Skill",
    "Status",
    "Step",
    "Stored",
    "Text",
    "Value",
    "When",
    "Words",
    "chosen",
]


class Step(Value):
    """One step of a trajectory: what was done, what was seen, and why if that mattered."""

    action: Text
    observation: Text = ""
    decision: Text = ""


class Item(Input):
    """The fields that every kind of memory has.

    `domain`, `task_type` and `toolchain` are the context it belongs to (empty: any), `tags` free labels;
    `occurred_at` and `expires_at` are instants (a time without a zone is read as UTC; kept to the microsecond);
    `subject` is the person it is about, for erasure; a `secure` memory is recalled only by who asks for such, and so is
    what is derived of it; `source_ref` and `feedback_ref` say where it came from and never change; `metadata` is any
    JSON object, null included.
    """

    kind: ClassVar[Kind]

    id: Identifier | None = None
    title: Text = ""
    domain: Label = ""
    task_type: Label = ""
    toolchain: Label = ""
    tags: Labels = ()
    subject: Label = ""
    occurred_at: When | None = None
    expires_at: When | None = None
    pinned: bool = False
    secure: bool = False
    source_ref: Text = ""
    feedback_ref: Text = ""
    trace_id: Text = ""
    metadata: Metadata = Field(default_factory=dict)

    @abstractmethod
    def searchable(self) -> str:
        """The words by which it is found: they are embedded and indexed."""

    @abstractmethod
    def label(self) -> str:
        """A short name for people: the title, or the first words of what it says."""


class Episode(Item):
    """What an agent tried, and how it ended.

    `difficulty` is in [0, 1]; `outcome_evidence` says what proved the outcome, and by whom.
    """

    kind: ClassVar[Kind] = Kind.EPISODE

    task: Words
    summary: Text = ""
    trajectory: tuple[Step, ...] = ()
    outcome: Outcome = Outcome.UNKNOWN
    outcome_evidence: Text = ""
    failure_reason: Text = ""
    techniques: Labels = ()
    ground_truth: Text = ""
    difficulty: float | None = Field(None, ge=0, le=1)

    def searchable(self) -> str:
        return "\n".join(part for part in (self.title, self.task, self.summary) if part)

    def label(self) -> str:
        return self.title or self.task


class Reflection(Item):
    """A lesson, with the conditions under which it holds ("key = value", or free words).

    `sources` are the ids of the episodes that it was learnt from.
    """

    kind: ClassVar[Kind] = Kind.REFLECTION

    insight: Words
    conditions: Labels = ()
    failure_mode: Text = ""
    guardrails: Labels = ()
    sources: tuple[Identifier, ...] = ()

    def searchable(self) -> str:
        return "\n".join(part for part in (self.title, self.insight, *self.conditions, self.failure_mode) if part)

    def label(self) -> str:
        return self.title or self.insight


class Skill(Item):
    """Steps that work, with what must hold before them.

    `sources` are the ids of the reflections that it generalises; `approved_by` names the person who vouches for it,
    without whom it waits as a candidate for evidence.
    """

    kind: ClassVar[Kind] = Kind.SKILL

    name: Words
    steps: Annotated[tuple[Words, ...], Field(min_length=1)]
    preconditions: Labels = ()
    quality_notes: Text = ""
    version: int = Field(1, ge=1, lt=2**63)
    sources: tuple[Identifier, ...] = ()
    approved_by: Label = ""

    def searchable(self) -> str:
        return "\n".join(part for part in (self.title, self.name, *self.preconditions, *self.steps) if part)

    def label(self) -> str:
        return self.title or self.name


AnyItem = Episode | Reflection | Skill
KINDS: dict[Kind, type[Episode] | type[Reflection] | type[Skill]] = {
    Kind.EPISODE: Episode,
    Kind.REFLECTION: Reflection,
    Kind.SKILL: Skill,
}


class Stored(Value):
    """A memory as the graph keeps it: the caller's `memory`, and what graphmem knows about it.

    `embedded` says how its text became a vector: ``whole``, ``leading N characters``, or empty when it has none yet;
    `redacted` what was taken out of it before it was stored, as ``kind:count``; `inherited_from` whose library
    it came from.
    """

    memory: Episode | Reflection | Skill
    id: str
    kind: Kind
    tenant: str
    user: str
    status: Status
    recallable: bool
    created_at: Instant
    updated_at: Instant
    context_hash: str
    centrality: float | None = None
    embedding_model: str = ""
    embedded: str = ""
    successes: int = 0
    failures: int = 0
    redacted: tuple[str, ...] = ()
    inherited_from: str = ""

    @model_validator(mode="before")
    @classmethod
    def _typed(cls, values: Any) -> Any:
        if isinstance(values, dict) and isinstance(values.get("memory"), dict):
            kind = KINDS[Kind(values["kind"])]
            return {**values, "memory": kind.model_validate(values["memory"])}
        return values
