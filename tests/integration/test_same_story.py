"""One story, told by Memory, by AsyncMemory and by the command line: the answers are the same."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import BaseModel, TypeAdapter

from graphmem import AsyncMemory, Memory, Recall, Settings, Stored
from graphmem.correct import Correction, Feedback
from graphmem.embed import Embedder
from graphmem.errors import GraphmemError
from graphmem.learn import Link
from graphmem.record import Recorded
from graphmem.settings import Connection
from tests.cli.shell import Ran, Shell, environment, strict
from tests.conftest import Driven

LONG_AGO = "2001-05-06T07:08:09Z"  # recency is nothing by now, so the moment of asking does not show
NOW = datetime(2026, 6, 1, tzinfo=UTC)
NEW_EACH_TIME = frozenset({"id", "recall_id", "trace_id", "at", "created_at", "updated_at", "tenant", "milliseconds"})

EPISODE: dict[str, Any] = {
    "id": "e1",
    "task": "Descale the espresso machine",
    "summary": "citric acid in the tank, two rinses",
    "outcome": "success",
    "outcome_evidence": "the flow is back",
    "domain": "kitchen",
    "task_type": "upkeep",
    "toolchain": "citric acid",
    "tags": ["coffee", "acid"],
    "metadata": {"grams": 20, "note": None, "名": ["é", 0.5]},
    "occurred_at": LONG_AGO,
}
MANY: tuple[dict[str, Any], ...] = (
    {
        "id": "e2",
        "task": "Descale the espresso machine with vinegar",
        "outcome": "success",
        "domain": "kitchen",
        "tags": ["coffee"],
        "occurred_at": LONG_AGO,
    },
    {
        "id": "e3",
        "task": "Clean the milk frother",
        "outcome": "mixed",
        "domain": "kitchen",
        "trajectory": [{"action": "soak", "observation": "loose"}],
        "occurred_at": LONG_AGO,
    },
    {
        "id": "e4",
        "task": "Rotate the API key of the mailer",
        "outcome": "fail",
        "failure_reason": "no access",
        "occurred_at": LONG_AGO,
    },
    {"id": "e5", "task": "Rotate the database password", "occurred_at": LONG_AGO},
    {
        "kind": "reflection",
        "id": "r1",
        "insight": "Hard water needs descaling every month",
        "conditions": ["water = hard", "only at home"],
        "sources": ["e1", "e2"],
        "occurred_at": LONG_AGO,
    },
    {
        "kind": "skill",
        "id": "s1",
        "name": "Descale a coffee machine",
        "steps": ["fill the tank with acid", "rinse twice"],
        "approved_by": "Ann",
        "sources": ["r1"],
        "occurred_at": LONG_AGO,
    },
    {"id": "e1", "task": "Other words under an id that is taken"},
    {"kind": "reflection", "id": "r2", "insight": "learnt from nothing", "sources": ["nobody"]},
    {"id": "e7", "task": "   "},
)
QUESTIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("descale the coffee machine", {"limit": 5}),
    ("descale the coffee machine", {"domain": "kitchen", "tags": ["acid"], "toolchain": "citric acid"}),
    ("how often must I descale?", {"kind": "reflection", "context": {"water": "soft"}}),
    ("write a sonnet about the sea", {}),
)


class CommandLine:
    """The verbs as commands: options in, JSON out, read as the values that Memory gives."""

    def __init__(self, shell: Shell) -> None:
        self.shell = shell

    def record(self, item: Mapping[str, Any]) -> Recorded:
        return Recorded.model_validate(self._run("record", *_options(item)))

    def record_many(self, items: Sequence[Mapping[str, Any]]) -> tuple[Recorded, ...]:
        ran = self.shell("record", "--file", "-", "--json", stdin="\n".join(map(json.dumps, items)))
        return TypeAdapter(tuple[Recorded, ...]).validate_python(strict(ran.out))

    def recall(self, text: str, *, receipt: bool, **options: Any) -> Recall:
        assert receipt, "the command line always writes one"
        return Recall.model_validate(self._run("recall", text, *_options(options)))

    def feedback(self, recall: Recall, **verdict: Any) -> Feedback:
        return Feedback.model_validate(self._run("feedback", recall.id, *_options(verdict)))

    def correct(self, **ruling: Any) -> Correction:
        return Correction.model_validate(self._run("correct", *_options(ruling)))

    def get(self, named: str) -> Stored:
        return Stored.model_validate(self._run("get", named))

    def list(self, **filters: Any) -> tuple[Stored, ...]:
        return TypeAdapter(tuple[Stored, ...]).validate_python(self._run("list", *_options(filters)))

    def update(self, named: str, **changes: Any) -> Stored:
        return Stored.model_validate(self._run("update", named, *_options(changes)))

    def link(self, start: str, end: str, **relation: Any) -> Link:
        return Link.model_validate(self._run("link", start, end, *_options(relation)))

    def _run(self, *arguments: str) -> Any:
        ran: Ran = self.shell(*arguments, "--json")
        if ran.code == 1:
            raise GraphmemError(ran.refusal)
        return ran.json


SINGULAR = {
    "tags": "tag",
    "techniques": "technique",
    "conditions": "condition",
    "sources": "source",
    "steps": "step",
    "outcome_evidence": "evidence",
}


def _options(fields: Mapping[str, Any]) -> list[str]:
    options: list[str] = []
    for name, value in fields.items():
        option = "--" + SINGULAR.get(name, name).replace("_", "-")
        if name == "context" and isinstance(value, dict):
            value = [f"{key}={inner}" for key, inner in value.items()]
        elif isinstance(value, dict):
            value = json.dumps(value)
        for one in value if isinstance(value, list) else [value]:
            options += [option, str(one)]
    return options


def story(client: Any) -> dict[str, Any]:
    """Live through it; every answer, flat, by the chapter that it belongs to."""
    told: dict[str, Any] = {}

    def tell(chapter: str, act: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        try:
            answer = act(*arguments, **options)
        except GraphmemError as error:
            told[chapter] = f"refused: {error}"
            return None
        told.update(flat(chapter, answer))
        return answer

    tell("record", client.record, EPISODE)
    tell("record otherwise", client.record, {**EPISODE, "task": "Other words under an id that is taken"})
    tell("record many", client.record_many, MANY)
    recalls = [
        tell(f"recall {number}", client.recall, text, **options, receipt=True)
        for number, (text, options) in enumerate(QUESTIONS)
    ]
    tell("feedback good", client.feedback, recalls[1], outcome="success", used=["e1"], evidence="it flows")
    tell("feedback bad", client.feedback, recalls[0], outcome="fail", used=["s1"], misled=["e2"], reason="smells")
    tell("correct there", client.correct, wrong="e4", right="e3", reason="wrong key", context="rotate a key")
    tell("correct", client.correct, wrong="e2", right="e1", reason="vinegar eats the seals", by="Ann")
    tell("update", client.update, "e3", tags=["milk"], metadata={"n": 1}, expires_at="2999-01-01T00:00:00Z")
    tell("link", client.link, "s1", "e3", kind="similar", weight=0.5)
    text, options = QUESTIONS[0]
    tell("recall again", client.recall, text, **options, receipt=True)
    tell("list", client.list, limit=20)
    tell("list some", client.list, kind="episode", outcome="success", tags=["coffee"])
    tell("get", client.get, "s1")
    tell("get nothing", client.get, "nobody")
    return told


def flat(path: str, value: Any) -> dict[str, Any]:
    """Every leaf of an answer by its path, but what is new each time it is asked."""
    if isinstance(value, BaseModel):
        fresh = NEW_EACH_TIME if not isinstance(value, Stored) else NEW_EACH_TIME - {"id"}
        return flat(path, {name: inner for name, inner in value if name not in fresh and name != "vector"})
    if isinstance(value, Mapping):
        return {leaf: inner for key, part in value.items() for leaf, inner in flat(f"{path}.{key}", part).items()}
    if isinstance(value, list | tuple):
        parts = [flat(f"{path}[{number}]", part) for number, part in enumerate(value)]
        return {f"{path}.length": len(parts)} | {leaf: inner for part in parts for leaf, inner in part.items()}
    if path.endswith(".problem"):
        return {path: re.sub(r"^(line|item) \d+: ", "", value)}
    return {path: value}


def test_three_ways_to_tell_one_story(settings: Settings, at: Connection, embedder: Embedder, tenant: str) -> None:
    def clock() -> datetime:
        return NOW

    with Memory(f"{tenant}-sync", settings=settings, embedder=embedder, clock=clock) as memory:
        by_memory = story(memory)
    driven = Driven(AsyncMemory(f"{tenant}-async", settings=settings, embedder=embedder, clock=clock))
    try:
        by_async = story(driven)
    finally:
        driven.close()
    by_commands = story(CommandLine(Shell(environment(settings, at, f"{tenant}-cli"))))

    assert by_memory["recall 0.decision"] == "use"
    assert by_memory["recall 3.decision"] == "novel"
    assert by_memory["recall again.hits.length"] >= 2
    assert by_memory["record otherwise"].startswith("refused: id e1 is taken")
    assert by_memory["record many[6].result"] == "conflict"
    assert by_memory["get nothing"].startswith("refused: no memory nobody")
    same = {path: _near(path, value) for path, value in by_memory.items()}
    assert by_async == same
    assert by_commands == same


def _near(path: str, value: Any) -> Any:
    # The statistics behind bm25 are the whole index's, so each telling moves them a little, and with them the score.
    tolerance = 0.1 if path.endswith(".lexical") else 0.02 if path.endswith(".score") else 1e-3
    return pytest.approx(value, abs=tolerance) if isinstance(value, float) else value
