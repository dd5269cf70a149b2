"""`init` on the real server: the schema once, whoever asks and however often, or a clear refusal and no change."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from graphmem import Decision, Episode, Memory, Settings, Skill
from graphmem.errors import SchemaMismatch
from graphmem.settings import Connection
from graphmem.store.schema import migrations
from graphmem.store.shapes import SHAPES
from tests.cli.shell import environment
from tests.embedders import HashEmbedder

Cypher = Callable[..., list[dict[str, Any]]]
Connect = Callable[..., Memory]
NAME = "bge-small-en-v1.5"
MODEL = HashEmbedder(name=NAME)
TITLES = tuple(step.title for step in migrations())
VECTOR = (
    "CYPHER 25 CREATE VECTOR INDEX {name} FOR (m:Memory) ON m.embedding {filters} "
    "OPTIONS {{indexConfig: {{`vector.dimensions`: {size}, `vector.similarity_function`: '{similarity}'}}}}"
)
FORMER = "WITH [m.scope, m.recallable, m.kind, m.domain, m.task_type, m.toolchain, m.expires_at]"
FILTERS = FORMER.replace("]", ", m.authority]")
TEXT = (
    "CREATE FULLTEXT INDEX {name} FOR (m:Memory) ON EACH [m.text, m.recall_key] "
    "OPTIONS {{indexConfig: {{`fulltext.analyzer`: '{analyzer}'}}}}"
)


def everything(cypher: Cypher) -> tuple[Any, ...]:
    """All that a database has: nodes, edges, indexes, constraints."""
    return (
        cypher("MATCH (n) RETURN labels(n) AS labels, properties(n) AS properties ORDER BY elementId(n)"),
        cypher("MATCH ()-[r]->() RETURN type(r) AS type, properties(r) AS properties ORDER BY elementId(r)"),
        cypher("SHOW INDEXES YIELD name, type, properties, options WHERE type <> 'LOOKUP' RETURN * ORDER BY name"),
        cypher("SHOW CONSTRAINTS YIELD name, type, properties RETURN * ORDER BY name"),
    )


def refused(client: Memory, cypher: Cypher, *said: str) -> None:
    """Every verb refuses in one sentence that says these words, and nothing is changed."""
    before = everything(cypher)
    for act in (
        client.init,
        lambda: client.record(Episode(task="Descale the boiler", outcome="success")),
        lambda: client.recall("boiler"),
    ):
        with pytest.raises(SchemaMismatch) as caught:
            act()
        told = str(caught.value)
        assert all(word in told for word in said), told
        assert "\n" not in told
    assert everything(cypher) == before


@pytest.mark.usefixtures("bare")
def test_an_empty_database_gets_the_schema_once(connect: Connect, cypher: Cypher) -> None:
    assert connect(embedder=MODEL).init() == TITLES
    after = everything(cypher)
    assert connect(embedder=MODEL).init() == ()
    assert everything(cypher) == after

    indexes = {row["name"]: row for row in cypher("SHOW INDEXES YIELD name, state, options WHERE name <> ''")}
    assert {*SHAPES} <= {*indexes}
    assert {row["state"] for row in indexes.values()} == {"ONLINE"}
    assert indexes["memory_vector"]["options"]["indexConfig"]["vector.dimensions"] == 384
    assert indexes["memory_text"]["options"]["indexConfig"]["fulltext.analyzer"] == "cjk"
    assert cypher("MATCH (s:Store) RETURN s.embedding_model AS model") == [{"model": NAME}]
    noted = cypher("MATCH (m:Migration) RETURN m.name AS name ORDER BY m.number")
    assert tuple(row["name"] for row in noted) == TITLES


PROGRAM = """
import json, sys
from graphmem import Memory
from tests.embedders import HashEmbedder
memory = Memory(embedder=HashEmbedder(name=sys.argv[1]))
print("ready", flush=True)
sys.stdin.readline()
with memory:
    print(json.dumps(memory.init()))
