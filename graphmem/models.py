"""What is remembered: episodes, reflections and skills, as frozen values.

A caller's own words are the fields of `Episode`, `Reflection` and `Skill`; what graphmem adds to them (owner, status,
times) stands beside them in `Stored`, so no metadata key can reach it.
"""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Annotated, Any, ClassVar, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    JsonValue,
    StringConstraints,
    ValidationError,
    model_validator,
)

from graphmem.errors import InvalidInput
from graphmem.text import Instant, has_words, instant


class Kind(StrEnum):
    """The three kinds of memory, from lived to learnt."""

    EPISODE = "episode"
    REFLECTION = "reflection"
    SKILL = "skill"


class Outcome(StrEnum):
    """How an attempt ended; unknown is never counted as success."""

    SUCCESS = "success"
    MIXED = "mixed"
    FAIL = "fail"
    UNKNOWN = "unknown"


class Status(StrEnum):
    """Where a memory stands; only `active` ones that are not secure are recalled."""

    AUDIT = "audit"
    CANDIDATE = "candidate"
    ACTIVE = "active"
    SUPERSEDED = "superseded"
    RETIRED = "retired"
    QUARANTINED = "quarantined"


class LinkKind(StrEnum):
    """What a RELATES edge says; a closed set, whoever proposes the link."""

    SIMILAR = "similar"
    DUPLICATE = "duplicate"
    CONTRADICTS = "contradicts"
    FOLLOWS = "follows"
    CAUSES = "causes"
    PART_OF = "part_of"
    OTHER = "other"


E = TypeVar("E", bound=StrEnum)


def chosen(choices: type[E], given: object, name: str) -> E:
    """One of a closed set. Raises InvalidInput that lists the set."""
    try:
        return choices(str(given))
    except ValueError as error:
        listed = ", ".join(choice.value for choice in choices)
        raise InvalidInput(f"{name} {str(given)!r:.60} is none of {listed}") from error


def _told(name: str, error: ValidationError) -> str:
    faults = [
        f"{name}.{'.'.join(map(str, fault['loc']))}: {fault['msg'].removeprefix('Value error, ')}"
        for fault in error.errors(include_url=False)
    ]
    more = f" (and {len(faults) - 3} more)" if len(faults) > 3 else ""
    return "; ".join(faults[:3]) + more


def _words(text: str) -> str:
    if not has_words(text):
        raise ValueError("must not be blank")
    return text


def _finite(value: JsonValue, path: str = "metadata") -> None:
    if isinstance(value, dict):
        for key, inner in value.items():
            _finite(inner, f"{path}.{key}")
    elif isinstance(value, list):
        for position, inner in enumerate(value):
            _finite(inner, f"{path}[{position}]")
    elif isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        raise ValueError(f"{path} is not a finite number")


def _encodable(text: str) -> str:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError(f"has a lone surrogate at character {error.start}") from error
    return text


def _metadata(value: dict[str, JsonValue]) -> dict[str, JsonValue]:
    _finite(value)
    _encodable(json.dumps(value, ensure_ascii=False))
    return value


Text = Annotated[str, AfterValidator(_encodable)]
Words = Annotated[Text, AfterValidator(_words)]
Identifier = Annotated[str, StringConstraints(pattern=r"^[^\s\x00-\x1f\x7f]{1,200}$"), AfterValidator(_encodable)]
Label = Annotated[str, StringConstraints(strip_whitespace=True, max_length=200), AfterValidator(_encodable)]
Labels = Annotated[tuple[Annotated[Label, AfterValidator(_words)], ...], Field(max_length=100)]
When = Annotated[Instant, BeforeValidator(instant)]
Metadata = Annotated[dict[str, JsonValue], AfterValidator(_metadata)]


class Value(BaseModel):
    """A frozen value that refuses fields it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Input(Value):
    """A value that callers make: what is wrong with it is told as InvalidInput, naming the field."""

    def __init__(self, **fields: Any) -> None:
        try:
            super().__init__(**fields)
        except ValidationError as error:
            raise InvalidInput(_told(type(self).__name__, error)) from error


class Step(Value):
    """One step of a trajectory: what was done, what was seen, and why if that mattered."""

    action: Text
    observation: Text = ""
    decision: Text = ""


class Item(Input):
    """The fields that every kind of memory has.

    `domain`, `task_type` and `toolchain` are the context it belongs to (empty: any), `tags` free labels;
    `occurred_at` and `expires_at` are instants (a time without a zone is read as UTC; kept to the microsecond);
    `subject` is the person it is about, for erasure; a `secure` memory is never recalled; `source_ref` and
    `feedback_ref` say where it came from and never change; `metadata` is any JSON object, null included.
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

    def searchable(self) -> str:
        """The words by which it is found: they are embedded and indexed."""
        raise NotImplementedError

    def label(self) -> str:
        """A short name for people: the title, or the first words of what it says."""
        raise NotImplementedError


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
    version: int = Field(1, ge=1)
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

    `embedded` says how its text became a vector: ``whole``, ``leading N characters``, or empty when it has none yet.
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
    novelty_score: float | None = None
    centrality: float | None = None
    embedding_model: str = ""
    embedded: str = ""
    successes: int = 0
    failures: int = 0
    reviewed_by: str = ""

    @model_validator(mode="before")
    @classmethod
    def _typed(cls, values: Any) -> Any:
        if isinstance(values, dict) and isinstance(values.get("memory"), dict):
            kind = KINDS[Kind(values["kind"])]
            return {**values, "memory": kind.model_validate(values["memory"])}
        return values
