"""The learning curve as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from graphmem.demo.protocol import Condition, Protocol
from graphmem.demo.result import Result, mean
from graphmem.demo.rounds import Life


def draw(result: Result, lives: Sequence[Life], shown: int, protocol: Protocol, path: Path) -> Path:
    """Write a PNG: test scores over what is remembered, and the scores of the lived episodes; gives its path."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 4.5), layout="constrained")
    FigureCanvasAgg(figure)
    tests, living = figure.subplots(1, 2, width_ratios=(3, 2))
    scores = result.scores()
    points = [(0, Condition.EMPTY), (shown, Condition.MEMORY), (shown + len(lives), Condition.AFTER_CORRECTION)]
    curve = [(remembered, scores[condition], condition) for remembered, condition in points if condition in scores]
    tests.plot([x for x, _, _ in curve], [y for _, y, _ in curve], "o-", color="tab:green", label="graphmem")
    for x, y, condition in curve:
        tests.annotate(f"{condition} {y:.0f}", (x, y), textcoords="offset points", xytext=(0, 8), ha="center", fontsize=8)
    for condition, style in ((Condition.LITERAL, "--"), (Condition.RANDOM, ":")):
        if condition in scores:
            tests.axhline(scores[condition], linestyle=style, color="tab:gray", label=f"{condition} replay")
    tests.set(xlabel="episodes in memory", ylabel="mean best score, unseen test variations", ylim=(0, 105))
    tests.margins(x=0.15)
    tests.legend(loc="upper left", fontsize=8)
    bests = [life.best for life in lives]
    window = max(1, len(bests) // 4)
    living.plot(range(1, len(bests) + 1), bests, ".", color="tab:gray", label="one episode")
    running = [mean(bests[max(0, i - window) : i]) for i in range(1, len(bests) + 1)]
    living.plot(range(1, len(bests) + 1), running, color="tab:green", label=f"mean of the last {window}")
    living.set(xlabel="episodes lived in training variations", ylabel="best score", ylim=(0, 105))
    living.legend(loc="lower right", fontsize=8)
    figure.suptitle(f"ScienceWorld, {result.variations()} unseen test variations, seed {protocol.seed}", fontsize=10)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=130)
    return path
