"""A vector as the database takes it fastest; the driver is loaded when the first one is made."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from neo4j.vector import Vector


def packed(vector: Sequence[float]) -> Vector:
    """A vector to ask with: one block of double precision, where a list would be packed number by number."""
    from neo4j.vector import Vector

    return Vector(struct.pack(f">{len(vector)}d", *vector), "f64")
