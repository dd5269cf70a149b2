"""An embedding model at an endpoint."""

from __future__ import annotations

from typing import Any

import pytest

from graphmem.embed import check_embedder, embed_texts
from graphmem.embed.openai import OpenAiEmbedder
from graphmem.errors import EmbeddingError
from tests.embedders import HashEmbedder
from tests.endpoint import Answer, Asked, Endpoint, failing, vectors
from tests.llm.patience import Patience, at


def rows(*numbers: Any) -> Answer:
    return Answer(body={"data": [{"index": place, "embedding": row} for place, row in enumerate(numbers)]})


def test_vectors_come_in_the_order_of_their_texts(endpoint: Endpoint) -> None:
    texts = [f"text number {number}" for number in range(130)]
    embedder = check_embedder(Patience().embedder(endpoint.address))
    found = embed_texts(embedder, texts, "document")
    assert [vector.vector for vector in found] == [
        pytest.approx(vector) for vector in HashEmbedder().embed(texts, "document")
    ]
    assert [len(asked.body["input"]) for asked in endpoint.asked] == [64, 64, 2]
    assert {asked.body["model"] for asked in endpoint.asked} == {"m"}


def test_it_is_named_by_the_protocol_and_the_model() -> None:
    embedder = OpenAiEmbedder(at("http://h", model="nomic"), 768, max_tokens=8191)
    assert (embedder.name, embedder.dimensions, embedder.max_tokens) == ("openai:nomic", 768, 8191)


def test_long_texts_make_small_requests(endpoint: Endpoint) -> None:
    embedder = OpenAiEmbedder(at(endpoint.address), 384, max_tokens=25_000)
    assert len(embedder.embed(["word"] * 21)) == 21
    assert [len(asked.body["input"]) for asked in endpoint.asked] == [10, 10, 1]


def test_a_size_is_told_to_those_alone_who_send_another(endpoint: Endpoint) -> None:
    embedder = Patience().embedder(endpoint.address, dimensions=64)
    assert [len(vector) for vector in embedder.embed(["a", "b"])] == [64, 64]
    embedder.embed(["c"])
    assert [asked.body.get("dimensions") for asked in endpoint.asked] == [None, 64, 64]
    plain = Patience().embedder(endpoint.address)
    plain.embed(["a"])
    assert "dimensions" not in endpoint.asked[-1].body


def test_another_size_is_refused(endpoint: Endpoint) -> None:
    endpoint.play([rows([1.0, 0.0])], everywhere=True)
    embedder = Patience().embedder(endpoint.address, dimensions=3)
    with pytest.raises(EmbeddingError, match="vectors of 2 numbers, and GRAPHMEM_EMBEDDING__DIMENSIONS is 3"):
        embedder.embed(["a"])


@pytest.mark.parametrize(
    "answer",
    [rows(), rows([1.0], [1.0]), rows(["x"]), rows(None), Answer(body={"data": [{"index": 7, "embedding": [1.0]}]})],
)
def test_anything_but_one_vector_for_each_text_is_refused(endpoint: Endpoint, answer: Answer) -> None:
    endpoint.play([answer], everywhere=True)
    with pytest.raises(EmbeddingError, match="answered"):
        Patience().embedder(endpoint.address, dimensions=1).embed(["a"])


@pytest.mark.parametrize("status", [400, 413, 422])
def test_one_refused_text_takes_no_other_down(endpoint: Endpoint, status: int) -> None:
    def play(asked: Asked) -> Answer:
        return failing(status, "too rude") if "bad" in asked.body["input"] else vectors(asked)

    endpoint.play(play, everywhere=True)
    found = embed_texts(Patience().embedder(endpoint.address), ["good", "bad", "fine"], "document")
    assert [one.vector is not None for one in found] == [True, False, True]
    assert "too rude" in (found[1].problem or "")


def test_an_endpoint_that_is_away_is_away_for_all(endpoint: Endpoint) -> None:
    endpoint.play([failing(401, "no such key")], everywhere=True)
    with pytest.raises(EmbeddingError, match="HTTP 401: no such key"):
        embed_texts(Patience().embedder(endpoint.address), ["a", "b", "c"], "query")
    assert len(endpoint.asked) == 1
