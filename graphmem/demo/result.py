"""What came out: mean scores of the conditions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from graphmem.demo.play import Run
from graphmem.demo.protocol import Condition


@dataclass(frozen=True, slots=True)
class Result:
    """The runs of all conditions that were played."""

    runs: tuple[Run, ...]

    def scores(self) -> dict[Condition, float]:
        """The mean best score of each condition that was played, from 0 to 100."""
        return {c: round(mean([run.best for run in self.of(c)]), 1) for c in Condition if self.of(c)}

    def finals(self) -> dict[Condition, float]:
        """The mean final score of each condition that was played, negatives as 0."""
        return {c: round(mean([run.final for run in self.of(c)]), 1) for c in Condition if self.of(c)}

    def of(self, condition: Condition) -> list[Run]:
        """The runs of a condition."""
        return [run for run in self.runs if run.condition is condition]

    def variations(self) -> int:
        """How many test variations were played."""
        return len({(run.task, run.variation) for run in self.runs})

    def tasks(self) -> Mapping[str, Mapping[Condition, float]]:
        """The mean best score of each task under each condition."""
        names = dict.fromkeys(run.task for run in self.runs)
        return {
            name: {c: mean([run.best for run in self.of(c) if run.task == name]) for c in Condition if self.of(c)}
            for name in names
        }

    def as_json(self) -> dict[str, object]:
        """The object that `--json` prints."""
        return {"variations": self.variations(), "scores": {str(c): score for c, score in self.scores().items()}}


def mean(values: Sequence[float]) -> float:
    """The mean; 0 of nothing."""
    return sum(values) / len(values) if values else 0.0


def collect(runs: Iterable[Run]) -> Result:
    """A result of runs, in a fixed order."""
    order = list(Condition)
    return Result(tuple(sorted(runs, key=lambda run: (order.index(run.condition), run.task, run.variation))))
