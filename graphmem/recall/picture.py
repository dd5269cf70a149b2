"""A recall as a graph to look at: in a notebook, or as one HTML file."""

from __future__ import annotations

import os
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphmem.errors import ConfigurationError, InvalidInput
from graphmem.models import Episode, Kind, Outcome

try:
    from neo4j_viz import Node, Relationship, VisualizationGraph
except ImportError as error:
    raise ConfigurationError("neo4j-viz is not installed; run: pip install 'graphmem[viz]'") from error

if TYPE_CHECKING:
    from graphmem.recall.models import Candidate, Hit, Recall

QUESTION = "question"
PASSED = "passed on the way"
COLOURS = {
    QUESTION: "#212121",
    "episode, success": "#2E7D32",
    "episode, mixed": "#F9A825",
    "episode, fail": "#C62828",
    "episode, not returned": "#A1887F",
    Kind.REFLECTION.value: "#1565C0",
    Kind.SKILL.value: "#6A1B9A",
    PASSED: "#BDBDBD",
}
LABEL = 40  # characters of a label under a node
EDGE, REPLACES = "#9E9E9E", "#C62828"


class Picture(VisualizationGraph):
    """A graph of neo4j-viz that a notebook shows by itself; `render` gives its HTML, with any layout and size."""

    def _repr_html_(self) -> str:
        return str(self.render().data)


def pictured(recall: Recall, path: str | os.PathLike[str] | None = None) -> Picture:
    """The question, the candidates, what led to them, and what they replace; `path` is where its HTML is written.

    Raises InvalidInput when the file cannot be written; what was there before stays then.
    """
    picture = _Draft(recall).picture()
    if path is not None:
        _write(Path(path), picture._repr_html_())
    return picture


class _Draft:
    """The nodes and edges so far, each once."""

    def __init__(self, recall: Recall) -> None:
        self.recall = recall
        self.nodes: dict[str, Node] = {}
        self.edges: dict[tuple[str, str, str], Relationship] = {}
        # A path names ids alone; of two memories of one id, the user's own is meant before a shared one.
        ranking = sorted(recall.candidates, key=lambda found: found.user == "")
        self.known = {found.id: _key(found) for found in reversed(ranking)}

    def picture(self) -> Picture:
        recall, hits = self.recall, {_key(hit): hit for hit in self.recall.hits}
        asked = {"text": recall.request.text, "decision": recall.decision.value, "reason": recall.reason}
        self._node(QUESTION, recall.request.text, QUESTION, 25, asked)
        for found in recall.candidates:
            self._candidate(found, hits.get(_key(found)))
        for found in recall.candidates:
            self._way(found)
        picture = Picture(list(self.nodes.values()), list(self.edges.values()))
        seen = {str(node.properties["is"]) for node in self.nodes.values()}
        picture.set_legend(nodes=[pair for pair in COLOURS.items() if pair[0] in seen])
        return picture

    def _candidate(self, found: Candidate, hit: Hit | None) -> None:
        kind = found.kind.value
        if found.kind is Kind.EPISODE:
            kind = f"episode, {_outcome(hit).value}" if hit else "episode, not returned"
        said: dict[str, Any] = {
            "id": found.id,
            "kind": found.kind.value,
            "user": found.user,
            "label": found.label,
            "decision": hit.decision.value if hit else "",
            "rank": found.rank,
            "S": round(found.score, 4),
            "relevance": round(found.relevance, 4),
            **{name: round(value, 4) for name, value in found.components},
        }
        self._node(_key(found), found.label, kind, 20 if hit else 12, said)

    def _way(self, found: Candidate) -> None:
        """The edges that led to a candidate; to the memory that it replaces, if it took a place."""
        end = _key(found)
        if found.replaces:
            end = self._memory(found.replaces)
            self._edge(_key(found), end, "replaces", REPLACES)
        if not found.hop:
            self._edge(QUESTION, end, " + ".join(found.path), EDGE)
            return
        stops = [*map(self._memory, found.path[::2]), end]
        self._edge(QUESTION, stops[0], "found", EDGE)
        for start, stop, kind in zip(stops, stops[1:], found.path[1::2], strict=False):
            self._edge(start, stop, kind, EDGE)

    def _memory(self, id_: str) -> str:
        key = self.known.get(id_, f"memory {id_}")
        if key not in self.nodes:
            self._node(key, id_, PASSED, 8, {"id": id_})
        return key

    def _node(self, key: str, label: str, kind: str, size: int, said: dict[str, Any]) -> None:
        caption = " ".join(label.split())[:LABEL]
        self.nodes[key] = Node(
            id=key, caption=caption, color=COLOURS.get(kind, EDGE), size=size, properties={"is": kind, **said}
        )

    def _edge(self, start: str, end: str, caption: str, colour: str) -> None:
        self.edges.setdefault(
            (start, end, caption),
            Relationship(id=f"{len(self.edges)}", source=start, target=end, caption=caption, color=colour),
        )


def _key(found: Candidate) -> str:
    return f"{found.kind.value} {found.id} of {found.user}" if found.user else f"{found.kind.value} {found.id}"


def _outcome(hit: Hit) -> Outcome:
    return hit.memory.outcome if isinstance(hit.memory, Episode) else Outcome.UNKNOWN


def _write(path: Path, text: str) -> None:
    """Write a file, all of it or nothing."""
    try:
        draft = path.with_name(f".{path.name}.{uuid.uuid4().hex}.tmp")
        try:
            draft.write_text(text, "utf-8")
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise InvalidInput(f"the picture cannot be written to {path}: {why}; give another path") from error
