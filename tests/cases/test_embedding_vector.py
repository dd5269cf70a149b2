"""One size, no blank text, no text too long: what reaches the model, and what a database was made for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from graphmem import Decision, Episode, Memory
from graphmem.errors import InvalidInput, SchemaMismatch
from tests.embedders import ConstantEmbedder, HashEmbedder, StrictEmbedder

NAME = "bge-small-en-v1.5"
Cypher = Callable[..., list[dict[str, Any]]]


@pytest.mark.usefixtures("bare")
def test_an_index_of_another_size_is_refused_before_anything_is_written(
    connect: Callable[..., Memory], cypher: Cypher
) -> None:
    cypher(
        "CREATE VECTOR INDEX memory_vector FOR (m:Memory) ON m.embedding "
        "OPTIONS {indexConfig: {`vector.dimensions`: 1536, `vector.similarity_function`: 'cosine'}}"
    )
    for act in (Memory.init, lambda client: client.record(Episode(task="x", outcome="success"))):
        with pytest.raises(SchemaMismatch, match=r"memory_vector .*1536.*384"):
            act(connect())
    assert cypher("MATCH (n) RETURN n") == []
    assert [row["name"] for row in cypher("SHOW CONSTRAINTS YIELD name")] == []


def test_the_size_of_the_embedder_is_the_size_of_the_index(memory: Memory, cypher: Cypher) -> None:
    memory.record(Episode(task="Descale the espresso machine", outcome="success"))
    (index,) = cypher("SHOW VECTOR INDEXES YIELD name, options WHERE name = 'memory_vector' RETURN options")
    assert index["options"]["indexConfig"]["vector.dimensions"] == 384


@pytest.mark.parametrize("other", [HashEmbedder(name="other"), HashEmbedder(name=NAME, dimensions=128)])
def test_another_model_or_size_is_refused(connect: Callable[..., Memory], memory: Memory, other: HashEmbedder) -> None:
    memory.init()
    with pytest.raises(SchemaMismatch):
        connect(embedder=other).record(Episode(task="x", outcome="success"))
    assert memory.list() == ()


def test_texts_too_long_for_the_model_are_stored_whole_and_found(connect: Callable[..., Memory]) -> None:
    model = StrictEmbedder(name=NAME, max_tokens=8000, refused_above=8000)
    memory = connect(embedder=model)
    english = "Compaction of the ledger stalled. " + "The nightly run went on and on without an end. " * 2500
    japanese = "大阪の会議について。" + "明日も会議があります。" * 820
    answers = memory.record_many(
        [Episode(id="en", task=english, outcome="success"), Episode(id="ja", task=japanese, outcome="success")]
    )
    assert all(answer.stored for answer in answers)
    assert memory.get("en").memory == Episode(id="en", task=english, outcome="success")
    assert memory.get("ja").memory == Episode(id="ja", task=japanese, outcome="success")
    assert memory.get("en").embedded.startswith("leading ")
    for query, found in (("compaction", "en"), ("大阪", "ja")):
        by_words = [one.id for one in memory.recall(query).candidates if one.components.lexical > 0]
        assert by_words == [found]


@pytest.mark.parametrize("blank", ["", "  \n\t", "\u200b"])
def test_blank_text_is_refused_naming_the_field_and_the_place(connect: Callable[..., Memory], blank: str) -> None:
    with pytest.raises(InvalidInput, match=r"Episode\.task: must not be blank"):
        Episode(task=blank)
    model = StrictEmbedder(name=NAME)
    memory = connect(embedder=model)
    first, fault, second = memory.record_many(
        [{"id": "1", "task": "first ok"}, {"task": blank}, {"id": "2", "task": "second ok"}]
    )
    assert (first.stored, fault.stored, second.stored) == (True, False, True)
    assert fault.problem == "item 1: Episode.task: must not be blank"
    assert {stored.id for stored in memory.list()} == {"1", "2"}
    assert all(text.strip() for call in model.calls for text in call)


@pytest.mark.parametrize("vector", [[0.0] * 384, [float("nan")] * 384, [float("inf")] * 384, [1.0] * 3])
def test_an_unusable_vector_is_never_stored(
    connect: Callable[..., Memory], cypher: Cypher, tenant: str, vector: list[float]
) -> None:
    memory = connect(embedder=ConstantEmbedder(vector, name=NAME))
    told = memory.record(Episode(task="Descale the espresso machine", outcome="success"))
    assert told.stored
    assert "without a vector" in told.problem
    assert cypher("MATCH (m:Memory {tenant: $t}) RETURN m.embedding AS e", t=tenant) == [{"e": None}]
    assert memory.recall("espresso").decision is Decision.VERIFY
