"""`graphmem jobs schedule`: the jobs at their intervals, or once each."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphmem.cli.options import Json, Tenant, User
from graphmem.cli.output import note, print_json, say

if TYPE_CHECKING:
    from graphmem.schedule import Run


def schedule(
    everything: Annotated[bool, typer.Option("--everything", help="The tenant with all its users.")] = False,
    once: Annotated[bool, typer.Option("--once", help="Run each job once, one after the other, and end.")] = False,
    tenant: Tenant = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Run centrality, consolidation, retention and flush at their intervals, until it is stopped.

    The intervals are GRAPHMEM_SCHEDULE__CENTRALITY, __CONSOLIDATION,
    __RETENTION and __FLUSH, in seconds, or 'off'. Retention is applied. A
    line is printed for each run that did something, with --json for every
    run. With --once it ends with 1 when a job failed.
    """
    from graphmem import schedule as scheduling
    from graphmem.scope import scope
    from graphmem.settings import load_settings

    settings = load_settings()
    whose = scope(
        tenant if tenant is not None else settings.tenant,
        user if user is not None else settings.user,
    )
    plan = scheduling.Plan.of(settings, whose, everything=everything)
    if not plan.jobs:
        raise typer.BadParameter("all four intervals are 'off' (GRAPHMEM_SCHEDULE__…): there is nothing to run")
    tell = print_json if as_json else _Teller()
    if once:
        if not scheduling.once(plan, tell):
            raise typer.Exit(1)
        return
    note(", ".join(f"{name.value} every {seconds:g} s" for name, seconds in plan.jobs.items()))
    with _stopped_by_signals() as stop:
        scheduling.forever(plan, stop, tell, note)
    note("stopped")


class _Teller:
    """Tells a person of each run that did something; what is not installed on the server is told once."""

    def __init__(self) -> None:
        self._missing: set[str] = set()

    def __call__(self, run: Run) -> None:
        whose = f"{run.tenant}/{run.user}" if run.user else run.tenant
        if run.state == "done":
            say(f"{run.ended_at:%Y-%m-%d %H:%M:%S} {run.job.value} of {whose}: {run.told}")
        elif run.state == "failed":
            note(f"{run.job.value} of {whose} failed: {run.told}")
        elif run.impossible and run.told not in self._missing:
            self._missing.add(run.told)
            note(f"{run.job.value} is skipped: {run.told}")


@contextmanager
def _stopped_by_signals() -> Iterator[Event]:
    """An event that SIGTERM or SIGINT sets; the second one ends the process at once."""
    stop = Event()
    before: dict[signal.Signals, Callable[..., Any] | int | None] = {}

    def set_it(number: int, frame: object) -> None:
        for one in before:
            signal.signal(one, at_once)
        # Another thread sets it: the signal may have come while this one holds the event's own lock.
        Thread(target=stop.set).start()

    def at_once(number: int, frame: object) -> None:
        # The running steps are in threads, which an exception here would wait for.
        os._exit(128 + number)

    for one in (signal.SIGTERM, signal.SIGINT):
        before[one] = signal.signal(one, set_it)
    try:
        yield stop
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
