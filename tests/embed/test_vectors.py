from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.embed import Embedded, embed_texts
from graphmem.errors import EmbeddingError
from graphmem.text import normalise
from tests.embedders import AwayEmbedder, ConstantEmbedder, HashEmbedder, StrictEmbedder, TableEmbedder

SENTENCE = "The harbour crane stopped because its brake sensor was wet. "


def vector_of(embedded: Embedded) -> tuple[float, ...]:
    assert embedded.vector is not None, embedded.problem
    return embedded.vector


@pytest.mark.parametrize("blank", ["", " ", "  \n\t", "\u200b", "\u200b \ufeff\u2060", "\u00a0\u3000", "\u00ad"])
def test_blank_text_never_reaches_the_embedder(blank: str) -> None:
    embedder = StrictEmbedder()
    first, empty, second = embed_texts(embedder, ["first ok", blank, "second ok"], "document")
    assert embedder.calls == [("first ok", "second ok")]
    assert empty == Embedded(None, 0, 0, "the text is blank")
    assert not empty.whole
    assert first.whole
    assert second.whole


def test_nothing_to_embed_is_no_call() -> None:
    away = AwayEmbedder()
    assert embed_texts(away, [], "query") == []
    assert [e.vector for e in embed_texts(away, ["", " "], "query")] == [None, None]
    assert away.calls == []


def test_texts_that_are_equal_once_normalised_are_embedded_once() -> None:
    embedder = StrictEmbedder()
    results = embed_texts(embedder, ["ﬁx  the\tpump", "fix the pump", "other", "fix the pump"], "document")
    assert embedder.calls == [("fix the pump", "other")]
    assert results[0] == results[1] == results[3] != results[2]
    assert results[0].covered == results[0].length == len("fix the pump")


@given(st.lists(st.text(max_size=30), max_size=8))
def test_order_is_kept_and_each_text_has_the_vector_it_has_alone(texts: list[str]) -> None:
    embedder = HashEmbedder(32)
    together = embed_texts(embedder, texts, "document")
    assert together == [embed_texts(embedder, [text], "document")[0] for text in texts]
    assert all((e.vector is None) == (normalise(text) == "") for e, text in zip(together, texts, strict=True))


@pytest.mark.parametrize(
    ("vector", "reason"),
    [
        ([0.0, 0.0, 0.0], "zero vector"),
        ([1e-200, 0.0, 0.0], "zero vector"),
        ([math.nan, 1.0, 0.0], "not finite"),
        ([1.0, math.inf, 0.0], "not finite"),
        ([1.7e308, 1.7e308, 1.7e308], "not finite"),
        ([1.0, 0.0], "2 numbers instead of 3"),
        ([], "0 numbers instead of 3"),
        (["a", "b", "c"], "not a vector of numbers"),
        (None, "not a vector of numbers"),
        ([10**400, 1, 1], "not a vector of numbers"),
    ],
)
def test_an_unusable_vector_is_never_returned(vector: list[float], reason: str) -> None:
    (embedded,) = embed_texts(ConstantEmbedder(vector, dimensions=3), ["text"], "document")
    assert (embedded.vector, embedded.covered, embedded.length) == (None, 0, 4)
    assert embedded.problem is not None
    assert reason in embedded.problem


def test_a_bad_vector_leaves_its_neighbours_alone() -> None:
    table = TableEmbedder({"good": [3.0, 4.0], "bad": [0.0, 0.0], "fine": [0.0, -2.0]})
    good, bad, fine = embed_texts(table, ["good", "bad", "fine"], "document")
    assert good.vector == (0.6, 0.8)
    assert bad.vector is None
    assert fine.vector == (0.0, -1.0)


def test_an_embedder_that_is_away_is_an_error_with_its_cause_after_few_calls() -> None:
    away = AwayEmbedder()
    with pytest.raises(
        EmbeddingError, match=r"'away' gave no vectors \(ConnectionError: connection refused\)"
    ) as caught:
        embed_texts(away, [f"text {i}" for i in range(200)], "document")
    assert caught.value.__cause__ is away.error
    assert [len(call) for call in away.calls] == [64, 1, 1]


def test_an_embedder_that_says_it_is_away_is_believed_at_once() -> None:
    away = AwayEmbedder(EmbeddingError("model 'm' is not installed"))
    with pytest.raises(EmbeddingError, match="is not installed"):
        embed_texts(away, ["one", "two"], "document")
    assert len(away.calls) == 1


