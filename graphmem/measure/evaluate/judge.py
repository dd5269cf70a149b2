"""Rankings become grades: what was relevant, and better, among the memories that were there when it was asked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graphmem.measure.bootstrap import Estimate, mean_interval
from graphmem.measure.evaluate.data import Ask, DataSet, Known
from graphmem.measure.evaluate.systems import Ranked
from graphmem.measure.ranking import ndcg_at, precision_at, recall_at, reciprocal_rank, success_at_1

RELEVANT, BETTER = 1.0, 2.0
SHOWN = 10


@dataclass(frozen=True, slots=True)
class Bar:
    """What a question could have got at best: the ids of its relevant memories, and of the better ones among them."""

    relevant: frozenset[str]
    better: frozenset[str]

    def grade(self, id_: str) -> float:
        """0 for a memory that is not relevant, else 1, or 2 for a better one."""
        return (id_ in self.relevant) * RELEVANT + (id_ in self.better) * (BETTER - RELEVANT)

    @property
    def ideal(self) -> list[float]:
        """The first grades of the best possible ranking."""
        plain = len(self.relevant) - len(self.better)
        return ([BETTER] * len(self.better) + [RELEVANT] * plain)[:SHOWN]


@dataclass(frozen=True, slots=True)
class Judged:
    """One answer of one system beside what it could have been."""

    ask: Ask
    bar: Bar
    ranked: Ranked

    @property
    def grades(self) -> list[float]:
        """The grades of its ranking, best rank first."""
        return [self.bar.grade(id_) for id_ in self.ranked.ids]

    @property
    def wrong(self) -> bool:
        """Whether acting on the first memory would have been a false hit."""
        return not self.ranked.ids or not self.bar.grade(self.ranked.ids[0])


class Judge:
    """Knows which memories are there, and how they ended so far."""

    def __init__(self, data: DataSet) -> None:
        self._graded = data.graded
        self._groups: dict[str, set[str]] = defaultdict(set)
        self._better: set[str] = set()

    def learn(self, known: Sequence[Known]) -> None:
        """These memories were recorded."""
        for one in known:
            self._groups[one.group].add(one.id)
        self._better |= {one.id for one in known if one.better and self._graded}

    def credit(self, asks: Sequence[Ask]) -> None:
        """The attempts behind these questions have ended."""
        self._better |= {ask.evidence.used for ask in asks if ask.evidence and ask.evidence.succeeded and self._graded}

    def bar(self, ask: Ask) -> Bar:
        """What this question could get now."""
        groups = [self._groups[group] for group in ask.groups if group in self._groups]
        relevant = frozenset[str]().union(*groups) - ask.excluded
        return Bar(relevant, relevant & self._better)


def values(data: DataSet, judged: Sequence[Judged]) -> Mapping[str, list[float]]:
    """Each ranking metric of the set, one value a question to which it applies, in the order of the questions.

    All apply to questions with a relevant memory; success@1 to those with a better one when the set is graded.
    """
    found: dict[str, list[float]] = {name: [] for name in data.metrics}
    for one in judged:
        grades, bar = one.grades, one.bar
        if not bar.relevant:
            continue
        of = {
            "ndcg@10": ndcg_at(grades, 10, bar.ideal),
            "mrr": reciprocal_rank(grades),
            "recall@10": recall_at(grades, 10, len(bar.relevant)),
            "precision@3": precision_at(grades, 3),
        }
        if not data.graded or bar.better:
            of["success@1"] = success_at_1(grades, BETTER if data.graded else RELEVANT)
        for name in data.metrics:
            if name in of:
                found[name].append(of[name])
    return found


def estimates(found: Mapping[str, Sequence[float]], seed: int) -> dict[str, Estimate]:
    """The mean of each metric with its interval."""
    return {name: mean_interval(column, seed) for name, column in found.items()}


def difference(ours: Sequence[float], theirs: Sequence[float], seed: int) -> Estimate:
    """The mean of the paired differences, question by question, with its interval."""
    return mean_interval([one - other for one, other in zip(ours, theirs, strict=True)], seed)
