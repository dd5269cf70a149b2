"""The centrality job: how much of a scope's graph hangs together through each memory.

Whose memories: the job of a tenant looks at what the tenant shares, by the tenant's own links, and writes on it. The
job of a user looks at all that this user sees, by the links of both, and writes on the user's own memories alone. So
what the tenant shares means the same to everybody, and no user's memories are read or changed by another's job.

A killed job leaves its projection behind. Its name holds the scope and the job, and a job that is alive holds a
transaction open that carries the name; the next job of the scope drops what belongs to no living one, and nothing
else.

A scope in which nothing changed is left alone: the job that wrote what stands keeps a digest over all that the result
depends on, and one that would write the same again ends as skipped.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from graphmem import telemetry
from graphmem.errors import GraphmemError
from graphmem.jobs import gds as science
from graphmem.jobs.graph import Centrality, Graph, digested, read_graph, scaled
from graphmem.jobs.models import CentralityJob, JobState
from graphmem.scope import Scope, new_id
from graphmem.settings import Settings, connection
from graphmem.steps import Call, Progress, Read, Rows, Write, run
from graphmem.store.catalogue import statement
from graphmem.store.driver import Database
from graphmem.text import utc, utc_now

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from graphdatascience import GraphDataScience

    from graphmem.policies import CentralitySettings

BATCH = 1000
KIND = "centrality"
BETWEENNESS = "computing betweenness"  # in per cent
UNCHANGED = "nothing changed since the last job"


@telemetry.job(KIND)
def centrality(
    settings: Settings,
    scope: Scope,
    *,
    force: bool = False,
    clock: Callable[[], datetime] = utc_now,
    progress: Progress = lambda doing, done, whole: None,
) -> CentralityJob:
    """Give each of the scope's own recallable memories its centrality; safe to run again, and several at once.

    Over the undirected graph of links (RELATES, DERIVES, GENERALIZES, CORRECTS), two memories linked once, by the
    greatest weight of the kinds that link them: degree, which sums the weights, and betweenness, which counts the
    links of a path; each divided by its greatest value in the scope, and their mean, all in [0, 1]. Betweenness is
    estimated, with a fixed seed, in large graphs; weights and sizes are settings. The database must have been
    prepared (`init`). `progress` may be called from another thread, never by two at once.

    The job is skipped, with a `reason` and nothing written but its node, when Graph Data Science is missing or too old
    (`impossible`), and, unless `force`, when nothing changed since the last one. Raises StoreError when the graph does
    not fit into the server's memory, or the database fails. What a failed job wrote stays, and is right.
    """
    database = Database(connection(settings), settings.neo4j.timeout)
    try:
        gds = science.version(database)
        missing = science.missing(gds, database.at.uri)
        job = CentralityJob(
            id=new_id(),
            tenant=scope.tenant,
            user=scope.user,
            started_at=utc(clock()),
            gds="" if missing else gds,
            neo4j=str(_read(database, "schema/server")[0]["version"]),
            graphmem=_graphmem_version(),
        )
        if missing:
            return _skipped(database, scope, job, missing, utc(clock()))
        with science.client(database) as client, science.present(client, _name(scope, job.id)):
            return _Run(database, client, scope, settings.centrality, job.started_at, progress).recorded(
                job, clock, force
            )
    finally:
        database.close()


class _Run:
    """One run, once it is known to be possible."""

    def __init__(
        self,
        database: Database,
        gds: GraphDataScience,
        scope: Scope,
        rules: CentralitySettings,
        now: datetime,
        progress: Progress,
    ) -> None:
        self.database = database
        self.gds = gds
        self.scope = scope
        self.rules = rules
        self.now = now
        self.progress = progress

    def recorded(self, job: CentralityJob, clock: Callable[[], datetime], force: bool) -> CentralityJob:
        """The job when it has ended; its node says so, also when it failed."""
        self._tidy()
        self._note("jobs/begin", job.id, _properties(job))
        try:
            graph = run(read_graph(self.scope, self.now, self.rules, self.progress), self.database.answer)  # type: ignore[arg-type]  # it only reads
            job = self._seen(job, graph)
            if not force and graph.complete and self._stands(job):
                done = _skipped(self.database, self.scope, job, UNCHANGED, utc(clock()))
            else:
                written = self._written(self._computed(job, graph)) if graph.own else 0
                done = job.model_copy(update={"state": JobState.DONE, "ended_at": utc(clock()), "written": written})
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

    def _seen(self, job: CentralityJob, graph: Graph) -> CentralityJob:
        exact = graph.nodes <= max(self.rules.exact_up_to, self.rules.samples)
        samples = 0 if exact else self.rules.samples
        digest = digested([graph.digest, samples, science.SEED, job.gds, job.graphmem])
        return job.model_copy(
            update={"nodes": graph.nodes, "edges": len(graph.edges), "samples": samples, "digest": digest}
        )

    def _stands(self, job: CentralityJob) -> bool:
        """Whether what is written on the memories is what this job would write."""
        rows = _read(self.database, "jobs/last", scope=self.scope.own, kind=KIND, id=job.id)
        return any(row["state"] == JobState.DONE and row["digest"] == job.digest and row["apart"] for row in rows)

    def _computed(self, job: CentralityJob, graph: Graph) -> list[Centrality]:
        self.progress("projecting the graph", 0, 0)
        with science.projected(self.gds, _name(self.scope, job.id), graph) as projection:
            self.progress("computing degree", 0, 0)
            degree = scaled(science.degree(self.gds, projection))
            self.progress(BETWEENNESS, 0, 100)
            with science.watched(self.database, job.id, lambda done: self.progress(BETWEENNESS, done, 100)):
                between = scaled(science.betweenness(self.gds, projection, job.samples, job.id))
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
        running = {row["id"] for row in _read(self.database, "jobs/running", scope=self.scope.own, kind=KIND)}
        alive = {row["name"] for row in _read(self.database, "jobs/alive", prefix=prefix)}
        for name in sorted(left - alive):
            science.drop(self.gds, name)
        for id_ in sorted(running - {name.removeprefix(prefix) for name in alive}):
            self._note("jobs/end", id_, {"state": JobState.KILLED.value, "ended_at": self.now})

    def _note(self, name: str, id_: str, properties: Mapping[str, Any]) -> None:
        self.database.answer(Write([_said(name, self.scope, id_, properties)]))


def _skipped(database: Database, scope: Scope, job: CentralityJob, reason: str, now: datetime) -> CentralityJob:
    """The job, skipped: its node says so, in the place of the one that was skipped before."""
    done = job.model_copy(update={"state": JobState.SKIPPED, "ended_at": now, "reason": reason})
    names = ("jobs/begin", "jobs/end")
    before = Call(statement("jobs/skipped"), {"scope": scope.own, "kind": KIND, "id": job.id})
    database.answer(Write([*(_said(name, scope, job.id, _properties(done)) for name in names), before]))
    return done


def _said(name: str, scope: Scope, id_: str, properties: Mapping[str, Any]) -> Call:
    return Call(statement(name), {"scope": scope.own, "id": id_, "properties": properties})


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
