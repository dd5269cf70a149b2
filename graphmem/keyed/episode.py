"""A keyed value as an episode, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graphmem.errors import InvalidInput
from graphmem.keyed.models import Kept, Put
from graphmem.keyed.place import inside, of_source, root, slot, source, tags
from graphmem.models import Episode, Outcome
from graphmem.record.properties import digest, intact, to_stored
from graphmem.redact import Redactor, clean, noted
from graphmem.scope import Scope
from graphmem.text import instant, isoformat

FIELD = "keyed"  # of the metadata: what no other field holds
LABELS = ("domain", "task_type", "toolchain")
LONGEST = 200  # characters of a label


@dataclass(frozen=True, slots=True)
class Ready:
    """A value that may be put: how the ids of its versions begin, the episode without id, what was taken out of it."""

    slot: str
    episode: Episode
    redacted: tuple[str, ...]

    @property
    def said(self) -> str:
        """A digest of what was put, as `said` has it of a node."""
        return _said(self.episode)

    def since(self, created_at: datetime) -> Episode:
        """The episode, saying since when there is a value under its key."""
        kept = {**self.episode.metadata[FIELD], "created_at": isoformat(created_at)}  # type: ignore[dict-item]
        return self.episode.model_copy(update={"metadata": {FIELD: kept}})


def ready(asked: Put, scope: Scope, redactor: Redactor | None) -> Ready:
    """A value as it is to be kept, redacted.

    Raises ScopeError outside the scope, InvalidInput for a namespace or key that holds what must not be kept,
    RedactionError when the redactor fails.
    """
    namespace = inside(asked.namespace, scope)
    start = slot(namespace, asked.key)
    said = Episode(
        task=asked.task,
        summary=asked.summary,
        outcome=_outcome(asked.value),
        tags=tags(namespace),
        secure=not asked.indexed,  # in use, and yet no recall returns it
        source_ref=source(namespace),
        trace_id=start,  # so that all versions count as one attempt
        metadata={FIELD: {"name": asked.key, "value": asked.value}},
        **_labels(asked.value),
    )
    kept, found = clean(redactor, said)
    where: Any = kept.metadata[FIELD]
    if kept.source_ref != said.source_ref or where["name"] != asked.key:
        raise InvalidInput(
            "the namespace or the key holds what must not be kept, such as an address or a number of a person; give "
            "another one, such as a digest; nothing was written"
        )
    return Ready(start, kept, noted(found))


def kept(node: Mapping[str, Any], scope: Scope, score: float | None = None) -> Kept:
    """The value that a node holds. Raises StoreError when somebody changed it into none."""
    stored = to_stored(node)
    with intact(node):
        held: Any = stored.memory.metadata[FIELD]
        return Kept(
            id=stored.id,
            namespace=(*root(scope), *of_source(stored.memory.source_ref)),
            key=held["name"],
            value=held["value"],
            status=stored.status,
            created_at=instant(held["created_at"]),
            updated_at=stored.created_at,
            score=score,
        )


def said(node: Mapping[str, Any]) -> str:
    """A digest of what was put: the value, and by which words it is found; not what a review has added to it."""
    memory = to_stored(node).memory
    with intact(node):
        return _said(memory)


def _said(memory: Any) -> str:
    return digest([memory.metadata[FIELD]["value"], memory.task, memory.summary, memory.secure])


def _outcome(value: Mapping[str, Any]) -> Outcome:
    named = value.get("outcome")
    return Outcome(named) if isinstance(named, str) and named in [one.value for one in Outcome] else Outcome.UNKNOWN


def _labels(value: Mapping[str, Any]) -> dict[str, str]:
    given = {name: value[name] for name in LABELS if isinstance(value.get(name), str)}
    reason = value.get("failure_reason")
    return {name: text for name, text in given.items() if len(text.strip()) <= LONGEST} | (
        {"failure_reason": reason} if isinstance(reason, str) else {}
    )
