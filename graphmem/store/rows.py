"""Values as they leave the database: Python's own types, times in UTC."""

from __future__ import annotations

from datetime import UTC
from typing import Any

from neo4j import Record
from neo4j.time import DateTime

from graphmem.steps import Row


def plain(record: Record) -> Row:
    """One record as a mapping of plain values."""
    return dict(zip(record.keys(), map(_plain, record.values()), strict=True))


_AS_THEY_ARE = frozenset({str, int, float, bool, type(None)})


def _plain(value: Any) -> Any:
    # Most values need no change, and a call each would cost more than all else here.
    if isinstance(value, dict):
        return {key: one if type(one) in _AS_THEY_ARE else _plain(one) for key, one in value.items()}
    if isinstance(value, list):
        return [one if type(one) in _AS_THEY_ARE else _plain(one) for one in value]
    if isinstance(value, DateTime):
        return value.to_native().astimezone(UTC)
    return value