def test_a_lone_refused_text_is_an_error_after_one_call() -> None:
    away = AwayEmbedder()
    with pytest.raises(EmbeddingError):
        embed_texts(away, ["one"], "query")
    assert len(away.calls) == 1


@pytest.mark.parametrize("position", [0, 5, 63, 64, 99])
@pytest.mark.parametrize("count", [65, 100])
def test_one_refused_text_takes_no_other_down(position: int, count: int) -> None:
    texts = [f"text {i}" for i in range(count)]
    position = min(position, count - 1)
    texts[position] = "POISON"
    results = embed_texts(StrictEmbedder(poison="POISON"), texts, "document")
    assert [i for i, e in enumerate(results) if e.vector is None] == [position]
    assert results[position].problem == "the embedder refused the text: ValueError: 400: input refused"


def test_several_refused_texts_take_no_other_down() -> None:
    texts = [f"POISON {i}" if i in (2, 4, 5, 9) else f"text {i}" for i in range(12)]
    results = embed_texts(StrictEmbedder(poison="POISON"), texts, "document")
    assert [i for i, e in enumerate(results) if e.vector is None] == [2, 4, 5, 9]


def test_an_embedder_that_returns_too_few_vectors_is_not_believed() -> None:
    class Short(HashEmbedder):
        def embed(self, texts: object, kind: object = "document") -> list[list[float]]:
            return []

    with pytest.raises(EmbeddingError, match="0 vectors for 1 texts"):
        embed_texts(Short(), ["one", "two", "three"], "document")


@pytest.mark.parametrize("limit", [512, 8000])
@pytest.mark.parametrize(
    "text",
    [SENTENCE * 2000, "昨日の会議は大阪で行いました。" * 600, "x" * 120_000],
    ids=["English", "Japanese", "one word"],
)
def test_over_long_text_never_meets_the_endpoint_whole_and_is_marked(text: str, limit: int) -> None:
    embedder = StrictEmbedder(max_tokens=limit)
    long, short = embed_texts(embedder, [text, "short"], "document")
    assert len(embedder.calls) == 1, "no call was refused"
    assert len(embedder.calls[0]) <= 5
    assert 0 < long.covered <= long.length == len(normalise(text))
    assert long.whole == ("".join(embedder.calls[0][:-1]) == normalise(text))
    assert math.hypot(*vector_of(long)) == pytest.approx(1.0)
    assert short.whole


def test_an_embedder_that_names_no_limit_gets_texts_of_512_tokens_at_most() -> None:
    seen: list[str] = []

    class Unlimited:
        name, dimensions = "unlimited", 384

        def embed(self, texts: Sequence[str], kind: str) -> list[list[float]]:
            seen.extend(texts)
            return HashEmbedder().embed(texts)

    (embedded,) = embed_texts(Unlimited(), [SENTENCE * 2000], "document")
    assert not embedded.whole
    assert all(len(piece) / 4 < 512 for piece in seen)


def test_the_vector_of_a_long_text_is_the_weighted_mean_of_its_windows() -> None:
    embedder = StrictEmbedder(dimensions=16, max_tokens=30)
    (embedded,) = embed_texts(
        embedder, ["one two three four five six seven eight nine ten eleven twelve thirteen " * 2], "query"
    )
    pieces = embedder.calls[0]
    assert len(pieces) > 1
    total = [0.0] * 16
    for piece, vector in zip(pieces, HashEmbedder(16).embed(pieces), strict=True):
        total = [sum_ + len(piece) * x for sum_, x in zip(total, vector, strict=True)]
    norm = math.hypot(*total)
    assert vector_of(embedded) == pytest.approx(tuple(x / norm for x in total))


def test_a_refused_window_ends_what_is_covered() -> None:
    text = SENTENCE * 30 + "POISON " + SENTENCE * 60
    embedder = StrictEmbedder(max_tokens=512, poison="POISON")
    embedded, other = embed_texts(embedder, [text, "other"], "document")
    assert embedded.vector is not None
    assert 0 < embedded.covered <= text.index("POISON")
    assert other.whole


def test_windows_that_cancel_out_are_no_vector() -> None:
    class Opposed:
        name, dimensions, max_tokens = "opposed", 2, 8

        def embed(self, texts: Sequence[str], kind: str) -> list[list[float]]:
            return [[1.0, 0.0] if "a" in text else [-1.0, 0.0] for text in texts]

    (embedded,) = embed_texts(Opposed(), ["a" * 16 + " " + "b" * 17], "document")
    assert embedded.vector is None
    assert embedded.problem == "the embedder returned a zero vector"
