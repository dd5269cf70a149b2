"""A recall with its embedding by the offline model, beside one whose vector is a look-up."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

from graphmem.bench.load import Loaded, Say
from graphmem.bench.recalls import request
from graphmem.bench.result import Result
from graphmem.bench.timing import interleaved, median, ratio
from graphmem.embed import Embedder, make_embedder
from graphmem.recall import Request


class Embedding:
    """An embedder that asks a model, and answers with the known vector: the cost of the one, the finds of the other."""

    def __init__(self, model: Embedder, table: Embedder) -> None:
        self.model = model
        self.table = table
        self.name = table.name
        self.dimensions = table.dimensions
        self.threshold = 0.65

    def embed(self, texts: Any, kind: Literal["query", "document"] = "document") -> Any:
        """The table's vectors, after the model has made its own."""
        self.model.embed(texts, kind)
        return self.table.embed(texts, kind)


def embedded(loaded: Loaded, rounds: int, result: Result, say: Say) -> None:
    """How much longer a recall takes when its question is embedded by the offline model."""
    model = make_embedder(loaded.settings)
    if model is None:
        return
    say("recalls with the embedding model")
    asked = [request(one) for one in loaded.questions["small"]]
    tenant = loaded.data.tenant("small")
    with (
        loaded.memory("small") as bare,
        loaded.client(tenant, settings=loaded.settings, embedder=Embedding(model, loaded.embedder)) as whole,
    ):
        taken = interleaved(
            {"without": partial(_one, bare, asked), "with": partial(_one, whole, asked)}, rounds, rounds // 4
        )
    result.ratios["recall_embedded_to_not"] = ratio(taken["with"], taken["without"])
    result.figures["recall with embedding p50 ms"] = 1000 * median(taken["with"]).value


def _one(memory: Any, asked: list[Request], number: int) -> None:
    memory.recall_many([asked[number % len(asked)]])
