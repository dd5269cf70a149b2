"""The graph of a scope, its memories numbered; and scores of its nodes, brought to one scale."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from graphmem.policies import CentralitySettings
from graphmem.scope import Scope
from graphmem.steps import Call, Progress, Read, Row, Rows, Stage
from graphmem.store.catalogue import statement

PAGE = 2000  # memories of one answer, with their links
READING = "reading the graph"


@dataclass(frozen=True, slots=True)
class Graph:
    """Numbered memories and the undirected links between them, each pair once, with a weight above 0.

    `own` maps the numbers of the scope's own memories, those that a job may write on, to their ids; `complete` says
    that each of these has a centrality. `digest` is over the memories and the links.
    """

    nodes: int
    own: Mapping[int, str]
    edges: tuple[tuple[int, int, float], ...]
    complete: bool = False
    digest: str = ""

    @property
    def pairs(self) -> list[list[int | float | None]]:
        """Every node alone, then every link with its weight: what is projected."""
        alone: list[list[int | float | None]] = [[number, None, None] for number in range(self.nodes)]
        return alone + [list(edge) for edge in self.edges]


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


def read_graph(scope: Scope, now: datetime, weights: CentralitySettings, progress: Progress) -> Stage[Graph]:
    """The memories that are recallable and have not expired, and their links, page by page."""
    rows: list[tuple[str, Row]] = []
    progress(READING, 0, 0)
    for token in scope.visible:
        after = ""
        while True:
            asked = {"scope": token, "scopes": scope.visible, "after": after, "now": now, "most": PAGE}
            page: Rows = yield Read(Call(statement("jobs/graph"), {**asked, "weights": weights.by_type()}))
            rows += [(token, row) for row in page]
            progress(READING, len(rows), 0)
            if len(page) < PAGE:
                break
            after = page[-1]["id"]
    return numbered(rows, scope)


def numbered(rows: Sequence[tuple[str, Row]], scope: Scope) -> Graph:
    """The graph in these rows, numbered in their order.

    The pages are read one after the other, so a link may lead to a memory that came too late or went too soon to be
    among them: it is left out.
    """
    numbers = {(token, row["id"]): number for number, (token, row) in enumerate(rows)}
    edges = tuple(
        (numbers[token, row["id"]], numbers[end, id_], weight)
        for token, row in rows
        for end, id_, weight in row["neighbours"]
        if (end, id_) in numbers
    )
    return Graph(
        nodes=len(rows),
        own={number: id_ for (token, id_), number in numbers.items() if token == scope.own},
        edges=edges,
        complete=all(row["central"] for token, row in rows if token == scope.own),
        digest=digested([*numbers, *edges]),
    )


def digested(parts: Iterable[object]) -> str:
    """A digest over parts and their order, each told by its `repr`."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(f"{part!r}\n".encode())
    return digest.hexdigest()


def scaled(scores: Mapping[int, float]) -> dict[int, float]:
    """Scores of at least 0 divided by the greatest, so that they lie in [0, 1]; all 0 when that is 0."""
    top = max(scores.values(), default=0.0)
    return {number: score / top if top > 0 else 0.0 for number, score in scores.items()}
