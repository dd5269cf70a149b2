"""Clients of both kinds on a clock that the test moves, files, and what the database counts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.govern.conftest import clock, make

__all__ = ["clock", "make"]
Cypher = Callable[..., list[dict[str, Any]]]

NODES = """
MATCH (n) WHERE n.tenant = $t AND coalesce(n.kind, '') <> 'queue'
RETURN labels(n) AS labels, count(*) AS count ORDER BY labels
"""
LINKS = """
MATCH (a)-[e]->(b) WHERE a.tenant = $t
RETURN type(e) AS type, count(*) AS count ORDER BY type
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "memories.jsonl"


@pytest.fixture
def counts(cypher: Cypher, tenant: str) -> Callable[[], list[dict[str, Any]]]:
    """How many nodes and links of each kind the database has of this test's tenant."""
    return lambda: cypher(NODES, t=tenant) + cypher(LINKS, t=tenant)


def lines(path: Path) -> list[dict[str, Any]]:
    """The JSON objects of a file, its header first."""
    return [json.loads(line) for line in path.read_bytes().split(b"\n") if line]


def write(path: Path, records: list[dict[str, Any]]) -> Path:
    """A file of these JSON objects."""
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return path
