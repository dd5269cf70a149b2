"""What was stored while the model was away is embedded later, and then found by meaning."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from graphmem import Decision, Episode, Memory
from graphmem.embed import Embedder
from graphmem.errors import EmbeddingError
from tests.embedders import AwayEmbedder

AWAY = AwayEmbedder(name="bge-small-en-v1.5")


def test_memories_stored_unembedded_are_embedded_later(connect: Callable[..., Memory], embedder: Embedder) -> None:
    away = connect(embedder=AWAY)
    told = away.record(Episode(id="e1", task="Descale the espresso machine", outcome="success"))
    assert told.stored
    assert "without a vector" in told.problem
    found = away.recall("espresso")
    assert (found.decision, found.lexical_only) == (Decision.VERIFY, True)

    back = connect()
    assert back.recall("remove limescale from the coffee maker").decision is Decision.NOVEL
    counts: list[int] = []
    done = back.reembed(progress=counts.append)
    assert (done.embedded, done.left, counts) == (1, 0, [1])
    assert [hit.id for hit in back.recall("remove limescale from the coffee maker").hits] == ["e1"]
    assert back.get("e1").embedding_model == embedder.name
    assert back.reembed().embedded == 0


def test_reembedding_says_that_the_model_is_away(connect: Callable[..., Memory]) -> None:
    away = connect(embedder=AWAY)
    away.record(Episode(id="e1", task="Descale the espresso machine", outcome="success"))
    with pytest.raises(EmbeddingError):
        away.reembed()


def test_other_tenants_are_left_alone(
    connect: Callable[..., Memory], cypher: Callable[..., list[dict[str, Any]]]
) -> None:
    other = connect(tenant="other-of-reembed", embedder=AWAY)
    other.record(Episode(task="Calibrate the torque wrench", outcome="success"))
    connect().reembed()
    left = cypher("MATCH (m:Memory {tenant: 'other-of-reembed'}) RETURN m.embedding IS NULL AS bare, m.scope AS scope")
    cypher("MATCH (m:Memory {tenant: 'other-of-reembed'}) DETACH DELETE m")
    assert [row["bare"] for row in left] == [True]
