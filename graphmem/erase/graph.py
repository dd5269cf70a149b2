"""What is around memories that are to be erased: what was learnt of them, of what else, and from whose attempts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphmem.learn import RuleReflector
from graphmem.steps import Call, Read, Row, Stage
from graphmem.store.catalogue import statement

Key = tuple[str, str]
"""A memory: the token of its scope, and its id."""

RULES = RuleReflector().name.partition("-")[0]  # how the names of all versions of the rules begin


@dataclass(slots=True)
class Graph:
    """Memories by key, and how they hang together.

    `up` leads from what was derived to its evidence, `linked` holds those pairs of the two that are linked (the others
    are named as sources alone), `tasks` all attempts at a task, `modelled` what a model has learnt nearby, `rights` how
    many others a memory corrects everywhere.
    """

    nodes: dict[Key, Row] = field(default_factory=dict)
    up: dict[Key, set[Key]] = field(default_factory=dict)
    linked: set[tuple[Key, Key]] = field(default_factory=set)
    tasks: dict[Key, set[Key]] = field(default_factory=dict)
    modelled: set[Key] = field(default_factory=set)
    rights: dict[Key, int] = field(default_factory=dict)

    def learnt(self, key: Key) -> bool:
        """Whether a memory is a reflection or a skill."""
        return self.nodes[key].get("kind") in ("reflection", "skill")

    def task(self, key: Key) -> Key | None:
        """The task that an episode tried: its scope, and its digest."""
        task = self.nodes[key].get("task_key") if key in self.nodes else None
        return (key[0], task) if isinstance(task, str) else None

    def attempts(self, keys: Iterable[Key]) -> set[Key]:
        """All attempts at the tasks of these episodes, of what is none nothing."""
        return {other for key in keys for other in self.tasks.get(self.task(key) or ("", ""), ())}

    def evidence(self, key: Key) -> set[Key]:
        """What something came from, directly or by what lies between."""
        found, front = set[Key](), set(self.up.get(key, ()))
        while front:
            found |= front
            front = {above for one in front for above in self.up.get(one, ())} - found
        return found


def around(roots: Sequence[Key], tokens: Sequence[str], shared: str) -> Stage[Graph]:
    """Read what is around memories, in the scopes of these tokens; `shared` is the token of what the tenant shares."""
    graph = Graph()
    yield from _read(graph, roots)
    front = set(roots) & graph.nodes.keys()
    graph.modelled = yield from _near(graph, front)
    looked, derived = set[Key](), set(graph.modelled)
    while front - looked:
        new, looked = front - looked, looked | front
        yield from _attempts(graph, new)
        asked = new | graph.attempts(new)
        rows = yield Read(_call("came_of", asked, scopes=list(tokens)))
        yield from _read(graph, asked)
        derived |= {below for below, _, _ in _pairs(rows)}
        front |= derived
    asked = derived | {key for key in roots if key in graph.nodes and graph.learnt(key)}
    while asked:
        rows = yield Read(_call("came_from", asked, shared=shared))
        for below, above, linked in _pairs(rows):
            graph.up.setdefault(below, set()).add(above)
            graph.linked |= {(below, above)} if linked else set()
        evidence = {above for _, above, _ in _pairs(rows)}
        yield from _read(graph, evidence | asked)
        asked = {key for key in evidence if key not in graph.up and graph.learnt(key)}
    yield from _attempts(graph, graph.nodes)
    yield from _read(graph, {key for keys in graph.tasks.values() for key in keys})
    return graph


def _near(graph: Graph, roots: Iterable[Key]) -> Stage[set[Key]]:
    """What a model has learnt where these belong; it may have been shown them, or what was learnt of them."""
    places = {(key[0], graph.nodes[key].get("domain"), graph.nodes[key].get("task_type")) for key in roots}
    rows = [{"scope": scope, "domain": domain, "task_type": task_type} for scope, domain, task_type in places]
    found = yield Read(Call(statement("erase/near"), {"rows": rows, "rules": RULES}))
    return {(row["scope"], row["id"]) for row in found}


def _attempts(graph: Graph, keys: Iterable[Key]) -> Stage[None]:
    tasks = {task for key in keys if (task := graph.task(key)) is not None} - graph.tasks.keys()
    asked = [{"scope": scope, "task": task} for scope, task in sorted(tasks)]
    rows = (yield Read(Call(statement("erase/attempts"), {"rows": asked}))) if asked else []
    graph.tasks |= {task: set() for task in tasks}
    for row in rows:
        graph.tasks[row["scope"], row["task"]].add((row["scope"], row["id"]))


def _read(graph: Graph, keys: Iterable[Key]) -> Stage[None]:
    asked = set(keys) - graph.nodes.keys()
    if asked:
        for row in (yield Read(_call("nodes", asked))):
            key = (row["node"]["scope"], row["node"]["id"])
            graph.nodes[key], graph.rights[key] = row["node"], row["rights"]


def _pairs(rows: Sequence[Row]) -> Iterator[tuple[Key, Key, bool]]:
    for row in rows:
        yield (row["scope"], row["id"]), (row["of_scope"], row["of_id"]), row["linked"]


def _call(name: str, keys: Iterable[Key], **given: Any) -> Call:
    return Call(statement(f"erase/{name}"), {"rows": rows_of(keys), **given})


def rows_of(keys: Iterable[Key]) -> list[Mapping[str, str]]:
    """Keys as the rows of a statement, in the order that all lock in."""
    return [{"scope": scope, "id": id_} for scope, id_ in sorted(keys, key=lambda key: key[::-1])]
