from __future__ import annotations

import math
import subprocess
import sys
import threading
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from graphmem.embed import Embedded, embed_texts
from graphmem.embed.local import LocalEmbedder
from graphmem.errors import ArtifactError, EmbeddingError

COFFEE = [
    "Descale the espresso machine. The coffee machine showed its descale light; citric acid, two rinses.",
    "Fix a leaking coffee machine. The gasket of the group head was worn; a new one stopped the leak.",
    "The coffee machine does not heat. Reset the thermal fuse, then replaced the heating element.",
]


def cosine(a: Embedded, b: Embedded) -> float:
    assert a.vector is not None
    assert b.vector is not None
    return math.fsum(x * y for x, y in zip(a.vector, b.vector, strict=True))


def nearest(local: LocalEmbedder, query: str, documents: list[str]) -> tuple[int, float]:
    asked = embed_texts(local, [query], "query")[0]
    scores = [cosine(asked, document) for document in embed_texts(local, documents, "document")]
    return max(enumerate(scores), key=lambda item: item[1])


def test_name_and_size_are_known_before_anything_is_loaded() -> None:
    code = (
        "import sys; from graphmem.embed import make_embedder; from graphmem.settings import load_settings\n"
        "e = make_embedder(load_settings()); assert (e.name, e.dimensions) == ('bge-small-en-v1.5', 384)\n"
        "heavy = {'numpy', 'onnxruntime', 'tokenizers', 'requests', 'neo4j', 'openai'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("descale the coffee machine", 0),
        ("how do I remove limescale from my espresso machine", 0),
        ("water drips out of the coffee machine", 1),
        ("coffee machine stays cold", 2),
    ],
)
def test_a_related_query_is_a_hit_and_finds_the_right_text(local: LocalEmbedder, query: str, best: int) -> None:
    position, score = nearest(local, query, COFFEE)
    assert position == best
    assert score >= local.threshold


@pytest.mark.parametrize(
    "query",
    [
        "harbour blimp ordinance of 1911",
        "gravitational lensing",
        "repair a bicycle chain",
        "migrate the billing service to a new database",
        "translate a letter into Portuguese",
    ],
)
def test_an_unrelated_query_is_below_the_threshold(local: LocalEmbedder, query: str) -> None:
    assert nearest(local, query, COFFEE)[1] < local.threshold


def test_a_text_has_the_same_vector_in_any_company(local: LocalEmbedder) -> None:
    texts = [*COFFEE, "short", "a much longer text " * 60, "😀🔥 ok", "1911", "東京"]
    alone = [embed_texts(local, [text], "document")[0] for text in texts]
    assert embed_texts(local, texts, "document") == alone
    assert embed_texts(local, texts[::-1], "query") == alone[::-1]


def test_the_number_of_threads_and_a_second_load_change_nothing(local: LocalEmbedder) -> None:
    texts = [*COFFEE, "descale"]
    expected = local.embed(texts)
    assert LocalEmbedder(local._locate, threads=1).embed(texts) == expected
    assert LocalEmbedder(local._locate, threads=4).embed(texts) == expected


def test_eight_threads_load_once_and_get_the_same_vectors(local: LocalEmbedder) -> None:
    located: list[int] = []

    def locate() -> Path:
        located.append(threading.get_ident())
        return local._locate()

    fresh = LocalEmbedder(locate, threads=2)
    start = threading.Barrier(8)

    def work(_: int) -> list[list[float]]:
        start.wait()
        return fresh.embed(COFFEE)

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(work, range(8)))
    assert len(located) == 1
    assert all(result == local.embed(COFFEE) for result in results)


@pytest.mark.parametrize(
    "text",
    [
        "The brake of the harbour crane was wet, so the load slipped. " * 2000,
        "昨日の会議は大阪で行いました。" * 600,
        "Zm9vYmFyQmF6UXV4MTIz/+Kd9aQpX" * 3000,
    ],
    ids=["120 kB English", "9,000 Japanese characters", "base64"],
)
def test_over_long_text_is_embedded_in_part_and_marked(local: LocalEmbedder, text: str) -> None:
    (embedded,) = embed_texts(local, [text], "document")
    assert embedded.vector is not None
    assert not embedded.whole
    assert 500 < embedded.covered < embedded.length
    assert math.hypot(*embedded.vector) == pytest.approx(1.0)


