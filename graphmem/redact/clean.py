"""Redaction of whole values: every text in a model, a tuple, a mapping, and the values stay what they were."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from enum import Enum
from typing import Any, TypeVar, cast

from pydantic import BaseModel, ValidationError

from graphmem.errors import GraphmemError, InvalidInput, RedactionError
from graphmem.fields import Value, faults
from graphmem.redact.protocol import Redactor, redacted
from graphmem.text import normalise

T = TypeVar("T")

IDS = frozenset({"id", "sources", "wrong", "right", "start", "end", "used", "misled", "relevant", "irrelevant"})
"""Fields that name memories: an id cannot be changed, so one with personal data is refused."""

OURS = frozenset({"tenant", "user", "hits", "candidates", "parameters"})
"""Fields that no caller's text is in: the operator's own names of tenants and users, and what recall found."""


def clean(redactor: Redactor | None, value: T, known: bool = False) -> tuple[T, tuple[str, ...]]:
    """A value of the same type without secrets and personal data, and the kind of each thing that was taken out.

    Texts, values with fields, mappings (keys too) and whatever can be iterated are walked; anything else stays; without
    a redactor all does. Raises InvalidInput for a memory's id that holds such things, unless the ids are `known`, being
    those of memories that are there; RedactionError when the redactor fails.
    """
    if redactor is None:
        return value, ()
    found: list[str] = []
    try:
        return cast("T", _walked(redactor, value, found, known)), tuple(found)
    except RecursionError:
        raise InvalidInput(f"{type(value).__name__} is nested too deeply to be looked through") from None


def subject(redactor: Redactor | None, text: str) -> str:
    """The person whom a memory is about, as it is kept: itself, or, when it is personal data, a stable pseudonym.

    The pseudonym is ``subject-`` and a digest: the same for the same person, however it is written in upper or lower
    case. Who can guess the person can compute it.
    """
    if redactor is None or not text or not redacted(redactor, text).found:
        return text
    digest = hashlib.blake2b(normalise(text).casefold().encode("utf-8", "replace"), digest_size=16)
    return f"subject-{digest.hexdigest()}"


def noted(found: Iterable[str], before: Iterable[str] = ()) -> tuple[str, ...]:
    """What was taken out, as a memory notes it: ``kind:count``, in the order of the kinds.

    It is counted on from such a note of `before`, of which what is none is dropped.
    """
    counts = Counter(found)
    for kind, _, count in (part.rpartition(":") for part in before):
        counts[kind] += int(count) if count.isdecimal() else 0
    return tuple(f"{kind}:{count}" for kind, count in sorted(counts.items()) if count)


def told(redactor: Redactor | None, text: str) -> str:
    """A text for an error or a warning, redacted; nothing of it when the redactor fails."""
    if redactor is None:
        return text
    try:
        return redacted(redactor, text).text
    except RedactionError as error:
        return str(error)


@contextmanager
def errors_redacted(redactor: Redactor | None) -> Iterator[None]:
    """What is raised within this may quote what a caller gave: its message is redacted."""
    try:
        yield
    except GraphmemError as error:
        error.args = tuple(told(redactor, said) if isinstance(said, str) else said for said in error.args)
        raise


def _walked(redactor: Redactor, value: Any, found: list[str], known: bool) -> Any:
    if isinstance(value, Enum):
        return value
    if not value:
        return value
    if isinstance(value, str):
        result = redacted(redactor, value)
        found += result.found
        return result.text
    if isinstance(value, Value):
        return _model(redactor, value, found, known)
    if isinstance(value, Mapping):
        pairs = [
            (_walked(redactor, key, found, known), _given(redactor, key, _walked(redactor, inner, found, known), found))
            for key, inner in value.items()
        ]
        return _joined(pairs)
    if isinstance(value, list | tuple | set | frozenset):
        return type(value)(_walked(redactor, inner, found, known) for inner in value)
    if isinstance(value, Iterable) and not isinstance(value, bytes | bytearray | BaseModel):
        return tuple(_walked(redactor, inner, found, known) for inner in value)
    return value


def _given(redactor: Redactor, name: object, value: Any, found: list[str]) -> Any:
    """A value of a mapping, which may be a secret by its name alone: as a text would have it, ``name="value"``."""
    if not isinstance(name, str) or not isinstance(value, str) or '"' in value or not value:
        return value
    before = f'{name}="'
    result = redacted(redactor, f'{before}{value}"')
    if not result.found or not result.text.startswith(before) or not result.text.endswith('"'):
        return value
    found += result.found
    return result.text[len(before) : -1]


def _model(redactor: Redactor, value: Value, found: list[str], known: bool) -> Value:
    changed: dict[str, Any] = {}
    for name in type(value).model_fields:
        before = getattr(value, name)
        if name in OURS:
            continue
        if name in IDS:
            if not known:
                _refuse(redactor, before, f"{type(value).__name__}.{name}")
        elif name == "subject" and isinstance(before, str):
            after = subject(redactor, before)
            if after != before:
                found.append("subject")
                changed[name] = after
        else:
            after = _walked(redactor, before, found, known)
            if after != before:
                changed[name] = after
    if not changed:
        return value
    # Built anew, so that what has become longer than its field may be is refused.
    kept = {name: getattr(value, name) for name in type(value).model_fields}
    try:
        return type(value)(**{**kept, **changed})
    except ValidationError as error:
        raise InvalidInput(
            f"redacted, it is no {type(value).__name__}: {faults(type(value).__name__, error)}"
        ) from None


def _refuse(redactor: Redactor, ids: object, field: str) -> None:
    for one in (ids,) if isinstance(ids, str) else ids if isinstance(ids, tuple) else ():
        kinds = redacted(redactor, one).found if isinstance(one, str) else ()
        if kinds:
            raise InvalidInput(f"{field}: an id holds what must not be kept ({kinds[0]}); give it another id")


def _joined(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    """A mapping; keys that have become one are told apart by a number."""
    joined: dict[Any, Any] = {}
    for key, value in pairs:
        name, count = key, 1
        while name in joined:
            count += 1
            name = f"{key} {count}"
        joined[name] = value
    return joined
