"""The graph of a scope, its memories numbered; and scores of its nodes, brought to one scale."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from graphmem.scope import Scope
from graphmem.steps import Call, Read, Row, Rows
from graphmem.store.catalogue import statement


@dataclass(frozen=True, slots=True)
class Graph:
    """Numbered memories and the undirected links between them, each pair once.

    `own` maps the numbers of the scope's own memories, those that a job may write on, to their ids.
    """

    nodes: int
    own: Mapping[int, str]
    edges: tuple[tuple[int, int], ...]

    @property
    def pairs(self) -> list[list[int | None]]:
        """Every node alone, then every link: what is projected."""
        return [[number, None] for number in range(self.nodes)] + [list(edge) for edge in self.edges]


@dataclass(frozen=True, slots=True)
class Centrality:
    """The centrality of one memory and its parts, each in [0, 1]."""

    id: str
    degree: float
    betweenness: float

    @property
    def row(self) -> Row:
        """What is written on the memory; centrality is the mean of the two parts."""
        mean = (self.degree + self.betweenness) / 2
        return {"id": self.id, "degree": self.degree, "betweenness": self.betweenness, "centrality": mean}


def wanted(scope: Scope, now: datetime) -> Read:
    """Ask for the memories that are recallable and have not expired, and their links."""
    return Read(Call(statement("jobs/graph"), {"scopes": scope.visible, "now": now}))


def numbered(rows: Rows, scope: Scope) -> Graph:
    """The graph in these rows, numbered in their order."""
    numbers = {(row["scope"], row["id"]): number for number, row in enumerate(rows)}
    return Graph(
        nodes=len(rows),
        own={number: key[1] for key, number in numbers.items() if key[0] == scope.own},
        edges=tuple(
            (numbers[row["scope"], row["id"]], numbers[tuple(end)]) for row in rows for end in row["neighbours"]
        ),
    )


def scaled(scores: Mapping[int, float]) -> dict[int, float]:
    """Scores of at least 0 divided by the greatest, so that they lie in [0, 1]; all 0 when that is 0."""
    top = max(scores.values(), default=0.0)
    return {number: score / top if top > 0 else 0.0 for number, score in scores.items()}
