"""Synthetic memories whose vectors and words cluster: a pure function of their number and a seed.

There is a centre for every twenty memories, at most 500, and all scopes share them: most of what is nearest to a
question belongs to others, as it does in a database of many tenants. A memory lies around its centre with a normal
deviation in each of 384 dimensions, which makes the cosine of two of one centre about 0.7, and about 0 elsewhere. Its
words come in part from those of its centre, in part from a vocabulary whose frequencies fall as Zipf's do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy

from graphmem.models import AnyItem, Episode, Outcome, Reflection, Step

DIMENSIONS = 384
DEVIATION = 0.032
SMALL, TINY = 1_000, 200  # memories of the scope that is measured beside the big one, and of each of the rest
WORDS, OWN = 5_000, 20  # in all; that a centre has
QUERIES = 200
DOMAINS = ("ops", "build", "data", "mail")
TASK_TYPE = "task"
OUTCOMES = (Outcome.SUCCESS, Outcome.SUCCESS, Outcome.SUCCESS, Outcome.FAIL, Outcome.MIXED)
Which = Literal["small", "big"]


@dataclass(frozen=True, slots=True)
class Question:
    """A text with its vector, and the domain that it asks for."""

    text: str
    vector: Sequence[float]
    domain: str


class Data:
    """So many memories in their tenants, and questions to two of these.

    The tenant `small` has exactly 1,000 (or all), `big` half of them, the others 200 each.
    """

    def __init__(self, size: int, seed: int = 0) -> None:
        self.size = size
        self._random = numpy.random.default_rng([seed, size])
        centres = min(500, max(1, size // 20))
        self._centres = _unit(numpy.random.default_rng(seed).normal(size=(500, DIMENSIONS)))[:centres]
        self._own = self._random.integers(0, WORDS, size=(centres, OWN))
        self._centre = self._random.integers(0, centres, size=size)
        self._zipf = numpy.minimum(self._random.zipf(1.3, size=(size, 8)), WORDS) - 1
        self._picked = self._random.integers(0, OWN, size=(size, 6))
        self.tenants = _tenants(size)

    @cached_property
    def vectors(self) -> Any:
        """A unit vector a memory, as float32 of shape (size, 384)."""
        return _unit(self._centres[self._centre] + self._random.normal(size=(self.size, DIMENSIONS)) * DEVIATION)

    def text(self, place: int) -> str:
        """The words of a memory; each text is there once."""
        words = [*self._own[self._centre[place]][self._picked[place]], *self._zipf[place]]
        return f"case {place} " + " ".join(f"w{word}" for word in words)

    def item(self, place: int) -> AnyItem:
        """A memory: nine episodes, then a reflection on two of them."""
        domain, text, id_ = DOMAINS[self._centre[place] % len(DOMAINS)], self.text(place), f"m{place}"
        labels: dict[str, Any] = {"domain": domain, "task_type": TASK_TYPE, "tags": (f"tag{place % 7}",)}
        sources = self._before(place) if place % 10 == 9 else ()
        if sources:
            return Reflection(id=id_, insight=text, conditions=("os = linux",), sources=sources, **labels)
        steps = (Step(action="look at what is there", observation="it is there"), Step(action="change it"))
        return Episode(id=id_, task=text, trajectory=steps, outcome=OUTCOMES[place % len(OUTCOMES)], **labels)

    def places(self, tenant: str) -> list[int]:
        """The memories of a tenant, in their order."""
        return [place for place, whose in enumerate(self.tenants) if whose == tenant]

    def links(self, tenant: str) -> Iterator[tuple[str, str, float]]:
        """Ids of two memories of one centre, and the weight between them: each memory with the next two of its own."""
        before: dict[int, list[int]] = {}
        for place in self.places(tenant):
            others = before.setdefault(int(self._centre[place]), [])
            for other in others[-2:]:
                yield f"m{other}", f"m{place}", float(self.vectors[other] @ self.vectors[place])
            others.append(place)

    def questions(self, which: Which) -> list[Question]:
        """Questions near centres that a tenant has memories of."""
        random = numpy.random.default_rng([self.size, len(which)])
        chosen = random.choice(self.places(self.tenant(which)), QUERIES)
        drawn = random.normal(size=(QUERIES, DIMENSIONS)) * DEVIATION
        vectors = _unit(self._centres[self._centre[chosen]] + drawn)
        return [
            Question(
                text=f"question {which} {number} "
                + " ".join(f"w{word}" for word in [*self._own[self._centre[place]][:5], *self._zipf[place][:3]]),
                vector=vector.tolist(),
                domain=DOMAINS[self._centre[place] % len(DOMAINS)],
            )
            for number, (place, vector) in enumerate(zip(chosen.tolist(), vectors, strict=True))
        ]

    def tenant(self, which: Which) -> str:
        """The tenant that is measured; where all memories are one tenant's, that."""
        return which if which in self.tenants else self.tenants[0]

    def exact(self, which: Which, question: Question, domain: str | None, k: int = 10) -> list[str]:
        """The ids of the tenant's k memories of greatest cosine to a question, computed from all of them."""
        places = numpy.asarray(self.places(self.tenant(which)))
        if domain is not None:
            places = places[self._centre[places] % len(DOMAINS) == DOMAINS.index(domain)]
        cosines = self.vectors[places] @ numpy.asarray(question.vector, dtype="float32")
        return [f"m{places[place]}" for place in numpy.argsort(-cosines, kind="stable")[:k]]

    def _before(self, place: int) -> tuple[str, ...]:
        mine = self.tenants[place]
        near = [p for p in range(place - 1, max(-1, place - 30), -1) if self.tenants[p] == mine and p % 10 != 9]
        return tuple(f"m{p}" for p in near[:2])


@dataclass(frozen=True, slots=True)
class TableEmbedder:
    """The vectors of known texts, without a model: what is measured with it has no cost of embedding in it."""

    data: Data
    asked: dict[str, Sequence[float]]
    name: str = "table"
    dimensions: int = DIMENSIONS
    threshold: float | None = 0.65
    max_tokens: int = 8000

    def embed(self, texts: Sequence[str], kind: Literal["query", "document"] = "document") -> list[Sequence[float]]:
        """The vector of each text; KeyError for one that is neither a memory nor a question."""
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> Sequence[float]:
        known = self.asked.get(text)
        if known is not None:
            return known
        vector: list[float] = self.data.vectors[int(text.split()[1])].tolist()
        return vector


def _tenants(size: int) -> list[str]:
    if size <= SMALL:
        return ["small"] * size
    big, others = size // 2, max(1, (size - size // 2 - SMALL) // TINY)
    names = ["small"] * SMALL + ["big"] * big + [f"other{n % others}" for n in range(size - big - SMALL)]
    order = numpy.random.default_rng(size).permutation(size)
    return [names[place] for place in order]


def _unit(vectors: Any) -> Any:
    return (vectors / numpy.linalg.norm(vectors, axis=1, keepdims=True)).astype("float32")
