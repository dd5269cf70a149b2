"""What a job says of itself."""

from __future__ import annotations

from enum import StrEnum

from graphmem.models import Value
from graphmem.text import Instant


class JobState(StrEnum):
    """Where a job stands. `killed` is found by a later one: nobody was there any more to say how it ended.

    `skipped` had nothing to do, or nothing to do it with.
    """

    RUNNING = "running"
    DONE = "done"
    SKIPPED = "skipped"
    FAILED = "failed"
    KILLED = "killed"


class CentralityJob(Value):
    """One run of the centrality job, as its Job node keeps it.

    `nodes` and `edges` count the graph that was looked at, `written` the memories that were given a centrality.
    `samples` is the number of nodes from which betweenness was estimated, 0 when it is exact. `neo4j`, `gds` and
    `graphmem` are versions; `gds` is empty where a job cannot use it. `digest` is over all that the result depends on.
    `reason` says why the job was skipped; `error` is empty unless it failed.
    """

    id: str
    kind: str = "centrality"
    tenant: str
    user: str = ""
    state: JobState = JobState.RUNNING
    started_at: Instant
    ended_at: Instant | None = None
    nodes: int = 0
    edges: int = 0
    written: int = 0
    samples: int = 0
    neo4j: str
    gds: str
    graphmem: str
    digest: str = ""
    reason: str = ""
    error: str = ""

    @property
    def impossible(self) -> bool:
        """Whether it was skipped because Graph Data Science is not available."""
        return self.state is JobState.SKIPPED and not self.gds
