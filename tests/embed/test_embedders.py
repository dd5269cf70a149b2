"""What other tests take for granted of the embedder that stands in for a model."""

from __future__ import annotations

import math

import pytest

from tests.embedders import HashEmbedder

STORED = [
    "Descale the coffee machine with citric acid, then rinse twice",
    "Fix a leaking coffee machine: new gasket",
    "明日の会議は大阪で行います",
]


def scores(query: str) -> list[float]:
    asked, *stored = HashEmbedder().embed([query, *STORED])
    return [math.fsum(x * y for x, y in zip(asked, vector, strict=True)) for vector in stored]


@pytest.mark.parametrize(
    ("query", "best"),
    [("descaling a coffee machine", 0), ("the coffee machine leaks", 1), ("大阪で行います", 2)],
)
def test_shared_words_are_near(query: str, best: int) -> None:
    found = scores(query)
    assert max(range(3), key=found.__getitem__) == best
    assert found[best] >= (HashEmbedder().threshold or 1)


@pytest.mark.parametrize("query", ["harbour blimp ordinance of 1911", "gravitational lensing", "日本の天気", "?!"])
def test_others_are_far(query: str) -> None:
    assert max(scores(query)) < (HashEmbedder().threshold or 0)


@pytest.mark.parametrize("size", [2, 8, 384, 1536])
def test_vectors_have_the_size_asked_for_and_length_one(size: int) -> None:
    for vector in HashEmbedder(size).embed(["a pump", "the", "?"]):
        assert len(vector) == size
        assert math.hypot(*vector) == pytest.approx(1.0)
