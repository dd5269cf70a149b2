"""An embedding model behind the OpenAI protocol, wherever it runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, ValidationError

from graphmem.embed.protocol import TextKind
from graphmem.endpoints import Endpoint
from graphmem.errors import EmbeddingError
from graphmem.llm.later import CallFailed, Later, Raw

if TYPE_CHECKING:
    import openai

    from graphmem.llm.client import Client

_TEXTS = 64  # of one request
_TOKENS = 250_000  # of one request; OpenAI takes 300,000
_AT_FAULT = (400, 413, 422)  # it may be one of the texts that is refused


class _Row(BaseModel):
    index: int
    embedding: list[float]


class _Body(BaseModel):
    model_config = ConfigDict(hide_input_in_errors=True)  # it may hold the key

    data: list[_Row]


class OpenAiEmbedder:
    """One model at one endpoint, asked for at most 64 texts at once.

    `dimensions` is the size that its vectors have. Only an endpoint that sends another size is told it, once, and from
    then on always: models that can shorten their vectors do so, and others are not bothered with what they do not know.
    It has no θ of its own, so decisions are at most `verify` until calibrated, or until the settings name one.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        dimensions: int,
        max_tokens: int = 512,
        connect: Callable[[Endpoint], Client] | None = None,
    ) -> None:
        """Nothing is connected yet. `connect` makes the client, one with a clock of its own in tests."""
        self.name = f"openai:{endpoint.model}"
        self.dimensions = dimensions
        self.max_tokens = max_tokens
        self._endpoint = endpoint
        self._client = Later(endpoint, connect)
        self._told_size = False

    def embed(self, texts: Sequence[str], kind: TextKind = "document") -> list[list[float]]:
        """The vectors as the endpoint gives them; queries and documents alike.

        Raises EmbeddingError when the endpoint gives none, ValueError when it may be one of the texts that it refuses.
        """
        at_once = max(1, min(_TEXTS, _TOKENS // self.max_tokens))
        return [
            vector
            for start in range(0, len(texts), at_once)
            for vector in self._batch(list(texts[start : start + at_once]))
        ]

    def _batch(self, texts: list[str]) -> list[list[float]]:
        told = self._told_size
        vectors = self._ask(texts, told)
        if not told and any(len(vector) != self.dimensions for vector in vectors):
            vectors = self._ask(texts, True)
            self._told_size = True
        sizes = {len(vector) for vector in vectors} - {self.dimensions}
        if sizes:
            raise EmbeddingError(
                f"embedding model '{self.name}' at {self._endpoint.base_url} gives vectors of {min(sizes)} numbers, "
                f"and GRAPHMEM_EMBEDDING__DIMENSIONS is {self.dimensions}; set it to what the model gives"
            )
        return vectors

    def _ask(self, texts: list[str], tell_size: bool) -> list[list[float]]:
        more: dict[str, Any] = {"dimensions": self.dimensions} if tell_size else {}

        def request(sdk: openai.OpenAI) -> Raw:
            ask = sdk.embeddings.with_raw_response.create
            return ask(model=self._endpoint.model, input=texts, encoding_format="float", **more)

        try:
            body = self._client.json(request)
        except CallFailed as error:
            said = f"embedding model '{self.name}' gave no vectors: {error}"
            if error.status in _AT_FAULT:
                raise ValueError(said) from error
            raise EmbeddingError(said) from error
        return self._read(body, len(texts))

    def _read(self, body: object, wanted: int) -> list[list[float]]:
        try:
            rows = sorted(_Body.model_validate(body).data, key=lambda row: row.index)
        except ValidationError as error:
            raise EmbeddingError(
                f"embedding model '{self.name}' at {self._endpoint.base_url} answered no vectors: "
                f"{self._client.quoted(body)}"
            ) from error
        if [row.index for row in rows] != list(range(wanted)):
            raise EmbeddingError(
                f"embedding model '{self.name}' at {self._endpoint.base_url} answered {len(rows)} vectors, "
                f"not one for each of {wanted} texts"
            )
        return [row.embedding for row in rows]
