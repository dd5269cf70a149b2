"""What goes with memories that are erased, and what changes of what stays.

What was derived stays as long as evidence remains that says all that it says. Its words are compared with those of the
erased evidence and of erased attempts at the same tasks, less those that remaining evidence, and remaining attempts at
these tasks, say too: if any is left, it is erased, and what remains of its evidence is learnt from anew. What a model
has learnt of the same domain and task type is compared too, for it may have been shown what is erased: there a word
counts that no remaining episode of that domain and task type says.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from graphmem.erase.graph import Graph, Key
from graphmem.erase.words import said, words
from graphmem.errors import StoreError
from graphmem.models import Episode, Status
from graphmem.record.properties import to_item, to_properties
from graphmem.steps import Call, Read, Row, Stage
from graphmem.store.catalogue import statement


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be done: `gone` is erased, `again` awaits learning anew, `sources` are those left to memories.

    `skills` are counted anew, `unproven` those that were in use and have lost evidence, without a person's approval;
    `problems` say, of why they were not learnt from, what only the erased said.
    """

    graph: Graph
    gone: frozenset[Key]
    again: frozenset[Key]
    sources: Mapping[Key, tuple[str, ...]]
    skills: frozenset[Key]
    unproven: frozenset[Key]
    problems: frozenset[Key]

    @property
    def touched(self) -> frozenset[Key]:
        """What stays of what was derived of the erased."""
        return frozenset(key for key, above in self.graph.up.items() if above & self.gone) - self.gone


@dataclass(slots=True)
class _Closure:
    """What is gone so far, with the words that go with it, and what is to be learnt from anew."""

    graph: Graph
    gone: dict[Key, frozenset[str]]
    again: set[Key] = field(default_factory=set)
    known: dict[Key, frozenset[str]] = field(default_factory=dict)

    def said(self, key: Key) -> frozenset[str]:
        if key not in self.known:
            self.known[key] = said(self.graph.nodes[key])
        return self.known[key]

    def behind(self, key: Key) -> set[Key]:
        """What something came from, and all other attempts at the same tasks."""
        evidence = self.graph.evidence(key)
        return evidence | self.graph.attempts(evidence)

    def kept(self, key: Key) -> frozenset[str]:
        """The words that what remains behind something says."""
        return frozenset[str]().union(*(self.said(one) for one in self.behind(key) - self.gone.keys()))

    def lost(self, key: Key) -> frozenset[str]:
        """The words that only what is gone behind something said."""
        return frozenset[str]().union(*(self.gone[one] for one in self.behind(key) & self.gone.keys())) - self.kept(key)

    def spread(self) -> None:
        """Let go what is left without evidence, or says what only the erased said, until nothing more goes."""
        derived = sorted(key for key in self.graph.nodes if self.graph.learnt(key))
        changed = True
        while changed:
            changed = False
            for key in derived:
                if key in self.gone:
                    continue
                above = self.graph.up.get(key, set())
                if above and above <= self.gone.keys():
                    self.gone[key] = self.said(key)
                    changed = True
                elif self.said(key) & self.lost(key):
                    self.rebuild(key)
                    changed = True

    def rebuild(self, key: Key) -> None:
        """Let something go that what remains of its evidence is to be learnt from anew for."""
        self.gone[key] = self.said(key) - self.kept(key)
        self.again |= self.graph.up.get(key, set())


def plan(graph: Graph, roots: Iterable[Key]) -> Stage[Plan]:
    """What is to be done when these memories are erased."""
    nodes = graph.nodes
    closure = _Closure(graph, {})
    closure.gone |= {key: closure.said(key) for key in roots if key in nodes}
    closure.spread()
    while (told := (yield from _told(closure))) is not None:
        closure.rebuild(told)
        closure.spread()
    gone = frozenset(closure.gone)
    behind = {key: closure.behind(key) & gone for key in nodes if nodes[key].get("kind") == "skill" and key not in gone}
    skills = frozenset(key for key, found in behind.items() if found)
    unproven = {key for key in skills if graph.evidence(key) & gone and _proven_alone(nodes[key])}
    left = {key: _left(graph, key, gone) for key, above in graph.up.items() if key not in gone and above & gone}
    erased = frozenset[str]().union(*closure.gone.values())
    problems = {
        key for key in nodes.keys() - gone if words([str(nodes[key].get("problem") or "")]) & erased - closure.said(key)
    }
    return Plan(
        graph=graph,
        gone=gone,
        again=frozenset(closure.again - gone),
        sources={key: ids for key, ids in left.items() if list(ids) != list(nodes[key].get("sources") or ())},
        skills=skills,
        unproven=frozenset(unproven),
        problems=frozenset(problems),
    )


def content_hash(node: Row, sources: tuple[str, ...]) -> str:
    """The digest of what was recorded, with these sources; that of a damaged memory stays."""
    with suppress(StoreError, KeyError):
        item = to_item(node)
        if not isinstance(item, Episode):
            said_so = item.model_copy(update={"sources": sources, "secure": bool(node["secure_said"])})
            return str(to_properties(said_so)["content_hash"])
    return str(node.get("content_hash") or "")


def _left(graph: Graph, key: Key, gone: frozenset[Key]) -> tuple[str, ...]:
    lost = {id_ for _, id_ in graph.up[key] & gone} - {id_ for _, id_ in graph.up[key] - gone}
    return tuple(id_ for id_ in graph.nodes[key].get("sources") or () if id_ not in lost)


def _proven_alone(node: Row) -> bool:
    """Whether a skill is in use by its evidence alone, and by nobody's word."""
    approved = bool(node.get("approved_by")) or node.get("review") == "approved"
    return node.get("status") == Status.ACTIVE and not approved


def _told(closure: _Closure) -> Stage[Key | None]:
    """The first of what a model has learnt that carries a word which nobody says any more."""
    graph, keys = closure.graph, [" ".join(key) for key in sorted(closure.gone)]
    for key in sorted(graph.modelled - closure.gone.keys()):
        node = graph.nodes[key]
        erased = (closure.gone[one] for one in sorted(closure.gone) if _place(graph, one) == _place(graph, key))
        suspect = closure.said(key) & frozenset[str]().union(*erased) - closure.kept(key)
        if suspect:
            patterns = {pattern([word]): word for word in sorted(suspect)}
            given: dict[str, Any] = {"scope": key[0], "domain": node.get("domain"), "task_type": node.get("task_type")}
            rows = yield Read(Call(statement("erase/said"), {**given, "words": list(patterns), "keys": keys}))
            if suspect - {patterns[row["word"]] for row in rows}:
                return key
    return None


def _place(graph: Graph, key: Key) -> tuple[str, Any, Any]:
    return key[0], graph.nodes[key].get("domain"), graph.nodes[key].get("task_type")


def pattern(texts: Iterable[str]) -> str:
    """A Java pattern of the whole texts in which one of these stands as a word of its own, in upper or lower case."""
    quoted = "|".join("\\Q" + text.replace("\\E", "\\E\\\\E\\Q") + "\\E" for text in texts)
    return rf"(?isuU).*(?<!\w)(?:{quoted})(?!\w).*"
