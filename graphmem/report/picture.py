"""Which memories a picture of the graph shows, out of those that were found."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from graphmem.models import Kind, Outcome, Status
from graphmem.report.models import Edge, Graph, Node
from graphmem.steps import Row

MOST = 60  # memories that are shown

Key = tuple[str, str]  # user and id


def picture(nodes: Sequence[Row], edges: Sequence[Row]) -> Graph:
    """The best linked memory, then again and again what has most links to those that were taken, best linked first.

    Where nothing is linked to them any more, the best linked of the others is taken next. Memories without a link are
    left out. Ties go by the order in which the nodes are given.
    """
    rows = {(node["user"], node["id"]): node for node in nodes}
    lines = {(_start(edge), _end(edge), edge["kind"]) for edge in edges}
    lines = {line for line in lines if line[0] in rows and line[1] in rows}
    near: dict[Key, set[Key]] = defaultdict(set)
    for start, end, _ in lines:
        near[start].add(end)
        near[end].add(start)
    taken = _taken([key for key in rows if near[key]], near)
    shown = {line for line in lines if line[0] in taken and line[1] in taken}
    links = {key: sum(key in line[:2] for line in shown) for key in taken}
    kept = sorted((key for key in taken if links[key]), key=lambda key: -links[key])
    place = {key: number for number, key in enumerate(kept)}
    return Graph(
        nodes=tuple(_node(rows[key], links[key]) for key in kept),
        edges=tuple(Edge(start=place[a], end=place[b], kind=kind) for a, b, kind in _ordered(shown, place)),
    )


def _taken(keys: Sequence[Key], near: Mapping[Key, set[Key]]) -> list[Key]:
    order = {key: number for number, key in enumerate(keys)}
    left, taken = set(keys), dict.fromkeys(keys[:0])
    while left and len(taken) < MOST:
        key = min(left, key=lambda key: (-len(near[key] & taken.keys()), -len(near[key]), order[key]))
        taken[key] = None
        left.remove(key)
    return list(taken)


def _ordered(lines: set[tuple[Key, Key, str]], place: Mapping[Key, int]) -> list[tuple[Key, Key, str]]:
    return sorted(lines, key=lambda line: (place[line[0]], place[line[1]], line[2]))


def _start(edge: Row) -> Key:
    return edge["start_user"], edge["start"]


def _end(edge: Row) -> Key:
    return edge["end_user"], edge["end"]


def _node(row: Row, links: int) -> Node:
    plain = {name: row[name] for name in ("id", "user", "label")}
    outcome = None if row["outcome"] is None else Outcome(row["outcome"])
    return Node(**plain, kind=Kind(row["kind"]), status=Status(row["status"]), outcome=outcome, links=links)
