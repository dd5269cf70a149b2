"""An embedder for tests whose cosines are written into the texts: "pump north:0.8" is 0.8 near to "north:1"."""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

AXES = {"north": 0, "east": 1, "up": 2}
_PART = re.compile(r"(\w+):(-?\d+(?:\.\d+)?)")


@dataclass(frozen=True)
class Angles:
    """Each `axis:number` is that coordinate; what is missing to length 1 lies on an axis of the text's own."""

    name: str
    dimensions: int = 384
    threshold: float | None = 0.5
    max_tokens: int = 100_000

    def embed(self, texts: Sequence[str], kind: Literal["query", "document"] = "document") -> list[list[float]]:
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> list[float]:
        vector = [0.0] * self.dimensions
        for axis, number in _PART.findall(text):
            vector[AXES[axis]] += float(number)
        rest = 1.0 - math.fsum(number * number for number in vector)
        own = len(AXES) + zlib.crc32(text.encode()) % (self.dimensions - len(AXES))
        vector[own] += math.sqrt(max(0.0, rest))
        return vector
