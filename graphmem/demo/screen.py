"""What is shown while it runs: a live table on a terminal, a line for every step elsewhere."""

from __future__ import annotations

from time import monotonic
from types import TracebackType
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from graphmem.demo.play import Run
from graphmem.demo.protocol import MEANING, Condition
from graphmem.demo.result import Result, collect

_CAPTION = "best: the highest score during a run; final: the score at its end; from 0 to 100"


class Screen:
    """Shows rounds and scores; a context manager that keeps the table in place."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.runs: list[Run] = []
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        self._progress = Progress(*columns, console=console)
        self._live = Live(self._view(), console=console, refresh_per_second=4) if console.is_terminal else None
        self._done = self._total = 0
        self._begun = monotonic()

    def round(self, title: str, total: int) -> None:
        """Begin a round of `total` steps."""
        self._done, self._total = 0, total
        for task in self._progress.task_ids:
            self._progress.update(task, visible=False)
        self._progress.add_task(title, total=total)
        if self._live is None:
            self.console.print(f"[{monotonic() - self._begun:.0f} s] {title} …", markup=False, highlight=False)

    def step(self, what: str, run: Run | None = None) -> None:
        """One step of the round is done."""
        self._done += 1
        if run:
            self.runs.append(run)
        if self._live is None:
            self.console.print(f"  {self._done}/{self._total} {what}", highlight=False)
        else:
            self._progress.advance(self._progress.task_ids[-1])
            self._live.update(self._view())

    def result(self) -> Result:
        """All runs so far."""
        return collect(self.runs)

    def __enter__(self) -> Self:
        if self._live:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live:
            self._live.stop()

    def _view(self) -> Group:
        return Group(summary(self.result()), self._progress)


def summary(result: Result) -> Table:
    """The mean scores of the conditions."""
    table = Table(title="mean score in unseen test variations", caption=_CAPTION)
    for heading, side in (
        ("condition", "left"),
        ("what it is", "left"),
        ("best", "right"),
        ("final", "right"),
        ("runs", "right"),
    ):
        table.add_column(heading, justify="right" if side == "right" else "left")
    scores, finals = result.scores(), result.finals()
    for condition in Condition:
        played = condition in scores
        best, final = (f"{scores[condition]:.1f}", f"{finals[condition]:.1f}") if played else ("", "")
        style = "bold green" if condition in (Condition.MEMORY, Condition.AFTER_CORRECTION) else ""
        table.add_row(str(condition), MEANING[condition], best, final, str(len(result.of(condition))), style=style)
    return table


def by_task(result: Result) -> Table:
    """The mean best score of every task."""
    played = list(result.scores())
    table = Table("task", title="mean best score by task")
    for condition in played:
        table.add_column(str(condition), justify="right")
    for task, scores in result.tasks().items():
        table.add_row(task, *(f"{scores[condition]:.0f}" for condition in played))
    return table
