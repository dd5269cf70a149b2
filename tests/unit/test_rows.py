"""Values as they leave the database."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from neo4j import Record
from neo4j.time import DateTime

from graphmem.store.rows import plain

AT = datetime(2026, 3, 1, 12, 30, 15, 123456, tzinfo=UTC)
THERE = DateTime.from_native(AT)


@pytest.mark.parametrize(
    ("stored", "told"),
    [
        (THERE, AT),
        ([THERE, THERE], [AT, AT]),
        (["a", 1.5, THERE], ["a", 1.5, AT]),
        ({"a": {"b": [None, {"c": THERE}]}}, {"a": {"b": [None, {"c": AT}]}}),
        ([[1.0, 2.0], ["x", True, None]], [[1.0, 2.0], ["x", True, None]]),
        ([], []),
        ({}, {}),
    ],
)
def test_times_are_pythons_own_wherever_they_stand(stored: Any, told: Any) -> None:
    row = plain(Record([("value", stored), ("other", 7)]))
    assert row == {"value": told, "other": 7}
    assert "DateTime" not in repr(row)
