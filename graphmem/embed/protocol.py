"""What an embedder is: any object with a name, a number of dimensions and one method."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol, TypeAlias, runtime_checkable

from graphmem.errors import ConfigurationError

TextKind: TypeAlias = Literal["query", "document"]
Vectors: TypeAlias = Sequence[Sequence[float]]

_LARGEST_INDEX = 4096
_USUAL_TOKENS = 512
_FEWEST_TOKENS = 8


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into vectors whose cosine says how near two texts are.

    Two optional attributes are read as well: ``threshold``, the cosine in [0, 1] from which two texts count
    as related (the default θ; without one, decisions are at most `verify` until calibrated), and
    ``max_tokens``, the longest text that it accepts (512 if not given).
    """

    @property
    def name(self) -> str:
        """The model; vectors of two names are never compared."""
        ...

    @property
    def dimensions(self) -> int:
        """How many numbers a vector has, known before anything is embedded."""
        ...

    def embed(self, texts: Sequence[str], kind: TextKind) -> Vectors:
        """One vector for each text, in order; no text is blank, each fits `max_tokens` by a careful estimate.

        It may be called from several threads. EmbeddingError means that the model is away for all texts; any
        other exception may be the fault of one of them.
        """
        ...


def default_threshold(embedder: Embedder) -> float | None:
    """The embedder's own θ, or None. Raises ConfigurationError when it is no number in [0, 1]."""
    threshold = getattr(embedder, "threshold", None)
    if threshold is None:
        return None
    if isinstance(threshold, bool) or not isinstance(threshold, int | float) or not 0 <= threshold <= 1:
        raise ConfigurationError(
            f"threshold of embedder '{embedder.name}' is {threshold!r}; give a number in [0, 1], or None"
        )
    return float(threshold)


def token_limit(embedder: Embedder) -> int:
    """The most tokens it accepts in one text. Raises ConfigurationError when that is no usable number."""
    limit = getattr(embedder, "max_tokens", _USUAL_TOKENS)
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < _FEWEST_TOKENS:
        raise ConfigurationError(
            f"max_tokens of embedder '{embedder.name}' is {limit!r}; give a number from {_FEWEST_TOKENS} up"
        )
    return limit


def check_embedder(embedder: object) -> Embedder:
    """The same object, known to be an embedder whose vectors an index can hold.

    Raises ConfigurationError that names what is missing or unusable.
    """
    kind = type(embedder).__name__
    if not isinstance(embedder, Embedder):
        missing = [part for part in ("name", "dimensions", "embed") if not hasattr(embedder, part)]
        raise ConfigurationError(f"{kind} is no embedder: give it {' and '.join(missing)}")
    name: object = embedder.name
    if not isinstance(name, str) or not name.strip():
        raise ConfigurationError(f"{kind}.name is {name!r}; give the model's name")
    size: object = embedder.dimensions
    if isinstance(size, bool) or not isinstance(size, int) or not 1 <= size <= _LARGEST_INDEX:
        raise ConfigurationError(
            f"dimensions of embedder '{name}' is {size!r}; a vector index takes 1 to {_LARGEST_INDEX}"
        )
    default_threshold(embedder)
    token_limit(embedder)
    return embedder
