"""What a run says of itself, and what may happen to the graph and the database while it runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from graphmem import Memory, Settings
from graphmem.errors import StoreError, StoreUnavailable
from graphmem.jobs import CentralityJob, centrality
from graphmem.jobs.gds import client, projected
from graphmem.jobs.graph import Graph
from graphmem.scope import Scope
from graphmem.settings import Connection, load_settings
from graphmem.steps import Call, Read
from graphmem.store.catalogue import statement
from graphmem.store.driver import Database
from tests.memories import NOW, won

Connect = Callable[..., Memory]
Cypher = Callable[..., list[dict[str, Any]]]
Job = Callable[..., CentralityJob]


@pytest.fixture
def path(make: Connect) -> None:
    """Three memories in a row."""
    memory = make()
    memory.record_many([won(id_, f"{id_} north:0.8") for id_ in "abc"])
    memory.link("a", "b")
    memory.link("b", "c")


@pytest.mark.usefixtures("path")
def test_the_job_says_what_ran(job: Job, jobs: Callable[[], list[dict[str, Any]]], cypher: Cypher, tenant: str) -> None:
    done = job()
    (node,) = jobs()
    assert node["scope"] == Scope(tenant).shared
    assert (node["id"], node["kind"], node["state"], node["error"]) == (done.id, "centrality", "done", "")
    assert (node["nodes"], node["edges"], node["written"], node["samples"]) == (3, 2, 3, 0)
    assert node["gds"] == done.gds == cypher("RETURN gds.version() AS gds")[0]["gds"]
    assert (node["neo4j"], node["graphmem"]) == (done.neo4j, done.graphmem)
    assert done.neo4j
    assert done.graphmem
    assert done.started_at == done.ended_at == NOW
    assert (node["started_at"].to_native(), node["ended_at"].to_native()) == (NOW, NOW)
    (row,) = cypher("MATCH (m:Memory {tenant: $t, id: 'a'}) RETURN m.centrality_at AS at", t=tenant)
    assert row["at"].to_native() == NOW
    assert (node["digest"], node["reason"]) == (done.digest, "")
    assert len(done.digest) == 64


@pytest.mark.usefixtures("path")
@pytest.mark.parametrize("doing", ["projecting the graph", "computing degree", "writing"])
def test_a_memory_erased_meanwhile_harms_nothing(
    job: Job, values: Callable[[], dict[str, Any]], cypher: Cypher, tenant: str, doing: str
) -> None:
    def erase(said: str, done: int, whole: int) -> None:
        if said == doing:
            cypher("MATCH (m:Memory {tenant: $t, id: 'b'}) DETACH DELETE m", t=tenant)

    done = job(progress=erase)
    assert (done.state, done.nodes, done.written) == ("done", 3, 2)
    assert values() == dict.fromkeys("ac", (0.5, 0, 0.25))


@pytest.mark.usefixtures("path")
def test_a_scope_erased_meanwhile_stays_erased(
    job: Job, projections: Callable[[], list[str]], cypher: Cypher, tenant: str
) -> None:
    def erase(said: str, done: int, whole: int) -> None:
        if said == "computing degree":
            cypher("MATCH (n {tenant: $t}) DETACH DELETE n", t=tenant)

    assert job(progress=erase).written == 0
    assert not [name for name in projections() if Scope(tenant).shared in name]
    assert cypher("MATCH (n {tenant: $t}) RETURN n", t=tenant) == []


def test_a_graph_that_does_not_fit_is_refused_before_it_is_projected(
    at: Connection, projections: Callable[[], list[str]]
) -> None:
    database = Database(at, 15)
    huge = Graph(nodes=10**9, own={}, edges=())
    try:
        database.answer(Read(Call(statement("schema/server"), {})))
        with client(database) as gds:
            assert gds.database() == database.database == "neo4j"
            with (
                pytest.raises(StoreError, match=r"1000000000 memories and 0 links takes at least \d+ MB"),
                projected(gds, "graphmem-huge", huge),
            ):
                pytest.fail("it was projected")
    finally:
        database.close()
    assert "graphmem-huge" not in projections()


def test_a_database_that_is_away_is_told_at_once(tenant: str) -> None:
    away = load_settings(neo4j={"uri": "bolt://127.0.0.1:1", "password": "x", "timeout": 1})
    with pytest.raises(StoreUnavailable, match="nothing answers at"):
        centrality(away, Scope(tenant))


@pytest.mark.usefixtures("path")
def test_a_database_that_is_not_there_is_told(settings: Settings, at: Connection, tenant: str) -> None:
    assert at.password is not None
    elsewhere = load_settings(
        neo4j={"uri": at.uri, "password": at.password.get_secret_value(), "database": "nowhere", "timeout": 5}
    )
    with pytest.raises(Exception, match="GRAPHMEM_NEO4J__DATABASE") as told:
        centrality(elsewhere, Scope(tenant))
    assert type(told.value).__name__ == "ConfigurationError"
