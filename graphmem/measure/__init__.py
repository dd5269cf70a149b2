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

__all__ = [
    "Calibration",
    "Chosen",
    "Judged",
    "Judgement",
    "Judgements",
    "Metrics",
    "Rollback",
    "Target",
    "Version",
    "calibrate",
    "judge",
    "metrics",
    "parameters",
    "rollback",
]
