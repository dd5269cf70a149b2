"""The systems that are compared: graphmem, and what anyone would build first, on the same vectors and index."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

from graphmem.embed import Embedder, Vectors, embed_texts
from graphmem.embed.protocol import TextKind
from graphmem.errors import EmbeddingError, InvalidInput
from graphmem.measure.evaluate.data import Ask, Known
from graphmem.recall import Recall, Request
from graphmem.recall.lexical import lucene
from graphmem.record import Recorded
from graphmem.settings import Settings
from graphmem.steps import Call, Read
from graphmem.store.catalogue import statement

if TYPE_CHECKING:
    from graphmem.memory import Memory
    from graphmem.store.driver import Database

DEPTH = 30  # ranks that are judged, of every system
POOL = 100  # ranks that each side gives to the fusion
BATCH = 64
LIMIT = 10
RRF = 60  # k of Cormack, Clarke and Büttcher 2009, "Reciprocal rank fusion outperforms Condorcet ..."
BASELINES = ("vector", "fulltext", "rrf", "random")


@dataclass(frozen=True, slots=True)
class Ranked:
    """One system's answer: the memories, best first, and how sure it is (on a scale of its own)."""

    ids: tuple[str, ...]
    confidence: float
    recall: Recall | None = None


class Once:
    """An embedder that embeds each text once, so that all systems see the same vectors."""

    def __init__(self, model: Embedder) -> None:
        self.name = model.name
        self.dimensions = model.dimensions
        self.threshold = getattr(model, "threshold", None)
        self.max_tokens = getattr(model, "max_tokens", 512)
        self._model = model
        self._known: dict[tuple[str, str], Sequence[float]] = {}

    def embed(self, texts: Sequence[str], kind: TextKind) -> Vectors:
        """The vectors of the texts; only new ones are embedded. Raises what the model raises."""
        new = [text for text in dict.fromkeys(texts) if (kind, text) not in self._known]
        if new:
            self._known |= zip(((kind, text) for text in new), self._model.embed(new, kind), strict=True)
        return [self._known[kind, text] for text in texts]


def showing_all(settings: Settings) -> Settings:
    """The same settings with answers that hold every candidate, so that other weights can order all of them."""
    rules = settings.recall
    shown = min(1000, rules.vector_candidates + rules.text_candidates + 2 * rules.neighbours)
    return settings.model_copy(update={"recall": rules.model_copy(update={"shown": shown})})


class Product:
    """graphmem as its users have it: memories are recorded, questions recalled, outcomes fed back."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    def learn(self, known: Sequence[Known]) -> None:
        """Record memories. Raises InvalidInput that names the first that was not taken."""
        answers: Sequence[Recorded] = self.memory.record_many([one.item for one in known])
        for answer in answers:
            if answer.problem:
                raise InvalidInput(f"memory {answer.id} was not recorded: {answer.problem}")

    def rank(self, asks: Sequence[Ask]) -> list[Ranked]:
        """Recall for each question; what a question excludes is asked for beyond the limit, and dropped."""
        ranked = []
        for start in range(0, len(asks), BATCH):
            batch = asks[start : start + BATCH]
            answers = self.memory.recall_many(
                [Request(text=ask.text, limit=LIMIT + len(ask.excluded)) for ask in batch]
            )
            ranked += [_ranked(ask, answer) for ask, answer in zip(batch, answers, strict=True)]
        return ranked

    def credit(self, asks: Sequence[Ask], ranked: Sequence[Ranked]) -> None:
        """Tell how the attempts behind these questions ended, and with which memory."""
        for ask, one in zip(asks, ranked, strict=True):
            if ask.evidence is not None and one.recall is not None:
                outcome = "success" if ask.evidence.succeeded else "fail"
                self.memory.feedback(one.recall, outcome=outcome, used=[ask.evidence.used])


class Baselines:
    """Exact cosine, the full-text index, their fusion, and chance, over the same memories."""

    def __init__(self, embedder: Embedder, database: Database, scopes: Sequence[str], seed: int) -> None:
        self._embedder = embedder
        self._database = database
        self._scopes = list(scopes)
        self._random = Random(seed)  # noqa: S311 - a draw that can be repeated, not a secret
        self._ids: list[str] = []
        self._rows: list[Sequence[float]] = []

    def learn(self, known: Sequence[Known]) -> None:
        """Take the vectors of memories that graphmem has recorded."""
        self._ids += [one.id for one in known]
        self._rows += self._vectors([one.item.searchable() for one in known], "document")

    def rank(self, asks: Sequence[Ask]) -> Mapping[str, list[Ranked]]:
        """The rankings of each baseline for these questions; equal scores are ordered by id."""
        found: dict[str, list[Ranked]] = {name: [] for name in BASELINES}
        for start in range(0, len(asks), BATCH):
            batch = asks[start : start + BATCH]
            for ask, near, words in zip(batch, self._near(batch), self._words(batch), strict=True):
                places: dict[str, float] = defaultdict(float)
                for side in (near, words):
                    for rank, (id_, _) in enumerate(side, 1):
                        places[id_] += 1 / (RRF + rank)
                drawn = [(id_, self._random.random()) for id_ in self._ids]
                for name, scored in zip(BASELINES, (near, words, _best(places.items()), _best(drawn)), strict=True):
                    kept = [pair for pair in scored if pair[0] not in ask.excluded][:DEPTH]
                    found[name].append(Ranked(tuple(id_ for id_, _ in kept), kept[0][1] if kept else 0.0))
        return found

    def _vectors(self, texts: Sequence[str], kind: TextKind) -> list[Sequence[float]]:
        vectors = [embedded.vector for embedded in embed_texts(self._embedder, texts, kind)]
        if None in vectors:
            raise EmbeddingError(f"{texts[vectors.index(None)]!r:.80} has no vector, so nothing can be compared")
        return [vector for vector in vectors if vector is not None]

    def _near(self, asks: Sequence[Ask]) -> Iterable[list[tuple[str, float]]]:
        import numpy

        cosines = numpy.asarray(self._vectors([ask.text for ask in asks], "query")) @ numpy.asarray(self._rows).T
        for row in cosines:
            first = numpy.argsort(-row, kind="stable")[: POOL * 2]
            yield _best((self._ids[place], round(float(row[place]), 9)) for place in first)

    def _words(self, asks: Sequence[Ask]) -> list[list[tuple[str, float]]]:
        queries = [
            {"position": position, "lucene": lucene(ask.text, self._scopes)} for position, ask in enumerate(asks)
        ]
        given: dict[str, Any] = {"queries": queries, "scopes": self._scopes, "limit": POOL}
        found: list[list[tuple[str, float]]] = [[] for _ in asks]
        for row in self._database.answer(Read(Call(statement("measure/fulltext"), given))):
            found[row["position"]].append((row["id"], row["bm25"]))
        return found


def _best(scored: Iterable[tuple[str, float]]) -> list[tuple[str, float]]:
    return sorted(scored, key=lambda pair: (-pair[1], pair[0]))[:POOL]


def _ranked(ask: Ask, answer: Recall) -> Ranked:
    ids = tuple(one.id for one in answer.candidates if one.id not in ask.excluded)
    return Ranked(ids[:DEPTH], answer.best, answer)
