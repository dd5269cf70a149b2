"""A database moves to another embedding model: killed and resumed, never with mixed vectors, by words meanwhile."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from graphmem import Decision, Episode, Memory, Reflection, Settings
from graphmem.errors import EmbeddingError, SchemaMismatch
from graphmem.settings import Connection
from tests.embedders import AwayEmbedder, HashEmbedder

OLD, NEW = HashEmbedder(name="old", dimensions=384), HashEmbedder(name="new", dimensions=256)
SAME = HashEmbedder(name="same size", dimensions=384)
WORK = """
import json, sys, time
from graphmem import Memory
from tests.embedders import HashEmbedder

def told(count):
    print(count, flush=True)
    time.sleep(0.05)

with Memory("acme", embedder=HashEmbedder(name="new", dimensions=256)) as memory:
    print(memory.reembed(progress=told).model_dump_json(), flush=True)
"""

Cypher = Callable[..., list[dict[str, Any]]]
Connect = Callable[..., Memory]


def _models(cypher: Cypher) -> dict[tuple[str | None, int], int]:
    """How many memories have vectors of which model and size."""
    rows = cypher(
        "MATCH (m:Memory) WHERE m.scope <> '' "
        "RETURN m.embedding_model AS model, coalesce(size(m.embedding), 0) AS size, count(*) AS n"
    )
    return {(row["model"], row["size"]): row["n"] for row in rows}


def _environment(at: Connection) -> dict[str, str]:
    assert at.password is not None
    given = {"URI": at.uri, "USER": at.user, "PASSWORD": at.password.get_secret_value()}
    return os.environ | {f"GRAPHMEM_NEO4J__{name}": value for name, value in given.items()}


@pytest.mark.parametrize("many", [600, pytest.param(5000, marks=pytest.mark.evaluation)])
def test_killed_midway_it_resumes_and_ends_without_mixed_vectors(
    many: int, bare: None, connect: Connect, cypher: Cypher, at: Connection
) -> None:
    old, elsewhere = connect(tenant="acme", embedder=OLD), connect(tenant="other", user="u", embedder=OLD)
    old.record_many(
        [Episode(id=f"e{n}", task=f"rack {n} hums in hall {n % 7}", outcome="success") for n in range(many)]
    )
    elsewhere.record(Episode(id="theirs", task="the lamp flickers", outcome="success"))
    blamed = old.recall("rack 5 hums in hall 5")
    old.feedback(blamed, outcome="fail", misled=[blamed.hits[0].id])
    with pytest.raises(SchemaMismatch, match="graphmem reembed"):
        connect(tenant="acme", embedder=NEW).list()

    command = [sys.executable, "-c", WORK]
    with subprocess.Popen(command, env=_environment(at), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert int(process.stdout.readline()) < many
        os.kill(process.pid, signal.SIGKILL)
    midway = _models(cypher)
    assert set(midway) == {("new", 256), (None, 0)}, "none of the old model is left"
    assert midway["new", 256] < many

    for client in (old, connect(tenant="acme", embedder=NEW)):
        found = client.recall("rack 5 hums in hall 5")
        assert (found.decision, found.lexical_only) == (Decision.VERIFY, True)
        assert any("being made anew" in warning for warning in found.warnings)
        assert found.hits[0].memory.task == "rack 5 hums in hall 5"
    late = old.record(Episode(id="late", task="said by who did not know", outcome="success"))
    assert late.stored

    done = subprocess.run(command, env=_environment(at), capture_output=True, text=True, check=True).stdout.splitlines()
    told = json.loads(done[-1])
    assert (told["left"], told["moved_from"], told["contexts"], told["unrecognised"]) == (0, "old", 1, 0)
    assert _models(cypher) == {("new", 256): many + 2}
    moved = connect(tenant="acme", embedder=NEW)
    found = moved.recall("rack 5 hums in hall 5")
    assert not found.lexical_only
    assert found.warnings == ()
    assert moved.recall("said by who did not know").hits[0].id == "late"
    assert connect(tenant="other", user="u", embedder=NEW).recall("the lamp flickers").hits[0].id == "theirs"
    seen = cypher("MATCH (r:Recall)-[:MISLED]->() RETURN r.embedding_model AS model, size(r.vector) AS size")
    assert seen == [{"model": "new", "size": 256}]
    assert blamed.hits[0].id not in {hit.id for hit in moved.recall("rack 5 hums in hall 5", limit=20).hits}
    cypher("MATCH (:Recall)-[x:MISLED]->(m) DELETE x SET m.misled = 0")
    assert blamed.hits[0].id == moved.recall("rack 5 hums in hall 5").hits[0].id
    assert moved.reembed().embedded == 0
    stale = old.recall("rack 5 hums in hall 5")
    assert stale.lexical_only
    assert old.record(Episode(id="later", task="said by who still does not know", outcome="success")).stored
    assert _models(cypher) == {("new", 256): many + 2, (None, 0): 1}


def test_lessons_and_receipts_of_who_does_not_know_hold_no_old_vectors(
    bare: None, connect: Connect, cypher: Cypher
) -> None:
    old = connect(tenant="acme", embedder=OLD)
    old.record(Episode(id="e", task="oil the hinge", outcome="success"))
    asked = old.recall("oil the hinge")
    connect(tenant="acme", embedder=SAME).reembed()
    old.record(Reflection(id="r", insight="a hinge wants oil", sources=["e"]))
    old.feedback(asked, outcome="fail", misled=["e"])
    old.correct(wrong="e", right="r", reason="it says why", context="the hinge squeaks")
    old.consolidate()
    assert set(_models(cypher)) == {("same size", 384), (None, 0)}
    vectors = "MATCH (r:Recall) RETURN r.vector IS NULL AS blind, r.question AS question ORDER BY question"
    assert cypher(vectors) == [
        {"blind": True, "question": "oil the hinge"},
        {"blind": True, "question": "the hinge squeaks"},
    ]
    done = connect(tenant="acme", embedder=SAME).reembed()
    assert (done.left, done.contexts, done.moved_from) == (0, 2, "")
    assert {row["blind"] for row in cypher(vectors)} == {False}
    assert connect(tenant="acme", embedder=SAME).check(everything=True) == ()


def test_the_model_away_leaves_words_and_the_next_run_goes_on(
    bare: None, connect: Connect, cypher: Cypher, settings: Settings
) -> None:
    connect(tenant="acme", embedder=OLD).record(Episode(id="e", task="oil the hinge", outcome="success"))
    with pytest.raises(EmbeddingError):
        connect(tenant="acme", embedder=AwayEmbedder(name="new", dimensions=256)).reembed()
    assert _models(cypher) == {(None, 0): 1}
    new = connect(tenant="acme", embedder=NEW)
    assert new.recall("oil the hinge").lexical_only
    assert new.reembed().embedded == 1
    assert not new.recall("oil the hinge").lexical_only


def test_a_database_that_was_made_without_a_model_takes_one_of_any_size(
    bare: None, connect: Connect, cypher: Cypher, settings: Settings
) -> None:
    without = settings.model_copy(update={"embedding": settings.embedding.model_copy(update={"model": "none"})})
    plain = connect(tenant="acme", settings=without, embedder=None)
    plain.record(Episode(id="e", task="oil the hinge", outcome="success"))
    new = connect(tenant="acme", embedder=NEW)
    with pytest.raises(SchemaMismatch, match="graphmem reembed"):
        new.list()
    assert new.reembed().embedded == 1
    assert _models(cypher) == {("new", 256): 1}
    assert not new.recall("oil the hinge").lexical_only
    plain.erase(id="e")
    new.record(Episode(id="e2", task="oil the door", outcome="success"))
    assert new.recall("oil the door").hits[0].id == "e2", "who has no model leaves the index whole"


def test_a_receipt_says_which_model_made_its_vector(bare: None, connect: Connect, cypher: Cypher) -> None:
    old = connect(tenant="acme", embedder=OLD)
    old.record(Episode(id="e", task="oil the hinge", outcome="success"))
    asked = old.recall("oil the hinge")
    new = connect(tenant="acme", embedder=NEW)
    new.reembed()
    told = new.feedback(asked.to_json(), outcome="fail", misled=["e"])
    assert told.warnings == ()
    vectors = "MATCH (r:Recall) RETURN r.embedding_model AS model, size(r.vector) AS size"
    assert cypher(vectors) == [{"model": "new", "size": 256}]
    (found,) = new.recall("the hinge oil").candidates
    assert found.components.false_hit > 0, "and the context is recognised by its vector, in whatever words"
