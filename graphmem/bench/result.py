"""What a run of the benchmark found, as a value, as JSON, as a table, and beside an earlier run."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from graphmem.errors import InvalidInput
from graphmem.measure.bootstrap import Estimate

BARS: Mapping[str, tuple[str, float]] = {
    "recall_small": ("≤", 1.5),
    "recall_big": ("≤", 1.5),
    "growth": ("≤", 1.3),
    "index_recall": ("≥", 0.98),
    "load": ("≥", 0.8),
    "concurrent": ("≥", 0.65),
    "overhead_ms": ("≤", 1.0),
}
"""What the project asks of itself, by the name of the ratio."""


@dataclass(slots=True)
class Result:
    """Ratios by name, each with its interval, and figures (milliseconds, bytes, ...) that depend on the machine."""

    ratios: dict[str, Estimate] = field(default_factory=dict)
    figures: dict[str, float] = field(default_factory=dict)

    def to_json(self) -> str:
        """The run as JSON: ``{"ratios": {name: {"value", "low", "high"}}, "figures": {name: number}}``."""
        ratios = {
            name: {"value": _number(one.value), "low": _number(one.low), "high": _number(one.high)}
            for name, one in self.ratios.items()
        }
        return json.dumps({"ratios": ratios, "figures": self.figures}, indent=2) + "\n"

    def lines(self, before: Result | None = None) -> Iterator[str]:
        """A line for each ratio, with its bar, and with what it was `before`; then the figures."""
        for name, one in self.ratios.items():
            sign, bar = BARS.get(name, ("", math.nan))
            met = "" if not sign else "  ok" if (one.value <= bar if sign == "≤" else one.value >= bar) else "  NOT MET"
            asked = f"  {sign} {bar:g}{met}" if sign else ""
            was = before.ratios.get(name) if before is not None else None
            told = f"  before {was.value:.3f} [{was.low:.3f}, {was.high:.3f}]" if was is not None else ""
            yield f"{name:<28} {one.value:7.3f} [{one.low:.3f}, {one.high:.3f}]{asked}{told}"
        for name, value in self.figures.items():
            yield f"{name:<44} {value:12.3f}"


def read(path: Path) -> Result:
    """An earlier run. Raises InvalidInput for a file that is none."""
    try:
        found = json.loads(path.read_text("utf-8"))
        ratios = {
            name: Estimate(_back(one["value"]), _back(one["low"]), _back(one["high"]), 0)
            for name, one in found["ratios"].items()
        }
        return Result(ratios, {name: float(value) for name, value in found.get("figures", {}).items()})
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read ({error.strerror}); give the file of an earlier run") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InvalidInput(f"{path} holds no run of the benchmark; give a file that --json wrote") from error


def _number(value: float) -> float | None:
    return None if math.isnan(value) else round(value, 4)


def _back(value: float | None) -> float:
    return math.nan if value is None else float(value)
