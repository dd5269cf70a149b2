"""What deletions do to the vector index, and how it is mended.

Neo4j 2026.08 fails a filtered vector search, in every scope, while some but not all vectors of the index's newest
segment are deleted; a vector that is written anew begins another segment, and ends it.
"""

from __future__ import annotations

from graphmem.steps import Call
from graphmem.store.catalogue import statement

UNSETTLED = "out of bounds for length"
"""What the server says then."""


NOBODY = ""  # no client's scope


def settled(dimensions: int, anew: bool = False) -> Call:
    """Settle the index: to be written together with what deletes memories, or after the server failed.

    Once it was done the vector's size stays, unless the index was made `anew` for vectors of so many dimensions.
    """
    vector = [1.0] + [0.0] * (dimensions - 1)
    return Call(statement("record/settle"), {"scope": NOBODY, "vector": vector, "anew": anew})
