"""A database on its way to another embedding model: what the schema has to do with it."""

from __future__ import annotations

from dataclasses import replace

from graphmem.steps import Call, Stage
from graphmem.store.catalogue import statement
from graphmem.store.schema import Present, Wanted, apply, ensure, inspect


def moves(wanted: Wanted, present: Present) -> bool:
    """Whether a database holds vectors of another model than the wanted one, or is on the way to one."""
    return bool(wanted.embedding_model) and (
        present.moving
        or present.embedding_model not in (None, wanted.embedding_model)
        or present.dimensions not in (None, wanted.dimensions)
    )


def movable(wanted: Wanted, present: Present) -> Stage[None]:
    """Bring a database to the schema, its embedding model left as it is; raises SchemaMismatch as `ensure` does."""
    yield from ensure(replace(wanted, embedding_model="", dimensions=present.dimensions or wanted.dimensions))


def reshape(wanted: Wanted) -> Stage[None]:
    """Make the index of the vectors anew where it is for vectors of another size than the wanted ones."""
    while (yield from inspect()).dimensions not in (None, wanted.dimensions):
        # A client without a model, which comes in between, makes it for another size.
        yield from apply(Call(statement("schema/drop_vectors"), {}))
        yield from ensure(wanted)
