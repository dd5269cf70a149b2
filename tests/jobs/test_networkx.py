"""The job's numbers are those of NetworkX, on small random graphs of all kinds of links."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import networkx
import pytest

from graphmem import Memory, Settings
from graphmem.jobs import CentralityJob, centrality
from graphmem.policies import CentralitySettings
from graphmem.scope import Scope
from tests.memories import Clock, won

Connect = Callable[..., Memory]
Cypher = Callable[..., list[dict[str, Any]]]
WEIGHTS = {"DERIVES": 2.0, "GENERALIZES": 1.25, "CORRECTS": 0.75, "RELATES": 0.5}


def drawn(seed: int) -> tuple[int, list[tuple[int, int, str]]]:
    """So many memories and links between them: of all kinds, double, both ways round, and some to themselves."""
    source = random.Random(seed)
    nodes = source.randrange(8, 40)
    count = source.randrange(nodes // 2, 3 * nodes)
    links = [(source.randrange(nodes), source.randrange(nodes), source.choice([*WEIGHTS])) for _ in range(count)]
    start, end, _ = links[0]
    return nodes, [*links, *((start, end, kind) for kind in WEIGHTS), (end, start, "RELATES"), (0, 0, "DERIVES")]


def weighted(nodes: int, links: list[tuple[int, int, str]]) -> networkx.Graph[int]:
    """The same as an undirected graph: a pair is linked once, by the greatest weight."""
    graph: networkx.Graph[int] = networkx.Graph()
    graph.add_nodes_from(range(nodes))
    for start, end, kind in links:
        if start != end:
            before = graph.get_edge_data(start, end, {"weight": 0.0})["weight"]
            graph.add_edge(start, end, weight=max(before, WEIGHTS[kind]))
    return graph


@pytest.fixture
def plant(make: Connect, cypher: Cypher, tenant: str) -> Callable[..., None]:
    """Record memories, and link them by raw edges."""

    def written(nodes: int, links: list[tuple[int, int, str]]) -> None:
        make().record_many([won(f"{number:03}", f"{number} north:0.8") for number in range(nodes)])
        for kind in WEIGHTS:
            cypher(
                "UNWIND $pairs AS pair MATCH (a:Memory {scope: $s, id: pair[0]}), (b:Memory {scope: $s, id: pair[1]}) "
                f"CREATE (a)-[:{kind} {{scope: $s, kind: 'similar'}}]->(b)",
                s=Scope(tenant).shared,
                pairs=[[f"{start:03}", f"{end:03}"] for start, end, found in links if found == kind],
            )

    return written


@pytest.fixture
def job(settings: Settings, tenant: str) -> Callable[..., CentralityJob]:
    """Run the job with the weights of this module."""

    def run(**rules: Any) -> CentralityJob:
        given = CentralitySettings(**{kind.lower(): weight for kind, weight in WEIGHTS.items()}, **rules)
        by = settings.model_copy(update={"centrality": given})
        return centrality(by, Scope(tenant), clock=Clock(), force=True)

    return run


def scaled(scores: dict[int, float]) -> dict[int, float]:
    """Scores divided by the greatest."""
    top = max(scores.values())
    return {number: score / top if top else 0.0 for number, score in scores.items()}


@pytest.mark.parametrize("seed", range(8))
def test_degree_and_betweenness_are_those_of_networkx(
    seed: int, plant: Callable[..., None], job: Callable[..., CentralityJob], values: Callable[..., dict[str, Any]]
) -> None:
    nodes, links = drawn(seed)
    graph = weighted(nodes, links)
    plant(nodes, links)
    done = job()
    assert (done.nodes, done.edges, done.samples) == (nodes, graph.number_of_edges(), 0)
    found = values()
    degree = scaled(dict(graph.degree(weight="weight")))
    between = scaled(networkx.betweenness_centrality(graph, normalized=False))
    for number in range(nodes):
        assert found[f"{number:03}"][0] == degree[number]
        assert found[f"{number:03}"][1] == pytest.approx(between[number], rel=1e-9, abs=1e-12)


def test_a_sample_of_all_but_one_is_near_and_the_same_each_time(
    plant: Callable[..., None], job: Callable[..., CentralityJob], values: Callable[..., dict[str, Any]]
) -> None:
    nodes, links = drawn(3)
    graph = weighted(nodes, links)
    plant(nodes, links)
    done = job(exact_up_to=0, samples=nodes - 1)
    assert done.samples == nodes - 1
    first = values()
    job()
    exact = values()
    assert first != exact
    job(exact_up_to=0, samples=nodes - 1)
    assert values() == first
    assert {id_: parts[0] for id_, parts in first.items()} == {id_: parts[0] for id_, parts in exact.items()}
    between = scaled(networkx.betweenness_centrality(graph, normalized=False))
    assert all(abs(first[f"{number:03}"][1] - between[number]) < 0.25 for number in range(nodes))


def test_a_sample_of_as_many_as_there_are_is_exact(
    plant: Callable[..., None], job: Callable[..., CentralityJob]
) -> None:
    nodes, links = drawn(5)
    plant(nodes, links)
    assert job(exact_up_to=0, samples=nodes).samples == 0
