"""The schema: what a database must have, what it has, and the way from one to the other.

Everything is checked before the first change, so a database that does not fit is left as it was. Every migration is
idempotent, so two processes may apply them at once; the check afterwards finds out if they wanted different things.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphmem.errors import AccessDenied, SchemaMismatch, StoreError
from graphmem.steps import Alone, Call, Read, Row, Stage, Write
from graphmem.store.catalogue import Statement, names, statement
from graphmem.store.shapes import FORMER, SHAPES, Shape
from graphmem.text import utc_now

OLDEST = (2026, 8)
AWAIT_SECONDS = 300
ATTEMPTS = 5  # two processes that create the same index at once may stop each other
_MOVE = "set GRAPHMEM_EMBEDDING__MODEL to the one that it was made for, or move it with 'graphmem reembed'"
_NUMBERED = re.compile(r"schema/(\d{3})_(\w+)$")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the settings ask of a database; no embedding model means that none is in use yet."""

    embedding_model: str
    dimensions: int
    analyzer: str

    def parameters(self) -> dict[str, object]:
        """The parameters that migrations may take."""
        return {"dimensions": self.dimensions, "analyzer": self.analyzer}


@dataclass(frozen=True, slots=True)
class Present:
    """What a database has, by its indexes and its own word; `moving`: its vectors are being made anew."""

    version: str
    edition: str
    embedding_model: str | None
    dimensions: int | None
    analyzer: str | None
    moving: bool
    applied: dict[int, str]
    offline: tuple[str, ...]
    indexes: Mapping[str, Shape]


@dataclass(frozen=True, slots=True)
class Migration:
    """One numbered step of the schema."""

    number: int
    statement: Statement

    @property
    def title(self) -> str:
        return self.statement.name.rsplit("/", 1)[-1]

    @property
    def made(self) -> str:
        """The name of the index or constraint that it makes, if it makes one."""
        return self.title.partition("_")[2]

    def replaces(self, present: Present) -> bool:
        """Whether an older graphmem made another index where this one makes its own."""
        return self.made in FORMER and present.indexes.get(self.made) == FORMER[self.made]

    def half_made(self, present: Present) -> bool:
        """Whether its constraint has its index but is not there yet, as while another process makes it."""
        wanted, found = (shapes.get(self.made) for shapes in (SHAPES, present.indexes))
        return wanted is not None and found is not None and wanted.type == f"UNIQUE {found.type}"


def migrations() -> list[Migration]:
    """All migrations, in order."""
    numbered = [(match, name) for name in names("schema") if (match := _NUMBERED.match(name))]
    return [Migration(int(match.group(1)), statement(name)) for match, name in numbered]


def missing(wanted: Wanted, present: Present, every: Sequence[Migration]) -> list[Migration]:
    """The migrations that a database still needs; a pure function.

    Raises SchemaMismatch, in one sentence, when the database does not fit the settings.
    """
    for problem in _problems(wanted, present, every):
        raise SchemaMismatch(problem)
    latest = {migration.made: migration.number for migration in every}
    lost = {name for name, shape in SHAPES.items() if present.indexes.get(name) != shape}
    return [
        migration
        for migration in every
        if migration.number not in present.applied
        or (migration.made in lost and latest[migration.made] == migration.number)
    ]


def _problems(wanted: Wanted, present: Present, every: Sequence[Migration]) -> Generator[str, None, None]:
    if _version(present.version) < OLDEST:
        yield (
            f"Neo4j {present.version} is too old: graphmem needs {OLDEST[0]}.{OLDEST[1]:02} or newer, "
            "for vector search with the scope inside the index; upgrade the server or use 'graphmem up'"
        )
    if wanted.embedding_model and not present.moving and present.dimensions not in (None, wanted.dimensions):
        yield (
            f"vector index memory_vector holds vectors of {present.dimensions} numbers, the embedding model "
            f"{wanted.embedding_model} gives {wanted.dimensions}; {_MOVE}"
        )
    if wanted.embedding_model and present.embedding_model not in (None, wanted.embedding_model):
        yield (
            f"this database holds vectors of the embedding model {present.embedding_model}, the settings name "
            f"{wanted.embedding_model}; these do not compare; {_MOVE}"
        )
    if present.analyzer not in (None, wanted.analyzer):
        yield (
            f"full-text index memory_text was made with the analyzer {present.analyzer}, the settings name "
            f"{wanted.analyzer}; set GRAPHMEM_FULLTEXT__ANALYZER to {present.analyzer}, or use another database"
        )
    for name, shape in SHAPES.items():
        if present.indexes.get(name, shape) not in (shape, FORMER.get(name)):
            yield f"index {name} is a {present.indexes[name]}, graphmem needs a {shape}; drop it and try again"
        alike = (shape, FORMER.get(name))
        twins = [other for other, found in present.indexes.items() if found in alike and other != name]
        if twins and name not in present.indexes:
            yield f"index {twins[0]} takes the place of {name}, a {shape}; drop it and try again"
    known = {migration.number: migration for migration in every}
    for number, checksum in present.applied.items():
        if number not in known:
            yield f"this database has schema step {number}, which this graphmem does not know; upgrade graphmem"
        elif known[number].statement.checksum != checksum:
            yield f"schema step {known[number].title} was applied in another form, by another graphmem; use that one"


