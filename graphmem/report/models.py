"""What a report says, as values."""

from __future__ import annotations

from datetime import date

from graphmem.learn.evidence import wilson
from graphmem.measure import Metrics, Spread
from graphmem.models import Kind, Outcome, Status, Value
from graphmem.text import Instant


class Ended(Value):
    """How attempts ended of which that is known.

    `rate` is the share of successes (None without any attempt), `lower` and `upper` the bounds of its 95 % score
    interval (Wilson 1927), all in [0, 1]. What is mixed is no success.
    """

    success: int = 0
    mixed: int = 0
    fail: int = 0
    rate: float | None = None
    lower: float = 0.0
    upper: float = 1.0

    @property
    def known(self) -> int:
        """How many attempts these are."""
        return self.success + self.mixed + self.fail

    @classmethod
    def of(cls, success: int = 0, mixed: int = 0, fail: int = 0) -> Ended:
        """Count attempts, and say what that tells of the rate."""
        known = success + mixed + fail
        lower, upper = wilson(success, known)
        rate = success / known if known else None
        return cls(success=success, mixed=mixed, fail=fail, rate=rate, lower=lower, upper=upper)


class Week(Value):
    """One week, from the Monday `starts` on (UTC): its recalls by decision, how they and its episodes ended."""

    starts: date
    use: int = 0
    verify: int = 0
    novel: int = 0
    policy_only: int = 0
    recalls: Ended = Ended()
    episodes: Ended = Ended()

    @property
    def asked(self) -> int:
        """How many recalls of this week left a receipt."""
        return self.use + self.verify + self.novel + self.policy_only


class Attempt(Value):
    """How the `n`-th attempts at their tasks ended; from `open_ended` on, all later ones together."""

    n: int
    open_ended: bool = False
    ended: Ended


class Blamed(Value):
    """A memory that misled `times` times, first `since` then, and is not corrected since."""

    id: str
    label: str
    status: Status
    times: int
    since: Instant


class Corrections(Value):
    """What became of memories that misled.

    Of the `blamed`, so many were `corrected` after they first misled; `took` is how long that took, in seconds. `open`
    are those blamed last of the others, at most ten.
    """

    blamed: int = 0
    corrected: int = 0
    took: Spread | None = None
    open: tuple[Blamed, ...] = ()

    @property
    def uncorrected(self) -> int:
        """How many were not corrected after they misled."""
        return self.blamed - self.corrected


class Proof(Value):
    """A skill and what speaks for it.

    `support` counts its distinct successes, `success_rate` and its lower Wilson bound `success_low` are in [0, 1], all
    None before the first consolidation judged it; `successes` and `failures` count its uses, `misled` the recalls of
    these scopes in which it misled; `approved` says whether a person vouches for it.
    """

    id: str
    label: str
    version: int
    status: Status
    support: int | None
    success_rate: float | None
    success_low: float | None
    successes: int
    failures: int
    misled: int
    approved: bool


class Slow(Value):
    """One recall, and how many milliseconds its client waited."""

    id: str
    at: Instant
    domain: str
    decision: str
    milliseconds: float


class Speed(Value):
    """How long recalls took for their clients, in milliseconds: quantiles of the `measured`, and the ten slowest."""

    measured: int = 0
    p50: float | None = None
    p95: float | None = None
    p99: float | None = None
    slowest: tuple[Slow, ...] = ()


class Node(Value):
    """A memory of the picture; `outcome` is that of an episode, `links` how many lines of the picture end at it."""

    id: str
    user: str
    kind: Kind
    label: str
    status: Status
    outcome: Outcome | None
    links: int


class Edge(Value):
    """A link of the picture: the places of its two ends among the nodes, and its kind.

    The kind is derives, generalizes, corrects, or that of a link made by `link`: similar, contradicts, ….
    """

    start: int
    end: int
    kind: str


class Graph(Value):
    """The best connected part of the memories, at most sixty of them, best linked first."""

    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()


class Report(Value):
    """How a scope's memory works, and what it has come to.

    `metrics` are those of the verb of that name. `weeks` are the last 53 weeks in which anything happened, oldest
    first; `attempts` the learning curve over the tries of one task. All of it stands for the newest 100,000 recalls and
    100,000 own episodes at most; secure memories are counted in `metrics.stock` and `metrics.lag` and nowhere else.
    """

    tenant: str
    user: str
    at: Instant
    metrics: Metrics
    recalls: Ended = Ended()
    weeks: tuple[Week, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    corrections: Corrections = Corrections()
    skills: tuple[Proof, ...] = ()
    speed: Speed = Speed()
    graph: Graph = Graph()

    @property
    def empty(self) -> bool:
        """Whether nothing was recorded or asked yet."""
        return not (self.metrics.stock or self.metrics.domains or self.weeks or self.skills or self.graph.nodes)
