"""What must never happen, tried at full size: a small scope is starved by a large one, centrality decides."""

from __future__ import annotations

import math
import time
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from graphmem.embed.protocol import TextKind
from graphmem.measure.bootstrap import Estimate, mean_interval
from graphmem.measure.evaluate.report import PRODUCT, Report
from graphmem.models import Episode, Outcome
from graphmem.recall import Recall, Request
from graphmem.scope import Scope
from graphmem.settings import Settings
from graphmem.steps import Call, Write
from graphmem.store.catalogue import statement
from graphmem.text import utc_now

if TYPE_CHECKING:
    from graphmem.memory import Memory
    from graphmem.store.driver import Database

ISOLATION = "isolation"
LARGE, SMALL, BATCH = 50_000, 5, 2_500
HEAVY = (1.0, 1000.0)  # weights of centrality: as much as the cosine, and beside which nothing else counts
ASKED = 200
QUESTIONS = ("1.0 pump", "1.0 valve", "0.99 pump l7")


@dataclass(frozen=True, slots=True)
class Leading:
    """An embedder whose texts begin with their cosine to the first axis; the rest lies on an axis of the text's own."""

    name: str = "leading"
    dimensions: int = 384
    threshold: float = 0.3

    def embed(self, texts: Sequence[str], kind: TextKind) -> list[list[float]]:
        """The unit vectors of the texts."""
        return [self._vector(text, float(text.split(" ", 1)[0])) for text in texts]

    def _vector(self, text: str, cosine: float) -> list[float]:
        vector = [0.0] * self.dimensions
        vector[0] = cosine
        vector[1 + zlib.crc32(text.encode()) % (self.dimensions - 1)] = math.sqrt(1.0 - cosine * cosine)
        return vector


def isolation(
    client: type[Memory],
    settings: Settings,
    say: Callable[[str], object],
    large: int = LARGE,
    small: int = SMALL,
    batch: int = BATCH,
) -> Report:
    """Small scopes beside a large one of nearer memories: another tenant's, and another user's of the same tenant.

    `large` and `small` (at most 30) are how many memories they hold, `batch` how many are recorded at once.
    `own_found` is the share of the small scope's memories among the hits, `foreign_seen` the share of answers that show
    anything else.
    """
    start, found, foreign = time.perf_counter(), list[float](), list[float]()
    with client("large", "u1", settings=settings, embedder=Leading()) as other:
        for begin in range(0, large, batch):
            end = min(begin + batch, large)
            other.record_many([_episode(f"l{n}", 0.9) for n in range(begin, end)])
            say(f"{end} of {large} memories of another scope recorded")
    for tenant, user in (("small", None), ("large", "u2")):
        with client(tenant, user, settings=settings, embedder=Leading()) as own:
            own.record_many([_episode(f"s{n}", 0.4 + n / 100) for n in range(small)])
            for answer in own.recall_many([Request(text=text, limit=small) for text in QUESTIONS]):
                found.append(sum(hit.id.startswith("s") for hit in answer.hits) / small)
                foreign.append(float(any(not one.id.startswith("s") for one in answer.candidates)))
    systems = {PRODUCT: {"own_found": mean_interval(found), "foreign_seen": mean_interval(foreign)}}
    return Report(ISOLATION, large + 2 * small, len(found), time.perf_counter() - start, systems)


def heavy(settings: Settings, weight: float) -> Settings:
    """Settings by which centrality has this weight."""
    weights = settings.recall.weights.model_copy(update={"centrality": weight})
    return settings.model_copy(update={"recall": settings.recall.model_copy(update={"weights": weights})})


def tried_centrality(
    memory: Memory,
    others: Sequence[Memory],
    database: Database,
    own: Scope,
    ids: Sequence[str],
    texts: Sequence[str],
    seed: int,
    asked: int = ASKED,
) -> dict[str, Estimate]:
    """What random centralities change for at most `asked` of the questions, by any of the weights.

    `memory` and `others` are clients of the scope `own`, that differ in the weight of centrality alone and show all
    candidates. decided_by_centrality is the share of questions whose decision, best relevance, bar, or relevances at or
    above the bar change, and must be 0; ordered_by_centrality is the share whose order changes, and says that
    centrality was there at all. Centralities are 0 afterwards.
    """
    random = Random(seed)  # noqa: S311 - a draw that can be repeated
    requests = [Request(text=text) for text in random.sample(list(texts), min(asked, len(texts)))]
    before = memory.recall_many(requests)
    _give(database, own, [(id_, random.random()) for id_ in ids])
    try:
        after = list(zip(*(other.recall_many(requests) for other in others), strict=True))
    finally:
        _give(database, own, [(id_, 0.0) for id_ in ids])
    pairs = list(zip(before, after, strict=True))
    return {
        "decided_by_centrality": mean_interval(
            [float(any(_decided(then) != _decided(one) for then in later)) for one, later in pairs]
        ),
        "ordered_by_centrality": mean_interval(
            [float(any(_order(then) != _order(one) for then in later)) for one, later in pairs]
        ),
    }


def _decided(answer: Recall) -> tuple[object, ...]:
    """All that only relevance may settle; which of two doubles stands for both is a matter of the order."""
    bar = answer.evidence.bar
    admitted = sorted(round(one.relevance, 9) for one in answer.candidates if one.relevance >= bar)
    return answer.decision, answer.best, bar, tuple(admitted)


def _order(answer: Recall) -> list[str]:
    return [one.id for one in answer.candidates]


def _give(database: Database, own: Scope, values: Sequence[tuple[str, float]]) -> None:
    rows = [{"id": id_, "degree": value, "betweenness": value, "centrality": value} for id_, value in values]
    given = {"scope": own.own, "rows": rows, "now": utc_now()}
    database.answer(Write([Call(statement("jobs/centrality"), given)]))


def _episode(id_: str, cosine: float) -> Episode:
    return Episode(id=id_, task=f"{cosine} pump {id_}", outcome=Outcome.SUCCESS)
