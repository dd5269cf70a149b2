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
    if type(value) in _AS_THEY_ARE:
        return value
    # A list of texts or numbers is taken as it is: one that begins so and holds times further on would keep them.
    if isinstance(value, DateTime):
        return value.to_native().astimezone(UTC)
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list) and value and not isinstance(value[0], (float, str)):
        return [_plain(inner) for inner in value]
    return value
