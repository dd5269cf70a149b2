"""How well it works: rankings and calibration, measured."""

from graphmem.measure.calibrate import (
    Calibration,
    Chosen,
    Rollback,
    Target,
    Version,
    calibrate,
    parameters,
    rollback,
)
from graphmem.measure.judge import Judged, Judgement, Judgements, judge
from graphmem.measure.metrics import Metrics, metrics
from graphmem.measure.spread import Spread, spread

__all__ = [
    "Calibration",
    "Chosen",
    "Judged",
    "Judgement",
    "Judgements",
    "Metrics",
    "Rollback",
    "Spread",
    "Target",
    "Version",
    "calibrate",
    "judge",
    "metrics",
    "parameters",
    "rollback",
    "spread",
]
