"""What a run of consolidation says of itself, and how long its queue is."""

from __future__ import annotations

from graphmem.learn.drafts import Usage
from graphmem.models import Identifier, Value
from graphmem.text import Instant


class Queue(Value):
    """What waits in a scope: episodes to be reflected, lessons to be grouped, groups to be distilled.

    `dead` counts episodes that were tried too often; `oldest` is since when the oldest episode waits; `lag_p50` and
    `lag_p95` are how long the latest thousand waited, from recorded to reflected, in seconds.
    """

    waiting: int = 0
    grouping: int = 0
    distilling: int = 0
    dead: int = 0
    oldest: Instant | None = None
    lag_p50: float | None = None
    lag_p95: float | None = None


class Decided(Value):
    """A skill whose standing changed, or would: from what to what, and on which evidence."""

    id: Identifier
    change: str
    reason: str


class Drafted(Value):
    """A lesson that a dry run would write, and from which episodes."""

    insight: str
    sources: tuple[str, ...]


class Consolidation(Value):
    """One run: how many episodes it reflected, what came of them, and what still waits.

    `lessons` are new reflections, `repeated` lessons that were there and gained evidence; `skills` are new versions;
    `failed` are episodes given back for later, `dead` those of them that were tried too often. `cost` is in the
    currency of the configured prices. In a dry run nothing is written: `drafts` and `decided` say what would be.
    """

    id: str
    tenant: str
    user: str = ""
    started_at: Instant
    ended_at: Instant
    reflector: str
    dry_run: bool = False
    episodes: int = 0
    lessons: int = 0
    repeated: int = 0
    grouped: int = 0
    skills: int = 0
    failed: int = 0
    dead: int = 0
    decided: tuple[Decided, ...] = ()
    drafts: tuple[Drafted, ...] = ()
    usage: Usage = Usage()
    cost: float = 0.0
    queue: Queue = Queue()
    warnings: tuple[str, ...] = ()
