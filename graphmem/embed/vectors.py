"""Texts put to any embedder so that only usable vectors come back, and one bad text takes no other down."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from graphmem.embed.protocol import Embedder, TextKind, token_limit
from graphmem.embed.windows import windows
from graphmem.errors import EmbeddingError
from graphmem.text import normalise

Vector: TypeAlias = tuple[float, ...]

_PER_CALL = 64
_ZERO = 1e-12


@dataclass(frozen=True, slots=True)
class Embedded:
    """What became of one text.

    `vector` has length 1, or is None with a `problem` that says why. It stands for the first `covered` of the
    `length` characters of the normalised text.
    """

    vector: Vector | None
    covered: int
    length: int
    problem: str | None = None

    @property
    def whole(self) -> bool:
        """Whether the vector stands for the entire text."""
        return self.vector is not None and self.covered == self.length


_Answer: TypeAlias = Vector | str  # a vector of length 1, or why there is none


def embed_texts(embedder: Embedder, texts: Sequence[str], kind: TextKind) -> list[Embedded]:
    """The vectors of the texts, in their order; what is blank or equal to another costs nothing.

    Texts are normalised first. A text that is too long is embedded in windows, and its vector is their mean,
    weighted by length. Raises EmbeddingError, with its cause, when the embedder is away.
    """
    forms = [normalise(text) for text in texts]
    limit = token_limit(embedder)
    pieces = {form: windows(form, limit) for form in dict.fromkeys(forms) if form}
    wanted = list(dict.fromkeys(piece for parts in pieces.values() for piece in parts))
    answers = dict(zip(wanted, _ask(embedder, wanted, kind), strict=True))
    done = {form: _joined(form, parts, answers) for form, parts in pieces.items()}
    return [done[form] if form else Embedded(None, 0, 0, "the text is blank") for form in forms]


def _joined(form: str, parts: Sequence[str], answers: dict[str, _Answer]) -> Embedded:
    """The mean of the leading windows that have a vector."""
    leading: list[tuple[Vector, int]] = []
    for part in parts:
        answer = answers[part]
        if isinstance(answer, str):
            if not leading:
                return Embedded(None, 0, len(form), answer)
            break
        leading.append((answer, len(part)))
    mean = _mean(leading)
    if isinstance(mean, str):
        return Embedded(None, 0, len(form), mean)
    return Embedded(mean, sum(weight for _, weight in leading), len(form))


def _mean(weighted: Sequence[tuple[Vector, int]]) -> _Answer:
    first, _ = weighted[0]
    if len(weighted) == 1:
        return first
    columns = zip(*([weight * number for number in vector] for vector, weight in weighted), strict=True)
    return _unit([math.fsum(column) for column in columns], len(first))


def _ask(embedder: Embedder, wanted: Sequence[str], kind: TextKind) -> Iterator[_Answer]:
    for start in range(0, len(wanted), _PER_CALL):
        batch = wanted[start : start + _PER_CALL]
        try:
            yield from _call(embedder, batch, kind)
        except EmbeddingError:
            raise
        except Exception as error:
            if len(wanted) == 1:
                raise _away(embedder, error) from error
            yield from _one_by_one(embedder, batch, kind)


def _one_by_one(embedder: Embedder, batch: Sequence[str], kind: TextKind) -> Iterator[_Answer]:
    """Find the texts at fault; when failures outnumber successes by two, it is the embedder."""
    lead = 0
    for text in batch:
        try:
            yield from _call(embedder, [text], kind)
            lead -= 1
        except EmbeddingError:
            raise
        except Exception as error:
            lead += 1
            if lead == 2:
                raise _away(embedder, error) from error
            yield f"the embedder refused the text: {_said(error)}"


def _call(embedder: Embedder, texts: Sequence[str], kind: TextKind) -> list[_Answer]:
    vectors = list(embedder.embed(texts, kind))
    if len(vectors) != len(texts):
        raise ValueError(f"it returned {len(vectors)} vectors for {len(texts)} texts")
    return [_unit(vector, embedder.dimensions) for vector in vectors]


def _unit(vector: Sequence[float], dimensions: int) -> _Answer:
    """The vector scaled to length 1, which any index takes and which keeps its cosines."""
    try:
        numbers = list(map(float, vector))
    except (TypeError, ValueError, OverflowError):
        return "the embedder returned something that is not a vector of numbers"
    if len(numbers) != dimensions:
        return f"the embedder returned {len(numbers)} numbers instead of {dimensions}"
    norm = math.hypot(*numbers)
    if not math.isfinite(norm):
        return "the embedder returned a vector that is not finite"
    if norm < _ZERO:
        return "the embedder returned a zero vector"
    return tuple([number / norm for number in numbers])


def _away(embedder: Embedder, error: Exception) -> EmbeddingError:
    said = _said(error)
    return EmbeddingError(f"embedding model '{embedder.name}' gave no vectors ({said}); check that it runs")


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:300] if str(error) else type(error).__name__
