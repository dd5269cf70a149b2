"""What a recall touches in the database depends on what it returns, not on how much a scope keeps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import neo4j
import pytest

from graphmem import Memory
from graphmem.recall import asked, stage
from graphmem.settings import Connection
from graphmem.store.catalogue import statement
from tests.embedders import HashEmbedder
from tests.memories import won

SMALL, LARGE = 150, 1_500  # of words that no other test has: how rare a word is counts over all tenants


def hits(profile: dict[str, Any]) -> int:
    """All accesses to the store below an operator."""
    return int(profile.get("dbHits", 0)) + sum(hits(child) for child in profile.get("children", ()))


@pytest.mark.parametrize(
    "filters", [{}, {"domain": "plumbing"}, {"kind": "episode", "task_type": "repair"}, {"context": {"os": "linux"}}]
)
def test_a_recall_in_a_large_scope_touches_no_more_than_in_a_small_one(
    connect: Callable[..., Memory], at: Connection, monkeypatch: pytest.MonkeyPatch, filters: dict[str, Any]
) -> None:
    given: list[dict[str, Any]] = []

    def kept(*args: Any) -> dict[str, Any]:
        given.append(asked.parameters(*args))
        return given[-1]

    monkeypatch.setattr(stage, "parameters", kept)
    touched = []
    for size in (SMALL, LARGE):
        memory = connect(user=f"u{size}", embedder=HashEmbedder(name="bge-small-en-v1.5"))
        labels = {"domain": "plumbing", "task_type": "repair"}
        memory.record_many(won(f"e{n}", f"tune quorl {n} of vexel {n % 7}", **labels) for n in range(size))
        memory.recall("tune the quorl of the vexel", **filters)
        touched.append(_profiled(given[-1], at))
    assert touched[1] < 1.3 * touched[0]


def _profiled(parameters: dict[str, Any], at: Connection) -> int:
    auth = (at.user, at.password.get_secret_value()) if at.password else None
    text = statement("recall/hybrid").text.replace("\nCYPHER 25\n", "\nCYPHER 25 PROFILE\n")
    with neo4j.GraphDatabase.driver(at.uri, auth=auth, notifications_min_severity="OFF") as driver:
        profile = driver.execute_query(text, parameters).summary.profile
    assert profile is not None
    return hits(profile)
