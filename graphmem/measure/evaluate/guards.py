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
from graphmem.recall import Request
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
HEAVY = 1000.0  # a weight of centrality beside which nothing else counts
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


def isolation(client: type[Memory], settings: Settings, say: Callable[[str], object]) -> Report:
    """Scopes of 5 memories beside one of 50,000 nearer ones: another tenant's, and another user's of the same tenant.

    `own_found` is the share of the 5 among the hits, `foreign_seen` the share of answers that show anything else.
    """
    start, found, foreign = time.perf_counter(), list[float](), list[float]()
    with client("large", "u1", settings=settings, embedder=Leading()) as large:
        for begin in range(0, LARGE, BATCH):
            large.record_many([_episode(f"l{n}", 0.9) for n in range(begin, begin + BATCH)])
            say(f"{begin + BATCH} of {LARGE} memories of another scope recorded")
    for tenant, user in (("small", None), ("large", "u2")):
        with client(tenant, user, settings=settings, embedder=Leading()) as small:
            small.record_many([_episode(f"s{n}", 0.4 + n / 50) for n in range(SMALL)])
            for answer in small.recall_many([Request(text=text, limit=SMALL) for text in QUESTIONS]):
                found.append(len(answer.hits) / SMALL)
                foreign.append(float(any(not one.id.startswith("s") for one in answer.candidates)))
    systems = {PRODUCT: {"own_found": mean_interval(found), "foreign_seen": mean_interval(foreign)}}
    return Report(ISOLATION, LARGE + 2 * SMALL, len(found), time.perf_counter() - start, systems)


def heavy(settings: Settings) -> Settings:
    """Settings by which centrality outweighs everything else."""
    weights = settings.recall.weights.model_copy(update={"centrality": HEAVY})
    return settings.model_copy(update={"recall": settings.recall.model_copy(update={"weights": weights})})


def decided_by_centrality(
    memory: Memory, other: Memory, database: Database, own: Scope, ids: Sequence[str], texts: Sequence[str], seed: int
) -> Estimate:
    """The share of questions whose decision changes when random centralities outweigh everything else; must be 0.

    `memory` and `other` are clients of the scope `own`, the second with `heavy` settings. Centralities are set to 0
    again.
    """
    random = Random(seed)  # noqa: S311 - a draw that can be repeated
    asked = random.sample(list(texts), min(ASKED, len(texts)))
    requests = [Request(text=text) for text in asked]
    before = memory.recall_many(requests)
    _give(database, own, [(id_, random.random()) for id_ in ids])
    after = other.recall_many(requests)
    _give(database, own, [(id_, 0.0) for id_ in ids])
    return mean_interval(
        [float((one.decision, one.best) != (then.decision, then.best)) for one, then in zip(before, after, strict=True)]
    )


def _give(database: Database, own: Scope, values: Sequence[tuple[str, float]]) -> None:
    rows = [{"id": id_, "degree": value, "betweenness": value, "centrality": value} for id_, value in values]
    given = {"scope": own.own, "rows": rows, "now": utc_now()}
    database.answer(Write([Call(statement("jobs/centrality"), given)]))


def _episode(id_: str, cosine: float) -> Episode:
    return Episode(id=id_, task=f"{cosine} pump {id_}", outcome=Outcome.SUCCESS)
