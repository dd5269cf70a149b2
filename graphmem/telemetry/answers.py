"""What may be told of an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import StrEnum
from functools import cache
from typing import Any, TypeAlias

from graphmem.telemetry.records import ROOT

Attributes: TypeAlias = Mapping[str, str | int | float | bool]


def facts(answer: object) -> Attributes:
    """What may be told of an answer: its numbers, yes and no, members of closed sets, and how many of what it holds."""
    if isinstance(answer, tuple | list):
        return {"graphmem.answers": len(answer)}
    found: dict[str, str | int | float | bool] = {}
    for name in _told_fields(_kind(answer)):
        value = getattr(answer, name)
        if isinstance(value, StrEnum):
            found[f"{ROOT}.{name}"] = value.value
        elif isinstance(value, bool | int | float):
            found[f"{ROOT}.{name}"] = value
        elif isinstance(value, tuple):
            found[f"{ROOT}.{name}"] = len(value)
        elif counts := _counts(value):
            found |= {f"{ROOT}.{name}.{key}": count for key, count in counts.items()}
    return found


def _counts(value: object) -> dict[str, int]:
    """The numbers of a value that is made of whole numbers alone."""
    counts = {name: getattr(value, name) for name in _told_fields(_kind(value))}
    return counts if all(isinstance(count, int) for count in counts.values()) else {}


def _kind(value: object) -> Any:
    return type(value)


@cache
def _told_fields(kind: Any) -> tuple[str, ...]:
    if is_dataclass(kind):
        return tuple(field.name for field in fields(kind))
    declared: Mapping[str, Any] = getattr(kind, "model_fields", {})
    return tuple(name for name, field in declared.items() if not field.exclude)