def inspect() -> Stage[Present]:
    """Read what a database has."""
    server = (yield Read(Call(statement("schema/server"), {})))[0]
    indexes = {row["name"]: row for row in (yield Read(Call(statement("schema/indexes"), {})))}
    state = (yield Read(Call(statement("schema/state"), {})))[0]
    return Present(
        version=server["version"],
        edition=server["edition"],
        embedding_model=state["embedding_model"],
        moving=bool(state["moving"]),
        dimensions=_option(indexes, "memory_vector", "vector.dimensions"),
        analyzer=_option(indexes, "memory_text", "fulltext.analyzer"),
        applied={row["number"]: row["checksum"] for row in state["migrations"]},
        offline=tuple(name for name, row in indexes.items() if row["state"] != "ONLINE"),
        indexes={name: _shape(row) for name, row in indexes.items()},
    )


def ensure(wanted: Wanted) -> Stage[tuple[str, ...]]:
    """Bring a database to the wanted schema; the titles of the migrations applied.

    Raises SchemaMismatch, before anything is changed, when the database does not fit.
    """
    every = migrations()
    present = yield from inspect()
    waited: list[Migration] = []
    # Another process goes on meanwhile, and may be making the next constraint when this one is there.
    while (half_made := [step for step in every if step.half_made(present)]) and half_made != waited:
        yield from _finish(half_made)
        waited, present = half_made, (yield from inspect())
    todo = missing(wanted, present, every)
    if todo:
        for row in (yield Read(Call(statement("schema/doubled"), {}))):
            raise SchemaMismatch(_doubled(SHAPES[row["key"]]))
    former = {migration.made: migration for migration in todo if migration.made in FORMER}
    for migration in todo:
        if former.get(migration.made) is migration and migration.replaces((yield from inspect())):
            yield from apply(Call(statement("schema/drop_vectors"), {}))
        taken = {key: value for key, value in wanted.parameters().items() if key in migration.statement.params}
        yield from apply(Call(migration.statement, taken))
    claim = Call(statement("schema/claim"), {"embedding_model": wanted.embedding_model or None, "now": utc_now()})
    if todo:
        yield Read(Call(statement("schema/await_indexes"), {"seconds": AWAIT_SECONDS}))
        yield Write([_noted(migration) for migration in todo] + [claim])
    elif wanted.embedding_model and present.embedding_model is None:
        yield Write([claim])
    else:
        return ()
    missing(wanted, (yield from inspect()), every)
    return tuple(migration.title for migration in todo)


def apply(call: Call) -> Stage[None]:
    """Make one change of the schema, in spite of another process that makes it at the same time."""
    for attempt in range(ATTEMPTS):
        try:
            yield Alone(call)
        except AccessDenied as error:
            raise AccessDenied(f"{error}; the schema is incomplete: 'graphmem init', by an account that may") from error
        except StoreError:
            if attempt == ATTEMPTS - 1:
                raise
        else:
            return


def _finish(half_made: Sequence[Migration]) -> Stage[None]:
    """Wait for whoever makes these constraints; an index that is a stranger's own refuses at once and is told later."""
    for migration in half_made:
        try:
            yield from apply(Call(migration.statement, {}))
        except StoreError:
            continue


def _doubled(shape: Shape) -> str:
    (label,) = shape.labels
    return (
        f"nodes :{label} are there that have the same {' and '.join(sorted(shape.properties))}; they were not made by "
        "graphmem: remove them, or use another database"
    )


def _noted(migration: Migration) -> Call:
    given = {"number": migration.number, "title": migration.title, "checksum": migration.statement.checksum}
    return Call(statement("schema/applied"), {**given, "now": utc_now()})


def _option(indexes: dict[str, Any], index: str, key: str) -> Any:
    return indexes[index]["options"]["indexConfig"].get(key) if index in indexes else None


def _shape(row: Row) -> Shape:
    similarity = row["options"]["indexConfig"].get("vector.similarity_function", "")
    unique = "UNIQUE" if row["constraint"] else ""
    kind = f"{unique}{similarity} {row['type']}".strip()
    return Shape(kind, frozenset(row["labels"] or ()), frozenset(row["properties"] or ()))


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", text)[:2])
