"""What was measured on one data set, and its JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from graphmem.measure.bootstrap import Estimate
from graphmem.measure.evaluate.ablation import Ablated, Limited
from graphmem.measure.ranking import Point

PRODUCT = "graphmem"
FITTED = "graphmem_fitted"  # the same answers, ordered by weights that other questions chose


@dataclass(frozen=True, slots=True)
class Versus:
    """graphmem beside the best baseline of a metric: the mean of the paired differences, above 0 when it is better."""

    metric: str
    baseline: str
    difference: Estimate


@dataclass(frozen=True, slots=True)
class Report:
    """One data set: how much was recorded and asked, every metric of every system, what explains them, and notes."""

    name: str
    known: int
    asked: int
    seconds: float
    systems: Mapping[str, Mapping[str, Estimate]]
    versus: Sequence[Versus] = ()
    ablation: Sequence[Ablated] = ()
    limits: Sequence[Limited] = ()
    curves: Mapping[str, Sequence[Point]] | None = None
    notes: Sequence[str] = ()


def to_json(reports: Sequence[Report]) -> str:
    """``{data set: {system: {metric: {"value", "low", "high", "n"}}}}``; what could not be measured is null."""
    content = {
        report.name: {
            system: {metric: _plain(estimate) for metric, estimate in metrics.items()}
            for system, metrics in report.systems.items()
        }
        for report in reports
    }
    return json.dumps(content, indent=2, allow_nan=False) + "\n"


def _plain(estimate: Estimate) -> dict[str, float | int | None]:
    return {
        name: None if isinstance(number, float) and not math.isfinite(number) else number
        for name, number in asdict(estimate).items()
    }
