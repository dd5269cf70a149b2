"""A memory as node properties, and back.

A caller's fields keep their names; what no property can hold (metadata, a trajectory) is kept as JSON text, null
included. Filter properties are never null: an absent label is empty, a memory without an end expires in the year 9999.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from graphmem.errors import StoreError
from graphmem.models import KINDS, AnyItem, Episode, Item, Kind, Outcome, Reflection, Skill, Status, Stored
from graphmem.text import normalise

NEVER = datetime.max.replace(tzinfo=UTC)
JSON_FIELDS = ("metadata", "trajectory")
_CONDITION = re.compile(r"^\s*([\w.\- ]+?)\s*=\s*(.+?)\s*$")


def to_properties(item: AnyItem) -> dict[str, Any]:
    """The caller's fields of a memory, and what the indexes need of them."""
    fields = item.model_dump(exclude={"id", "expires_at"}, exclude_none=True)
    for name in JSON_FIELDS:
        if name in fields:
            fields[name] = _json(fields[name])
    requires = requirements(item)
    for name, value in fields.items():
        if isinstance(value, tuple):
            fields[name] = list(value)
        elif isinstance(value, Outcome):
            fields[name] = value.value
    return fields | {
        "kind": item.kind.value,
        "label": item.label()[:200],
        "expires_at": item.expires_at or NEVER,
        "text": normalise(item.searchable()),
        "requires": requires,
        "features": features(item.domain, item.task_type, item.toolchain, item.tags, requires),
        "context_hash": context_hash(item.domain, item.task_type, item.toolchain, item.searchable()),
        "content_hash": content_hash(item),
    }


def to_item(node: Mapping[str, Any]) -> AnyItem:
    """The memory that was recorded, from its node's properties.

    Raises StoreError when somebody changed the node into none.
    """
    with intact(node):
        return _item(node)


def to_stored(node: Mapping[str, Any]) -> Stored:
    """A memory with what graphmem knows about it, from its node's properties; raises as `to_item` does."""
    known = {name: node[name] for name in Stored.model_fields if node.get(name) is not None and name != "memory"}
    with intact(node):
        return Stored.model_validate({**known, "memory": _item(node)})


def _item(node: Mapping[str, Any]) -> AnyItem:
    kind = KINDS[Kind(node["kind"])]
    fields = {name: node[name] for name in kind.model_fields if node.get(name) is not None}
    for name in JSON_FIELDS:
        if name in fields:
            fields[name] = json.loads(fields[name])
    if fields.get("expires_at") == NEVER:
        del fields["expires_at"]
    return kind.model_validate(fields)


@contextmanager
def intact(node: Mapping[str, Any]) -> Iterator[None]:
    """Whatever cannot be read of a node within this is told as a StoreError that names it."""
    try:
        yield
    except (ValueError, KeyError, TypeError) as error:
        told = " ".join(str(error).split())[:200]
        raise StoreError(f"memory {node.get('id')} was damaged in the database; mend its node ({told})") from error


def content_hash(item: Item) -> str:
    """A digest of everything the caller said, the id excepted: equal content, equal digest."""
    return digest(item.model_dump(mode="json", exclude={"id"}))


def context_hash(domain: str, task_type: str, toolchain: str, text: str) -> str:
    """A digest of the kind of problem: its labels and, where no task type names it, its words."""
    named = "" if task_type else normalise(text).casefold()
    return digest([domain, task_type, toolchain, named])


def task_key(episode: Episode) -> str:
    """A digest of the task that an episode tried: equal for all attempts at it, apart for secure ones."""
    task = normalise(episode.task).casefold()
    return digest([episode.domain, episode.task_type, episode.toolchain, task, episode.secure])


def attempt_key(episode: Episode) -> str:
    """A digest of what was tried and done and how it ended, whatever it is labelled: equal for copies."""
    done = [[normalise(step.action), normalise(step.observation)] for step in episode.trajectory]
    return digest([normalise(episode.task).casefold(), normalise(episode.summary), done, episode.outcome.value])


def initial_status(item: AnyItem) -> Status:
    """Where a new memory stands, its sources (if any) being in order."""
    if isinstance(item, Episode):
        return Status.AUDIT if item.outcome is Outcome.UNKNOWN else Status.ACTIVE
    if isinstance(item, Skill):
        return Status.ACTIVE if item.approved_by else Status.CANDIDATE
    return Status.ACTIVE


def requirements(item: AnyItem) -> list[str]:
    """The conditions of the form "key = value", as ``key=value`` in lower case; the others are shown, not judged."""
    listed = item.conditions if isinstance(item, Reflection) else item.preconditions if isinstance(item, Skill) else ()
    return sorted({pair for condition in listed if (pair := requirement(condition))})


def requirement(condition: str) -> str:
    """A condition of the form "key = value" as ``key=value`` in lower case; empty for one in free words."""
    match = _CONDITION.match(normalise(condition))
    return f"{match[1]}={match[2]}".casefold() if match else ""


def features(
    domain: str | None,
    task_type: str | None,
    toolchain: str | None,
    tags: Sequence[str],
    pairs: Sequence[str],
) -> list[str]:
    """What a memory is specific to, or a question asks for, as comparable ``key=value`` texts."""
    labels = {"domain": domain, "task_type": task_type, "toolchain": toolchain}
    named = [f"{key}={value}" for key, value in labels.items() if value]
    return sorted({*named, *(f"tag={tag}" for tag in tags), *pairs})


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def digest(value: object) -> str:
    """A short digest of what JSON can hold."""
    return hashlib.blake2b(_json(value).encode(), digest_size=16).hexdigest()
