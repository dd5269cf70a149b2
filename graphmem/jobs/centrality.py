"""The centrality job: how much of a scope's graph hangs together through each memory.

Whose memories: the job of a tenant looks at what the tenant shares, by the tenant's own links, and writes on it. The
job of a user looks at all that this user sees, by the links of both, and writes on the user's own memories alone. So
what the tenant shares means the same to everybody, and no user's memories are read or changed by another's job.

A killed job leaves its projection behind. Its name holds the scope and the job, and a job that is alive holds a
transaction open that carries the name; the next job of the scope drops what belongs to no living one, and nothing
else.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from graphmem.errors import GraphmemError
from graphmem.jobs import gds as science
from graphmem.jobs.graph import Centrality, Graph, numbered, scaled, wanted
from graphmem.jobs.models import CentralityJob, JobState
from graphmem.scope import Scope, new_id
from graphmem.settings import Settings, connection
from graphmem.steps import Call, Progress, Read, Rows, Write
from graphmem.store.catalogue import statement
from graphmem.store.driver import Database
from graphmem.text import utc, utc_now

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from graphdatascience import GraphDataScience

BATCH = 1000


def centrality(
    settings: Settings,
    scope: Scope,
    *,
    clock: Callable[[], datetime] = utc_now,
    progress: Progress = lambda doing, done, whole: None,
) -> CentralityJob:
    """Give each of the scope's own recallable memories its centrality; safe to run again, and several at once.

    Over the undirected graph of links (RELATES, DERIVES, GENERALIZES, CORRECTS; two memories are linked or not,
    however often): degree and betweenness, each divided by its greatest value in the scope, and their mean, all in
    [0, 1]. Betweenness is estimated from 256 nodes, with a fixed seed, when there are more than 2,000.
    The database must have been prepared (`init`).

    Raises ConfigurationError, with nothing written, when Graph Data Science is missing or too old; StoreError when the
    graph does not fit into the server's memory, or the database fails. What a failed job wrote stays, and is right.
    """
    database = Database(connection(settings), settings.neo4j.timeout)
    try:
        job = CentralityJob(
            id=new_id(),
            tenant=scope.tenant,
            user=scope.user,
            started_at=utc(clock()),
            gds=science.version(database),
            neo4j=str(_read(database, "schema/server")[0]["version"]),
            graphmem=_graphmem_version(),
        )
        with science.client(database) as gds, science.present(gds, _name(scope, job.id)):
            run = _Run(database, gds, scope, job.started_at, progress)
            return run.recorded(job, clock)
    finally:
        database.close()


class _Run:
    """One run, once it is known to be possible."""

    def __init__(
        self, database: Database, gds: GraphDataScience, scope: Scope, now: datetime, progress: Progress
    ) -> None:
        self.database = database
        self.gds = gds
        self.scope = scope
        self.now = now
        self.progress = progress

    def recorded(self, job: CentralityJob, clock: Callable[[], datetime]) -> CentralityJob:
        """The job when it has ended; its node says so, also when it failed."""
        self._tidy()
        self._note("jobs/begin", job.id, _properties(job))
        try:
            done = self._work(job).model_copy(update={"state": JobState.DONE, "ended_at": utc(clock())})
            self._note("jobs/end", job.id, _properties(done))
        except BaseException as error:
            told = str(error) or type(error).__name__
            failed = {"state": JobState.FAILED.value, "ended_at": utc(clock()), "error": told[:1000]}
            with suppress(GraphmemError):  # what happened first is what is told
                self._note("jobs/end", job.id, failed)
            raise
        # A job that was killed a moment ago may have seemed alive when this one began.
        self._tidy()
        return done

    def _work(self, job: CentralityJob) -> CentralityJob:
        self.progress("reading the graph", 0, 0)
        graph = numbered(self.database.answer(wanted(self.scope, self.now)), self.scope)
        sampled = science.samples(graph.nodes)
        job = job.model_copy(update={"nodes": graph.nodes, "edges": len(graph.edges), "samples": sampled})
        if not graph.own:
            return job
        found = self._computed(_name(self.scope, job.id), graph, sampled)
        return job.model_copy(update={"written": self._written(found)})

    def _computed(self, name: str, graph: Graph, sampled: int) -> list[Centrality]:
        self.progress("projecting the graph", 0, 0)
        with science.projected(self.gds, name, graph) as projection:
            self.progress("computing degree", 0, 0)
            degree = scaled(science.degree(self.gds, projection))
            self.progress("computing betweenness", 0, 0)
            between = scaled(science.betweenness(self.gds, projection, sampled))
        return [Centrality(id_, degree[number], between[number]) for number, id_ in graph.own.items()]

    def _written(self, found: list[Centrality]) -> int:
        written = 0
        for start in range(0, len(found), BATCH):
            self.progress("writing", start, len(found))
            rows = [one.row for one in found[start : start + BATCH]]
            call = Call(statement("jobs/centrality"), {"scope": self.scope.own, "rows": rows, "now": self.now})
            written += self.database.answer(Write([call]))[0][0]["written"]
        self.progress("writing", len(found), len(found))
        return written

    def _tidy(self) -> None:
        """Drop what killed jobs of this scope left. Who is alive is asked last: a job is seen before what it makes."""
        prefix = _name(self.scope, "")
        left = {row["name"] for row in _read(self.database, "jobs/projections", prefix=prefix)}
        running = {row["id"] for row in _read(self.database, "jobs/running", scope=self.scope.own, kind="centrality")}
        alive = {row["name"] for row in _read(self.database, "jobs/alive", prefix=prefix)}
        for name in sorted(left - alive):
            science.drop(self.gds, name)
        for id_ in sorted(running - {name.removeprefix(prefix) for name in alive}):
            self._note("jobs/end", id_, {"state": JobState.KILLED.value, "ended_at": self.now})

    def _note(self, name: str, id_: str, properties: Mapping[str, Any]) -> None:
        given = {"scope": self.scope.own, "id": id_, "properties": properties}
        self.database.answer(Write([Call(statement(name), given)]))


def _name(scope: Scope, job: str) -> str:
    return f"graphmem-centrality-{scope.own}-{job}"


def _properties(job: CentralityJob) -> Mapping[str, Any]:
    return {**job.model_dump(exclude={"id"}), "state": job.state.value}


def _read(database: Database, name: str, **parameters: Any) -> Rows:
    rows: Rows = database.answer(Read(Call(statement(name), parameters)))
    return rows


def _graphmem_version() -> str:
    try:
        return version("graphmem")
    except PackageNotFoundError:
        return "source"
