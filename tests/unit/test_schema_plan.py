"""The plan of the schema: a pure function of what is wanted, what is there, and the steps that exist."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from graphmem.errors import SchemaMismatch, StoreError
from graphmem.steps import Alone, Read, Step, run
from graphmem.store.schema import Present, Wanted, ensure, migrations, missing
from graphmem.store.shapes import SHAPES, Shape

WANTED = Wanted(embedding_model="bge", dimensions=384, analyzer="cjk")
EVERY = migrations()
EMPTY = Present(
    version="2026.08.1", edition="community", embedding_model=None, dimensions=None, analyzer=None, moving=False,
    applied={}, offline=(), indexes={},
)  # fmt: skip
READY = replace(
    EMPTY, embedding_model="bge", dimensions=384, analyzer="cjk", indexes=SHAPES,
    applied={step.number: step.statement.checksum for step in EVERY},
)  # fmt: skip


def test_steps_are_numbered_without_a_gap() -> None:
    assert [step.number for step in EVERY] == [*range(1, len(EVERY) + 1)]
    assert {step.statement.mode for step in EVERY} == {"schema", "batch"}  # the latter bring older nodes up to date


def test_what_recall_searches_is_made_by_a_step() -> None:
    assert {*SHAPES} <= {step.title.partition("_")[2] for step in EVERY}


def test_an_empty_database_needs_everything_and_a_ready_one_nothing() -> None:
    assert missing(WANTED, EMPTY, EVERY) == EVERY
    assert missing(WANTED, READY, EVERY) == []


def test_what_a_stopped_run_left_undone_is_done() -> None:
    half = replace(READY, applied={step.number: step.statement.checksum for step in EVERY[:4]})
    assert missing(WANTED, half, EVERY) == EVERY[4:]


@pytest.mark.parametrize("name", SHAPES)
def test_an_index_that_was_dropped_is_made_again(name: str) -> None:
    left = {other: shape for other, shape in SHAPES.items() if other != name}
    todo = missing(WANTED, replace(READY, indexes=left), EVERY)
    assert [step.title.partition("_")[2] for step in todo] == [name]


@pytest.mark.parametrize(
    "version", ["2026.08.1", "2026.08.0", "2026.09", "2026.12.3", "2027.01.0", "2026.08.1-SNAPSHOT"]
)
def test_a_server_that_is_new_enough(version: str) -> None:
    assert missing(WANTED, replace(READY, version=version), EVERY) == []


VECTOR, TEXT = SHAPES["memory_vector"], SHAPES["memory_text"]
REFUSED = [
    ({"version": "2026.01.4"}, ["2026.01.4", "2026.08"]),
    ({"version": "2025.12.1"}, ["2025.12.1"]),
    ({"version": "5.26.0"}, ["5.26.0", "2026.08"]),
    ({"dimensions": 1536}, ["memory_vector", "1536", "384"]),
    ({"dimensions": 383}, ["memory_vector", "383", "384"]),
    ({"embedding_model": "other"}, ["other", "bge"]),
    ({"analyzer": "english"}, ["memory_text", "english", "cjk", "GRAPHMEM_FULLTEXT__ANALYZER"]),
    ({"applied": {**READY.applied, 1: "changed"}}, ["001_memory_key"]),
    ({"applied": {**READY.applied, 99: "later"}}, ["99", "upgrade graphmem"]),
    (
        {"indexes": {**SHAPES, "memory_vector": replace(VECTOR, properties=frozenset({"embedding"}))}},
        ["memory_vector"],
    ),
    ({"indexes": {**SHAPES, "memory_vector": replace(VECTOR, type="EUCLIDEAN VECTOR")}}, ["euclidean", "cosine"]),
    (
        {"indexes": {**SHAPES, "memory_text": Shape("RANGE", frozenset("X"), frozenset("y"))}},
        ["memory_text", "range"],
    ),
    ({"indexes": {"memory_vector": VECTOR, "mine": TEXT}}, ["mine", "memory_text"]),
]


@pytest.mark.parametrize(("change", "said"), REFUSED)
def test_a_database_that_does_not_fit_is_refused_in_one_sentence(change: dict[str, object], said: list[str]) -> None:
    with pytest.raises(SchemaMismatch) as caught:
        missing(WANTED, replace(READY, **change), EVERY)  # type: ignore[arg-type]
    told = str(caught.value)
    assert all(word in told for word in said), told
    assert "\n" not in told


@pytest.mark.parametrize("change", [{"version": "5.26.0"}, {"dimensions": 1536}, {"analyzer": "english"}])
def test_an_empty_database_is_held_to_the_same(change: dict[str, object]) -> None:
    with pytest.raises(SchemaMismatch):
        missing(WANTED, replace(EMPTY, **change), EVERY)  # type: ignore[arg-type]


def test_without_a_model_any_model_and_size_will_do() -> None:
    nothing = Wanted(embedding_model="", dimensions=384, analyzer="cjk")
    assert missing(nothing, replace(READY, embedding_model="other", dimensions=1536), EVERY) == []


def test_an_index_of_somebody_else_is_no_concern() -> None:
    theirs = {"theirs": Shape("RANGE", frozenset({"Person"}), frozenset({"name"}))}
    assert missing(WANTED, replace(READY, indexes={**SHAPES, **theirs}), EVERY) == []


@pytest.mark.parametrize("name", [name for name, shape in SHAPES.items() if shape.type.startswith("UNIQUE")])
@pytest.mark.parametrize("strangers", [False, True])
def test_a_constraint_that_another_process_is_making_is_waited_for(name: str, strangers: bool) -> None:
    """Its index is there first: an attempt to make it waits for the other; on a stranger's own index it is refused."""
    finished: list[str] = []

    def answer(step: Step) -> Any:
        if isinstance(step, Alone):
            finished.append(step.call.statement.name)
            if strangers:
                raise StoreError("there already exists an index")
            return []
        assert isinstance(step, Read), "nothing is written"
        owned = {other for other in SHAPES if other != name or (finished and not strangers)}
        rows = [_row(other, shape, other in owned) for other, shape in SHAPES.items()]
        return _answers(rows)[step.call.statement.name]

    if strangers:
        with pytest.raises(SchemaMismatch, match=f"index {name} is a range index"):
            run(ensure(WANTED), answer)
    else:
        assert run(ensure(WANTED), answer) == ()
    assert {step.partition("_")[2] for step in finished} == {name}


