"""Where the memories of a picture stand: a column for each kind, from lived to learnt; equal graphs, equal pictures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import hypot

from graphmem.models import Kind, Outcome
from graphmem.report.models import Edge, Graph, Node

WIDTH = 360.0  # of the drawing, in units of its own: the width of a small phone
COLUMN = {Kind.EPISODE: 62.0, Kind.REFLECTION: 186.0, Kind.SKILL: 308.0}  # the middle of each kind's column
ROWS = 16  # memories below one another; further ones stand beside them
APART, ROW, TOP = 30.0, 30.0, 34.0
SWEEPS = 4
BULGE, RADIUS = 22.0, 11.0
LEARNING, RELATED = ("derives", "generalizes", "corrects"), "relates"


@dataclass(frozen=True, slots=True)
class Spot:
    """A memory in the drawing: its number, from 1 on, and where its middle is."""

    number: int
    node: Node
    x: float
    y: float

    @property
    def look(self) -> str:
        """By what it is told apart: its outcome, or its kind where it has none."""
        if self.node.kind is Kind.EPISODE:
            return (self.node.outcome or Outcome.UNKNOWN).value
        return self.node.kind.value


@dataclass(frozen=True, slots=True)
class Line:
    """A link in the drawing: its kind, its two ends, and the path of an SVG."""

    kind: str
    start: Spot
    end: Spot
    path: str

    @property
    def look(self) -> str:
        """How it is drawn: links between any two memories alike, whatever their kind."""
        return self.kind if self.kind in LEARNING else RELATED


@dataclass(frozen=True, slots=True)
class Drawing:
    """A graph to be drawn: `width` by `height`, memories in the order of their numbers, links by their ends."""

    width: float
    height: float
    spots: tuple[Spot, ...]
    lines: tuple[Line, ...]

    def led(self, spot: Spot) -> str:
        """What a memory leads to, as words: kinds of links with the numbers of their ends."""
        ends = [f"{line.kind.replace('_', ' ')} {line.end.number}" for line in self.lines if line.start == spot]
        return ", ".join(ends)


def drawn(graph: Graph) -> Drawing:
    """Lay a graph out: what is linked stands at like heights, by a few sweeps of the barycentre method.

    After Sugiyama, Tagawa and Toda 1981, "Methods for visual understanding of hierarchical system structures".
    """
    near: dict[int, list[int]] = defaultdict(list)
    for edge in graph.edges:
        near[edge.start].append(edge.end)
        near[edge.end].append(edge.start)
    columns = {kind: [n for n, node in enumerate(graph.nodes) if node.kind is kind] for kind in COLUMN}
    for _ in range(SWEEPS):
        for kind, column in columns.items():
            heights = _heights(columns)
            columns[kind] = sorted(column, key=lambda n: (_middle(n, near, heights), n))
    rows = max((_rows(column) for column in columns.values()), default=1)
    spots = _spots(graph.nodes, columns, rows)
    return Drawing(
        width=WIDTH,
        height=TOP + ROW * rows,
        spots=tuple(spots[n] for n in sorted(spots)),
        lines=tuple(_line(edge, spots) for edge in graph.edges),
    )


def _heights(columns: Mapping[Kind, Sequence[int]]) -> dict[int, float]:
    return {n: (place + 0.5) / len(column) for column in columns.values() for place, n in enumerate(column)}


def _middle(n: int, near: Mapping[int, Sequence[int]], heights: Mapping[int, float]) -> float:
    return sum(heights[other] for other in near[n]) / len(near[n])


def _beside(column: Sequence[int]) -> int:
    return max(1, -(-len(column) // ROWS))


def _rows(column: Sequence[int]) -> int:
    return -(-len(column) // _beside(column))


def _spots(nodes: Sequence[Node], columns: Mapping[Kind, Sequence[int]], rows: int) -> dict[int, Spot]:
    spots: dict[int, Spot] = {}
    for kind, column in columns.items():
        beside = _beside(column)
        down = (rows - _rows(column)) / 2
        for place, n in enumerate(column):
            x = COLUMN[kind] + APART * (place % beside - (beside - 1) / 2)
            y = TOP + ROW * (down + place // beside + 0.5)
            spots[n] = Spot(n + 1, nodes[n], round(x, 1), round(y, 1))
    return spots


def _line(edge: Edge, spots: Mapping[int, Spot]) -> Line:
    start, end = spots[edge.start], spots[edge.end]
    # Within a column a straight line would run through the memories between its ends.
    bulge = BULGE if start.node.kind is end.node.kind else 0.0
    x, y = (start.x + end.x) / 2 + bulge, (start.y + end.y) / 2
    # It ends where the memory begins, so that an arrow is seen.
    back = RADIUS / (hypot(end.x - x, end.y - y) or 1.0)
    stop = f"{end.x + (x - end.x) * back:.1f} {end.y + (y - end.y) * back:.1f}"
    return Line(edge.kind, start, end, f"M{start.x:g} {start.y:g}Q{x:g} {y:g} {stop}")
