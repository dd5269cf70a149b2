"""The learning curve as a picture."""

from __future__ import annotations

from pathlib import Path

from graphmem.demo.protocol import Condition, Protocol
from graphmem.demo.result import Result


def draw(result: Result, shown: int, lived: int, protocol: Protocol, path: Path) -> Path:
    """Write a PNG and give its path: test scores over the episodes remembered, and all conditions side by side.

    `shown` demonstrations were recorded before the first test round, `lived` episodes before the last one.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 4.5), layout="constrained")
    FigureCanvasAgg(figure)
    curve, bars = figure.subplots(1, 2)
    scores, finals = result.scores(), result.finals()
    remembered = {Condition.EMPTY: 0, Condition.MEMORY: shown, Condition.AFTER_CORRECTION: shown + lived}
    points = [(remembered[condition], scores[condition]) for condition in remembered if condition in scores]
    curve.plot([x for x, _ in points], [y for _, y in points], "o-", color="tab:green", label="the agent with graphmem")
    for x, y in points:
        curve.annotate(f"{y:.0f}", (x, y), textcoords="offset points", xytext=(0, 8), ha="center")
    for condition, style in ((Condition.LITERAL, "--"), (Condition.RANDOM, ":")):
        if condition in scores:
            curve.axhline(scores[condition], linestyle=style, color="tab:gray", label=f"{condition} replay")
    curve.set(xlabel="episodes in memory", ylabel="mean best score", ylim=(0, 105))
    curve.margins(x=0.1)
    curve.legend(loc="upper left", fontsize=8)
    names = [str(condition) for condition in scores]
    bars.barh(names, list(scores.values()), color="tab:green", alpha=0.6, label="best of the run")
    bars.plot(list(finals.values()), names, "k|", markersize=18, label="at its end")
    bars.invert_yaxis()
    bars.set(xlabel="mean score", xlim=(0, 105))
    bars.legend(loc="lower right", fontsize=8)
    figure.suptitle(f"ScienceWorld, {result.variations()} unseen test variations, seed {protocol.seed}", fontsize=10)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=130)
    return path
