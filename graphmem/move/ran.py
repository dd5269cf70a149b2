"""What jobs that have ended said of themselves: the log of their runs."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from graphmem.models import Identifier, Text, When
from graphmem.move.records import Number, Record
from graphmem.text import shown

QUEUE = "queue"  # the node that the workers of a scope lock
KINDS = ("centrality", "consolidation", "erasure", "retention")
COUNTS = frozenset(
    {
        *("edges", "nodes", "samples", "written"),
        *("dead", "decided", "episodes", "failed", "grouped", "lessons", "repeated", "skills"),
        *("completion_tokens", "prompt_tokens", "requests"),
        *("excess", "expired", "faded", "jobs", "living", "receipts", "scopes", "superseded"),
        *("awaiting", "demoted", "links", "parameters", "reflections", "rules", "signed", "waiting"),
    }
)
TEXTS = frozenset({"gds", "graphmem", "neo4j", "reason", "reflector"})


class Ran(Record):
    """What a job that has ended said of itself; `counts` and `texts` hold what only some kinds of job say."""

    sort = 3

    kind: Literal["job"]
    id: Identifier
    job: Literal["centrality", "consolidation", "erasure", "retention"]
    state: Literal["done", "failed", "killed", "skipped"]
    started_at: When | None = None
    ended_at: When | None = None
    until: When | None = None
    error: Text | None = None
    cost: float | None = None
    counts: dict[str, Number] = Field(default_factory=dict)
    texts: dict[str, Text] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _known(self) -> Ran:
        strange = sorted(({*self.counts} - COUNTS) | ({*self.texts} - TEXTS))
        if strange:
            raise ValueError(f"no job says {shown(strange[0])}")
        if self.id == QUEUE:
            raise ValueError(f"{QUEUE} is no run of a job")
        return self
