"""The closed sets and the field types of memories, and what is said of a value that does not fit."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Annotated, Any, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    JsonValue,
    StringConstraints,
    ValidationError,
)

from graphmem.errors import InvalidInput
from graphmem.text import Instant, has_words, instant, shown

DEFAULT_LIMIT = 3  # hits of a recall that does not say how many


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
    except ValueError:
        listed = ", ".join(choice.value for choice in choices)
        raise InvalidInput(f"{name} {shown(str(given))} is none of {listed}") from None  # the cause quotes all of it


def faults(name: str, error: ValidationError) -> str:
    """What is wrong with the fields of a value, in one line."""
    found = [
        f"{name}.{'.'.join(map(str, fault['loc']))}: {fault['msg'].removeprefix('Value error, ')}"
        for fault in error.errors(include_url=False)
    ]
    more = f" (and {len(found) - 3} more)" if len(found) > 3 else ""
    return "; ".join(found[:3]) + more


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

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, hide_input_in_errors=True)


class Input(Value):
    """A value that callers make: what is wrong with it is told as InvalidInput, naming the field."""

    def __init__(self, /, **fields: Any) -> None:
        try:
            super().__init__(**fields)
        except ValidationError as error:
            # Without its cause, which names the fields that nobody knows as they were given.
            raise InvalidInput(faults(type(self).__name__, error)) from None