def test_each_constraint_that_another_process_is_making_is_waited_for_in_turn() -> None:
    """The other process goes on while this one waits: the next of its constraints is half made then."""
    keys = [name for name, shape in SHAPES.items() if shape.type.startswith("UNIQUE")]
    finished: list[str] = []

    def answer(step: Step) -> Any:
        if isinstance(step, Alone):
            finished.append(step.call.statement.name)
            return []
        assert isinstance(step, Read), "nothing is written"
        half = keys[len(finished)] if len(finished) < len(keys) else ""
        return _answers([_row(name, shape, name != half) for name, shape in SHAPES.items()])[step.call.statement.name]

    assert run(ensure(WANTED), answer) == ()
    assert [step.partition("_")[2] for step in finished] == keys


def _answers(indexes: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """What a database that is ready says, with these indexes."""
    applied = [{"number": number, "checksum": found} for number, found in READY.applied.items()]
    return {
        "schema/server": [{"version": READY.version, "edition": READY.edition}],
        "schema/indexes": indexes,
        "schema/state": [{"embedding_model": WANTED.embedding_model, "moving": None, "migrations": applied}],
    }


def _row(name: str, shape: Shape, owned: bool) -> dict[str, Any]:
    unique, similarity = shape.type.startswith("UNIQUE"), "COSINE" if shape.type.startswith("COSINE") else ""
    found = {"vector.similarity_function": similarity, "vector.dimensions": 384, "fulltext.analyzer": "cjk"}
    return {
        "name": name,
        "type": shape.type.split()[-1],
        "state": "ONLINE",
        "labels": sorted(shape.labels),
        "properties": sorted(shape.properties),
        "options": {"indexConfig": found if similarity or "FULL" in shape.type else {}},
        "constraint": name if unique and owned else None,
    }
