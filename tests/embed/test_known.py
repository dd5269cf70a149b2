"""A question that is asked again is not embedded again; everything else is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import pytest

from graphmem import Memory
from graphmem.embed import Embedder, Known
from graphmem.errors import EmbeddingError
from tests.angles import Angles


class Counting(Angles):
    """Notes what it is asked; away while `away` is set."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.asked: list[str] = []
        self.away = False

    def embed(self, texts: Sequence[str], kind: Literal["query", "document"] = "document") -> list[list[float]]:
        if self.away:
            raise OSError("no model")
        self.asked += texts
        return super().embed(texts, kind)


@pytest.fixture
def model() -> Counting:
    return Counting("counting")


def test_only_what_is_new_is_asked_for_and_the_order_stays(model: Counting) -> None:
    known = Known()
    first = known.embed(model, ["pump north:1", "pump east:1"], "query")
    again = known.embed(model, ["pump up:1", "pump east:1", "pump up:1", "pump north:1"], "query")
    assert model.asked == ["pump north:1", "pump east:1", "pump up:1"]
    assert [again[1], again[3], again[0]] == [first[1], first[0], again[2]]
    assert again[0].vector != again[1].vector


def test_what_is_recorded_is_embedded_whatever_was_asked(model: Counting) -> None:
    known = Known()
    known.embed(model, ["pump north:1"], "query")
    for _ in range(2):
        known.embed(model, ["pump north:1"], "document")
    assert model.asked == ["pump north:1"] * 3


def test_what_got_no_vector_is_asked_for_again(model: Counting) -> None:
    known = Known()
    model.away = True
    with pytest.raises(EmbeddingError):
        known.embed(model, ["pump north:1"], "query")
    model.away = False
    assert known.embed(model, [" ", "pump north:1"], "query")[1].whole
    model.away = True
    assert known.embed(model, ["pump north:1"], "query")[0].whole
    assert known.embed(model, [" "], "query")[0].problem == "the text is blank"


def test_the_one_that_was_asked_longest_ago_goes_first(model: Counting) -> None:
    known = Known(most=2)
    for way in ("north", "east", "north", "up", "north", "east"):
        known.embed(model, [f"pump {way}:1"], "query")
    assert model.asked == [f"pump {way}:1" for way in ("north", "east", "up", "east")]


def test_another_model_is_asked_itself(model: Counting) -> None:
    known, other = Known(), Counting("other")
    for one in (model, other, model, other):
        known.embed(one, ["pump north:1"], "query")
    assert (model.asked, other.asked) == (["pump north:1"], ["pump north:1"])


def test_a_client_keeps_what_it_asked_and_no_other_client_does(
    connect: Callable[..., Memory], embedder: Embedder, tenant: str
) -> None:
    model = Counting(embedder.name)
    memory = connect(embedder=model)
    memory.init()
    answers = [memory.recall("pump north:1").evidence for _ in range(3)]
    assert model.asked == ["pump north:1"]
    assert answers == answers[:1] * 3
    for user in ("u1", "u2"):
        memory.scoped(tenant, user).recall("pump north:1")
    assert model.asked == ["pump north:1"] * 3
