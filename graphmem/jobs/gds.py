"""Graph Data Science: the only module that uses its client, imported when a job runs.

The client has a driver of its own, on the database that the project's driver uses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from threading import Event, Thread
from typing import TYPE_CHECKING

from graphmem.errors import AccessDenied, GraphmemError, StoreError, StoreUnavailable
from graphmem.jobs.graph import Graph
from graphmem.steps import Call, Read
from graphmem.store.catalogue import statement
from graphmem.store.driver import FOREIGN, Database

if TYPE_CHECKING:
    from graphdatascience import GraphDataScience
    from graphdatascience.graph.graph_api import Graph as Projection

OLDEST = (2, 13)  # the oldest that the client speaks to
SEED = 42
WEIGHT = "weight"  # of a projected link
SECONDS_BETWEEN_LOOKS = 1.0
_ALONE = 1  # with one thread a sum is the same each time, and the server's other cores are left to recalls


def version(database: Database) -> str:
    """The version of Graph Data Science on the server; empty where it is not installed, or may not be called."""
    try:
        return str(database.answer(Read(Call(statement("server/gds"), {})))[0]["version"])
    except (StoreUnavailable, AccessDenied):
        raise
    except StoreError:
        return ""


def missing(found: str, where: str) -> str:
    """Why the job cannot work with this version, in a sentence; empty if it can."""
    if not found:
        return (
            f"Graph Data Science is not installed on {where}: install its plugin there, "
            "or use the private server ('graphmem up'), which has it; only this job needs it"
        )
    numbers = re.match(r"(\d+)\.(\d+)", found)
    if numbers is None or (int(numbers[1]), int(numbers[2])) < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        return f"Graph Data Science {found} on {where} is too old: this job needs {oldest} or newer; update the plugin"
    return ""


@contextmanager
def client(database: Database) -> Iterator[GraphDataScience]:
    """The client of Graph Data Science, closed at the end; its failures become graphmem's.

    `database` must have answered before, so that it knows its name.
    """
    from graphdatascience import GraphDataScience
    from graphdatascience.error.unable_to_connect import UnableToConnectError

    at = database.at
    auth = (at.user, at.password.get_secret_value()) if at.password is not None else None
    try:
        with GraphDataScience(
            at.uri, auth=auth, aura_ds=False, database=database.database, arrow=False, show_progress=False
        ) as gds:
            yield gds
    except UnableToConnectError as error:
        raise StoreUnavailable(f"the connection of Graph Data Science to {at.uri} was lost; try again") from error
    except FOREIGN as error:
        raise database.failed(error) from error


@contextmanager
def present(gds: GraphDataScience, name: str) -> Iterator[None]:
    """Hold an idle transaction that carries this name: others see that the job is alive for as long as it is listed.

    The server ends it as soon as the connection breaks, so a killed process is known to be dead at once.
    """
    with (
        gds.db_driver().session(database=gds.database()) as session,
        session.begin_transaction(metadata={"graphmem": name}, timeout=0),
    ):
        yield


@contextmanager
def projected(gds: GraphDataScience, name: str, graph: Graph) -> Iterator[Projection]:
    """Project a graph of at least one node, and drop the projection whatever happens.

    Raises StoreError, with nothing projected, when the server has no room for it.
    """
    needed = gds.betweenness_centrality.estimate(
        {
            "nodeProjection": "*",
            "relationshipProjection": {"LINK": {"type": "*", "orientation": "UNDIRECTED", "properties": [WEIGHT]}},
            "nodeCount": graph.nodes,
            "relationshipCount": 2 * len(graph.edges),
        },
        concurrency=_ALONE,
    )
    server = gds.debug.sys_info()
    free = server.available_heap_in_bytes or server.heap_max_in_bytes
    if free is not None:
        require_room(needed.bytes_min, free, graph.nodes, len(graph.edges))
    try:
        made = gds.graph.project.cypher(statement("jobs/project").text, name=name, pairs=graph.pairs)
        yield made.graph
    except BaseException:
        with suppress(Exception):  # what happened first is what is told
            drop(gds, name)
        raise
    drop(gds, name)


def require_room(needed: int, free: int, nodes: int, edges: int) -> None:
    """Raise StoreError when a graph needs more bytes than are free."""
    if needed > free:
        raise StoreError(
            f"the graph of {nodes} memories and {edges} links takes at least {needed / 1e6:.0f} MB, and the server has "
            f"{free / 1e6:.0f} MB of its heap to spare; give it more (GRAPHMEM_SERVER__HEAP for the private one)"
        )


def drop(gds: GraphDataScience, name: str) -> None:
    """Drop one of this account's projections, if it is there."""
    gds.graph.drop(name, fail_if_missing=False)


def degree(gds: GraphDataScience, projection: Projection) -> Mapping[int, float]:
    """The sum of the weights of each node's links."""
    frame = gds.degree_centrality.stream(
        projection, relationship_weight_property=WEIGHT, concurrency=_ALONE, log_progress=False
    )
    return dict(zip(frame["nodeId"].tolist(), frame["score"].tolist(), strict=True))


def betweenness(gds: GraphDataScience, projection: Projection, sampled: int, id_: str) -> Mapping[int, float]:
    """On how many shortest paths between two others each node lies, a path counted by its share of the shortest ones.

    A path is as long as it has links, whatever they weigh. From all nodes (Brandes 2001), or estimated from `sampled`
    ones, chosen by degree with a fixed seed (Brandes and Pich 2007). `id_` is the name by which it is watched.
    """
    frame = gds.betweenness_centrality.stream(
        projection,
        sampling_size=sampled or None,
        sampling_seed=SEED if sampled else None,
        concurrency=_ALONE,
        job_id=id_,
    )
    return dict(zip(frame["nodeId"].tolist(), frame["score"].tolist(), strict=True))


@contextmanager
def watched(database: Database, id_: str, tell: Callable[[int], object]) -> Iterator[None]:
    """While this holds, tell each second how many per cent of a computation are done, from a thread of its own.

    What `tell` raises is raised at the end.
    """
    over, raised = Event(), list[BaseException]()

    def look() -> None:
        while not over.wait(SECONDS_BETWEEN_LOOKS):
            with suppress(GraphmemError):  # what is not known is not told
                for row in database.answer(Read(Call(statement("jobs/progress"), {"job": id_}))):
                    share = re.match(r"\d+", row["progress"])
                    if share is not None:
                        try:
                            tell(int(share[0]))
                        except BaseException as error:
                            raised.append(error)
                            return

    thread = Thread(target=look, name="graphmem-progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
    if raised:
        raise raised[0]
