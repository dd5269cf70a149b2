"""Embedders for tests: one with real similarity and no model, one with given vectors, and some that fail."""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["query", "document"]
_STOP = frozenset({"a", "an", "and", "at", "by", "for", "in", "is", "it", "of", "on", "or", "the", "to", "with"})


def _features(text: str) -> Iterator[tuple[str, float]]:
    """Words at full weight, their letter trigrams at a third, so that 'descale' is near 'descaling'."""
    for word in re.findall(r"\w+", text.lower()):
        if word not in _STOP:
            yield word, 1.0
            padded = f"<{word}>"
            yield from ((padded[i : i + 3], 1 / 3) for i in range(len(padded) - 2))


@dataclass(frozen=True)
class HashEmbedder:
    """Hashed words and letter trigrams: texts that share words are near, others almost orthogonal."""

    dimensions: int = 384
    name: str = "hash"
    threshold: float | None = 0.3
    max_tokens: int = 8000

    def embed(self, texts: Sequence[str], kind: Kind = "document") -> list[list[float]]:
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> list[float]:
        vector = [0.0] * self.dimensions
        for feature, weight in _features(text):
            code = zlib.crc32(feature.encode("utf-8", "surrogatepass"))
            vector[code % self.dimensions] += weight if code >> 31 else -weight
        norm = math.hypot(*vector)
        return [x / norm for x in vector] if norm else [1.0, *vector[1:]]


@dataclass(frozen=True)
class TableEmbedder:
    """The given vector for each text; KeyError for a text that is not in the table."""

    table: Mapping[str, Sequence[float]]
    name: str = "table"
    threshold: float | None = None

    @property
    def dimensions(self) -> int:
        return len(next(iter(self.table.values())))

    def embed(self, texts: Sequence[str], kind: Kind = "document") -> list[Sequence[float]]:
        return [self.table[text] for text in texts]


@dataclass(frozen=True)
class ConstantEmbedder:
    """The same vector for every text, usable or not: zeros, NaN, a wrong size."""

    vector: Sequence[float]
    dimensions: int = 384
    name: str = "constant"
    threshold: float | None = None

    def embed(self, texts: Sequence[str], kind: Kind = "document") -> list[Sequence[float]]:
        return [self.vector for _ in texts]


@dataclass(frozen=True)
class AwayEmbedder:
    """Raises at every call, as an endpoint does that nobody serves; `calls` keeps what was asked."""

    error: Exception = field(default_factory=lambda: ConnectionError("connection refused"))
    dimensions: int = 384
    name: str = "away"
    threshold: float | None = None
    calls: list[tuple[str, ...]] = field(default_factory=list)

    def embed(self, texts: Sequence[str], kind: Kind = "document") -> list[list[float]]:
        self.calls.append(tuple(texts))
        raise self.error


@dataclass(frozen=True)
class StrictEmbedder:
    """A `HashEmbedder` that, as endpoints do, refuses a batch with a blank or too long text, or a `poison`.

    It counts a token for each character beyond ASCII and for each four ASCII characters; `calls` keeps what
    was asked.
    """

    dimensions: int = 384
    name: str = "strict"
    threshold: float | None = 0.3
    max_tokens: int = 8000
    refused_above: int = 8000
    poison: str | None = None
    calls: list[tuple[str, ...]] = field(default_factory=list)

    def embed(self, texts: Sequence[str], kind: Kind = "document") -> list[list[float]]:
        self.calls.append(tuple(texts))
        for text in texts:
            if not text.strip():
                raise ValueError("400: input must not be empty")
            if sum(0.25 if char.isascii() else 1.0 for char in text) > self.refused_above:
                raise ValueError(f"400: too long, at most {self.refused_above} tokens")
            if self.poison is not None and self.poison in text:
                raise ValueError("400: input refused")
        return HashEmbedder(self.dimensions).embed(texts, kind)
