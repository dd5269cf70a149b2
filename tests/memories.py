"""Memories, answers and a clock, as the tests on the server need them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from graphmem import Episode, Recall, Reflection, Skill

NOW = datetime(2025, 6, 1, 12, tzinfo=UTC)


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


def won(id_: str | None, task: str = "Descale the boiler", **fields: Any) -> Episode:
    """An episode that ended well, unless the fields say otherwise."""
    return Episode(**{"id": id_, "task": task, "outcome": "success", **fields})


def ids(recall: Recall) -> list[str]:
    """The ids of the hits, best first."""
    return [hit.id for hit in recall.hits]


def ranked(recall: Recall) -> list[str]:
    """The ids of the candidates, best first."""
    return [candidate.id for candidate in recall.candidates]


LABELLED: list[Episode | Reflection | Skill] = [
    won(
        "a", "pump north:0.9", domain="plant", task_type="repair", toolchain="python", tags=["wet", "hot"],
        techniques=["vise"], difficulty=0.5,
    ),
    won(
        "b", "pump north:0.8", domain="lab", task_type="repair", toolchain="rust", tags=["wet"],
        techniques=["vise", "file"], difficulty=0.9,
    ),
    won("c", "pump north:0.7"),
    won("gone", "pump north:0.9", expires_at=NOW),
    Reflection(id="r", insight="pump north:0.8", domain="plant"),
    Skill(id="s", name="pump north:0.8", steps=["pump"], approved_by="ada", domain="plant", tags=["Wet"]),
]  # fmt: skip
"""One memory for each way in which a filter or a context may take it or leave it."""