"""


def at_once(settings: Settings, at: Connection, *models: str) -> list[tuple[int, str]]:
    """Call `init` in one process for each model, all let go at the same moment: exit codes, and what they said."""
    running = [
        subprocess.Popen(
            [sys.executable, "-c", PROGRAM, model], env=environment(settings, at, "init"), text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        for model in models
    ]  # fmt: skip
    for process in running:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    ended = []
    for process in running:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    for process in running:
        out, err = process.communicate(timeout=120)
        ended.append((process.returncode, err or out))
    return ended


@pytest.mark.parametrize("attempt", range(3))
@pytest.mark.usefixtures("bare")
def test_processes_at_once_make_one_schema(settings: Settings, at: Connection, cypher: Cypher, attempt: int) -> None:
    ended = at_once(settings, at, NAME, NAME)
    assert [code for code, _ in ended] == [0] * len(ended), ended
    assert [row["n"] for row in cypher("MATCH (m:Migration) RETURN m.number AS n ORDER BY n")] == [
        step.number for step in migrations()
    ]
    assert cypher("MATCH (s:Store) RETURN s.embedding_model AS model") == [{"model": NAME}]
    assert {row["state"] for row in cypher("SHOW INDEXES YIELD state")} == {"ONLINE"}


@pytest.mark.usefixtures("bare")
def test_of_two_models_at_once_one_is_refused(settings: Settings, at: Connection, cypher: Cypher) -> None:
    ended = dict(zip((NAME, "other"), at_once(settings, at, NAME, "other"), strict=True))
    ((winner,),) = [row.values() for row in cypher("MATCH (s:Store) RETURN s.embedding_model AS model")]
    (loser,) = {NAME, "other"} - {winner}
    assert ended[winner][0] == 0, ended
    assert ended[loser][0] != 0
    assert f"holds vectors of the embedding model {winner}" in ended[loser][1]


KEYS = tuple(name for name, shape in SHAPES.items() if shape.type.startswith("UNIQUE"))
PLANTED = [
    (VECTOR.format(name="memory_vector", filters="", size=1536, similarity="cosine"), ("memory_vector", "1536", "384")),
    (VECTOR.format(name="memory_vector", filters=FILTERS, size=768, similarity="cosine"), ("768", "384")),
    (VECTOR.format(name="memory_vector", filters="", size=384, similarity="cosine"), ("memory_vector", "scope")),
    (VECTOR.format(name="memory_vector", filters=FILTERS, size=384, similarity="euclidean"), ("euclidean", "cosine")),
    (VECTOR.format(name="theirs", filters=FILTERS, size=384, similarity="cosine"), ("theirs", "memory_vector")),
    (TEXT.format(name="memory_text", analyzer="english"), ("memory_text", "english", "cjk")),
    (TEXT.format(name="theirs", analyzer="cjk"), ("theirs", "memory_text")),
    ("CREATE INDEX memory_text FOR (m:Other) ON (m.text)", ("memory_text", "range")),
    *[(f"CREATE CONSTRAINT {key} FOR (m:Other) REQUIRE m.other IS UNIQUE", (key, "Other")) for key in KEYS],
    ("CREATE INDEX memory_key FOR (m:Memory) ON (m.scope, m.id)", ("memory_key", "unique range")),
    ("CREATE INDEX memory_time FOR (m:Memory) ON (m.other)", ("memory_time", "other")),
    ("CREATE (:Store {id: 'x'}), (:Store {id: 'x'})", ("nodes :Store", "id", "another database")),
    ("CREATE (:Recall {scope: 'a', id: 'x'}), (:Recall {scope: 'a', id: 'x'})", ("nodes :Recall", "id and scope")),
    ("CREATE (:Memory {scope: 'a', id: 'x'}), (:Memory {scope: 'a', id: 'x'})", ("nodes :Memory", "id and scope")),
    ("CREATE (:Migration {number: 1}), (:Migration {number: 1})", ("schema step", "another form")),
    ("CREATE (:Migration {number: 99, name: '099_later', checksum: 'x'})", ("99", "upgrade graphmem")),
    ("CREATE (:Store {id: 'graphmem', embedding_model: 'other'})", ("other", NAME)),
]


@pytest.mark.usefixtures("bare")
def test_a_database_that_does_not_fit_is_left_as_it_was(connect: Connect, cypher: Cypher) -> None:
    for planted, said in PLANTED:
        cypher(planted)
        refused(connect(embedder=MODEL), cypher, *said)
        cypher("MATCH (n) DELETE n")
        for row in cypher("SHOW CONSTRAINTS YIELD name"):
            cypher(f"DROP CONSTRAINT {row['name']}")
        for row in cypher("SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP' RETURN name"):
            cypher(f"DROP INDEX {row['name']}")


def test_other_settings_than_the_databases_are_refused(connect: Connect, settings: Settings, cypher: Cypher) -> None:
    connect(embedder=MODEL).init()
    english = settings.model_copy(update={"fulltext": settings.fulltext.model_copy(update={"analyzer": "english"})})
    for client, said in (
        (connect(embedder=HashEmbedder(name="other")), ("other", NAME)),
        (connect(embedder=HashEmbedder(name=NAME, dimensions=128)), ("384", "128")),
        (connect(embedder=MODEL, settings=english), ("english", "cjk", "memory_text")),
    ):
        with pytest.raises(SchemaMismatch) as caught:
            client.init()
        assert all(word in str(caught.value) for word in said)
        with pytest.raises(SchemaMismatch):
            client.record(Episode(task="Descale the boiler", outcome="success"))
    assert connect(embedder=MODEL).list() == ()
    assert connect(embedder=MODEL).init() == ()


@pytest.mark.usefixtures("bare")
def test_a_step_that_was_applied_in_another_form_is_refused(connect: Connect, cypher: Cypher) -> None:
    connect(embedder=MODEL).init()
    cypher("MATCH (m:Migration {number: 5}) SET m.checksum = 'older'")
    refused(connect(embedder=MODEL), cypher, "005_memory_vector", "another graphmem")


@pytest.mark.usefixtures("bare")
def test_a_database_that_was_made_without_a_model_is_claimed_by_the_first(connect: Connect, cypher: Cypher) -> None:
    wordy = connect(settings=connect().settings.model_copy(update={"embedding": _none(connect)}), embedder=None)
    assert wordy.init() == TITLES
    assert cypher("MATCH (s:Store) RETURN s.embedding_model AS model") == [{"model": None}]
    assert connect(embedder=MODEL).init() == ()
    with pytest.raises(SchemaMismatch, match=NAME):
        connect(embedder=HashEmbedder(name="other")).init()
    assert wordy.init() == ()


@pytest.mark.usefixtures("bare")
def test_without_a_model_a_database_of_any_size_serves_words(connect: Connect) -> None:
    large = connect(embedder=HashEmbedder(name="large", dimensions=768))
    large.record(Episode(id="e1", task="Descale the boiler", outcome="success"))
    wordy = connect(settings=large.settings.model_copy(update={"embedding": _none(connect)}), embedder=None)
    answer = wordy.recall("boiler")
    assert (answer.decision, [hit.id for hit in answer.hits]) == (Decision.VERIFY, ["e1"])


@pytest.mark.usefixtures("bare")
def test_a_dropped_index_is_made_again_and_filled(connect: Connect, cypher: Cypher) -> None:
    connect(embedder=MODEL).record(Episode(id="e1", task="Descale the boiler", outcome="success"))
    cypher("DROP INDEX memory_vector")
    cypher("DROP INDEX memory_text")
    again = connect(embedder=MODEL)
    assert again.init() == ("006_memory_text", "024_memory_vector")
    (hit,) = again.recall("descale the boiler").hits
    assert hit.components.semantic > 0.9
    assert hit.components.lexical > 0


@pytest.mark.usefixtures("bare")
def test_a_dropped_constraint_is_made_again(connect: Connect, cypher: Cypher) -> None:
    connect(embedder=MODEL).init()
    for key in KEYS:
        cypher(f"DROP CONSTRAINT {key}")
    cypher("DROP INDEX memory_time")
    connect(embedder=MODEL).init()
    assert {row["name"] for row in cypher("SHOW CONSTRAINTS YIELD name")} == set(KEYS)
    assert {*SHAPES} <= {row["name"] for row in cypher("SHOW INDEXES YIELD name")}


@pytest.mark.usefixtures("bare")
def test_strangers_with_our_labels_do_no_harm(connect: Connect, cypher: Cypher) -> None:
    cypher("CREATE (:Migration {by: 'another tool'}), (:Store {city: 'Bath'}), (:Memory {of: 'an elephant'})")
    memory = connect(embedder=MODEL)
    memory.record(Episode(id="e1", task="Descale the boiler", outcome="success"))
    assert [hit.id for hit in memory.recall("descale the boiler").hits] == ["e1"]


def _none(connect: Connect) -> Any:
    return connect().settings.embedding.model_copy(update={"model": "none"})


@pytest.mark.usefixtures("bare")
def test_the_index_of_an_older_graphmem_is_replaced_and_filled(connect: Connect, cypher: Cypher) -> None:
    old = connect(embedder=MODEL)
    old.record_many(
        [
            Episode(id="e1", task="Descale the boiler", outcome="success"),
            Episode(id="e2", task="Descale the boiler slowly", outcome="success"),
            Skill(id="s1", name="Descale the boiler well", steps=("pour",), approved_by="ada"),
        ]
    )
    old.review("e2", approve=True, by="ada")
    old.review("s1", approve=False, by="bob")
    cypher("MATCH (m:Memory) REMOVE m.authority")
    cypher("MATCH (s:Migration) WHERE s.number > 22 DELETE s")
    cypher("DROP INDEX memory_vector")
    cypher(VECTOR.format(name="memory_vector", filters=FORMER, size=384, similarity="cosine"))
    again = connect(embedder=MODEL)
    assert {"023_memory_authority", "024_memory_vector"} <= {*again.init()}
    assert again.check(everything=True) == ()
    assert [hit.id for hit in again.recall("descale the boiler", reviewed=True).hits] == ["e2"]
    assert {hit.id for hit in again.recall("descale the boiler").hits} == {"e1", "e2"}
    assert connect(embedder=MODEL).init() == ()