def test_a_long_text_is_found_by_what_its_beginning_is_about(local: LocalEmbedder) -> None:
    long = "Descale the coffee machine with citric acid, then rinse it twice. " * 300
    position, score = nearest(local, "descale the coffee machine", ["A walk in the mountains.", long])
    assert position == 1
    assert score >= local.threshold


@pytest.mark.parametrize(
    "text", ["😀", "👩‍👩‍👧‍👦🔥", "١٢٣", "\x00\x07 bell", "é", "?!", "a" * 300, "ﷺ", "\U0001f9ff" * 600]
)
def test_unusual_text_has_a_usable_vector(local: LocalEmbedder, text: str) -> None:
    (embedded,) = embed_texts(local, [text], "query")
    assert embedded.vector is not None
    assert len(embedded.vector) == local.dimensions
    assert math.hypot(*embedded.vector) == pytest.approx(1.0)


def test_blank_and_invisible_text_has_none(local: LocalEmbedder) -> None:
    assert [e.vector for e in embed_texts(local, ["", "\u200b", "\u200d\ufeff \n"], "document")] == [None] * 3


def test_a_text_that_is_no_unicode_leaves_the_others_alone(local: LocalEmbedder) -> None:
    good, bad, fine = embed_texts(local, ["good", "lone \ud800 surrogate", "fine"], "document")
    assert good.whole
    assert fine.whole
    assert bad.vector is None
    assert "refused" in str(bad.problem)


def test_a_failed_download_is_an_embedding_error_and_not_tried_at_every_call() -> None:
    tried: list[int] = []

    def locate() -> Path:
        tried.append(1)
        raise ArtifactError("model.jar could not be downloaded")

    patient = LocalEmbedder(locate)
    for _ in range(3):
        with pytest.raises(EmbeddingError, match=r"cannot be fetched: model\.jar could not be downloaded") as caught:
            embed_texts(patient, ["one", "two"], "document")
        assert isinstance(caught.value.__cause__, ArtifactError)
    assert len(tried) == 1


def test_a_model_that_came_back_is_used_after_the_pause(local: LocalEmbedder) -> None:
    away = [ArtifactError("no network")]

    def locate() -> Path:
        if away:
            raise away.pop()
        return local._locate()

    back = LocalEmbedder(locate, pause=0.0)
    with pytest.raises(EmbeddingError):
        back.embed(["descale"])
    assert back.embed(["descale"]) == local.embed(["descale"])


@pytest.mark.parametrize("damage", ["missing", "no zip", "empty zip", "no network"])
def test_a_file_that_is_not_the_model_is_named(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "model.jar"
    if damage == "no zip":
        path.write_bytes(b"<html>")
    elif damage != "missing":
        with zipfile.ZipFile(path, "w") as jar:
            if damage == "no network":
                jar.writestr("bge-small-en-v1.5-q.onnx", b"noise")
                jar.writestr("bge-small-en-v1.5-q-tokenizer.json", b"{}")
    with pytest.raises(EmbeddingError, match=r"cannot be loaded from .*model\.jar") as caught:
        LocalEmbedder(lambda: path).embed(["text"])
    assert caught.value.__cause__ is not None


def test_without_the_extra_the_error_says_how_to_install_it(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['onnxruntime'] = None\n"
        "from graphmem.embed import embed_texts, make_embedder; from graphmem.settings import load_settings\n"
        "embed_texts(make_embedder(load_settings()), ['text'], 'query')"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert "EmbeddingError: embedding model 'bge-small-en-v1.5' needs onnxruntime" in done.stderr
    assert "pip install 'graphmem[local]'" in done.stderr
