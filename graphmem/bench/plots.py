"""A picture of a run: each ratio with its interval and its bar."""

from __future__ import annotations

from pathlib import Path

from graphmem.bench.result import BARS, Result


def plot(result: Result, before: Result | None, path: Path) -> None:
    """Draw the ratios of a run, and those of an earlier one beside them. Needs matplotlib (the extra `demo`)."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    names = list(result.ratios)[::-1]
    figure, axes = pyplot.subplots(figsize=(8, 0.34 * len(names) + 1.2), layout="constrained")
    for shift, run, colour in ((0.0, result, "#1f4e79"), (-0.25, before, "#999999")):
        for place, name in enumerate(names):
            one = run.ratios.get(name) if run is not None else None
            if one is not None:
                axes.plot([one.low, one.high], [place + shift] * 2, color=colour, linewidth=2)
                axes.plot(one.value, place + shift, "o", color=colour, markersize=4)
    for place, name in enumerate(names):
        if name in BARS:
            axes.plot(BARS[name][1], place, "|", color="#b00020", markersize=12)
    axes.set_yticks(range(len(names)), names)
    axes.set_xlabel("ratio, with its 95 % interval; red: the bar")
    axes.grid(axis="x", alpha=0.3)
    figure.savefig(path)
    pyplot.close(figure)
