"""How far a download is: a bar on a terminal, a line now and then elsewhere; always on standard error."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

_SECONDS_BETWEEN_LINES = 10.0

Report = Callable[[str, int], None]
"""Called with a file's name and how many of its bytes are there; a file that starts anew goes back to 0."""


@contextmanager
def progress(label: str, total: int, console: Console | None = None) -> Iterator[Report]:
    """Show how many of `total` bytes are there."""
    console = console or Console(stderr=True)
    guard = Lock()
    positions: dict[str, int] = {}
    with (_bar if console.is_terminal else _lines)(console, label, total) as show:

        def report(name: str, position: int) -> None:
            with guard:
                positions[name] = position
                show(sum(positions.values()))

        yield report


@contextmanager
def _bar(console: Console, label: str, total: int) -> Iterator[Callable[[int], None]]:
    label_column = TextColumn("{task.description}")
    columns = (label_column, BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console) as bar:
        task = bar.add_task(label, total=total)
        yield lambda done: bar.update(task, completed=done)


@contextmanager
def _lines(console: Console, label: str, total: int) -> Iterator[Callable[[int], None]]:
    printed = time.monotonic()
    console.print(f"{label}: {total / 1e6:.0f} MB", highlight=False)

    def show(done: int) -> None:
        nonlocal printed
        if time.monotonic() - printed >= _SECONDS_BETWEEN_LINES:
            printed = time.monotonic()
            console.print(f"{label}: {done / 1e6:.0f} of {total / 1e6:.0f} MB", highlight=False)

    yield show
    console.print(f"{label}: done", highlight=False)
