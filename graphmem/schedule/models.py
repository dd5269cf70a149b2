"""What a run of a scheduled job tells."""

from __future__ import annotations

from enum import StrEnum

from graphmem.fields import Value
from graphmem.text import Instant


class JobName(StrEnum):
    """The jobs, in the order in which they run one after the other: each finds what the ones before it left."""

    FLUSH = "flush"
    CONSOLIDATION = "consolidation"
    RETENTION = "retention"
    CENTRALITY = "centrality"


class RunState(StrEnum):
    """How a run ended; `skipped` had nothing to do, or nothing to do it with."""

    DONE = "done"
    SKIPPED = "skipped"
    FAILED = "failed"


class Run(Value):
    """One run of a job on one scope: whose, when, how it ended, and what it did, or why not, in one line.

    `user` is empty for what the tenant shares, and for a run on a tenant with all its users. `impossible` marks a job
    that needs what is not installed on the server.
    """

    job: JobName
    tenant: str
    user: str
    state: RunState
    told: str
    started_at: Instant
    ended_at: Instant
    impossible: bool = False

    @property
    def reached(self) -> bool:
        """Whether the database was asked: a flush that finds nothing waiting asks nobody."""
        return not (self.job is JobName.FLUSH and self.state is RunState.SKIPPED)
