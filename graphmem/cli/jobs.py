"""`graphmem jobs …`: long work that a scheduler runs."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

from graphmem.cli.client import connect
from graphmem.cli.options import Json, Tenant, User
from graphmem.cli.output import note, print_json, say

if TYPE_CHECKING:
    from graphmem.jobs import Progress

SECONDS_BETWEEN_NOTES = 10.0


def register(app: typer.Typer) -> None:
    """Add the commands, as a group of their own."""
    jobs = typer.Typer(help="Long work that a scheduler runs.", no_args_is_help=True)
    jobs.callback()(group)
    jobs.command()(centrality)
    app.add_typer(jobs, name="jobs")


def group() -> None:
    """Long work that a scheduler runs; each leaves a Job node that says what it did."""


def centrality(tenant: Tenant = None, user: User = None, as_json: Json = False) -> None:
    """Compute how central each memory is in the graph of its scope; needs Graph Data Science on the server.

    Without a user for what the tenant shares; with one for that user's own memories.
    """
    from graphmem import jobs
    from graphmem.scope import scope

    with connect(tenant, user) as memory:
        memory.init()
        settings = memory.settings
    whose = scope(
        tenant if tenant is not None else settings.tenant,
        user if user is not None else settings.user,
    )
    with reporting() as report:
        job = jobs.centrality(settings, whose, progress=report)
    if as_json:
        print_json(job)
        return
    how = f"betweenness estimated from {job.samples} of them" if job.samples else "betweenness exact"
    say(f"{job.written} of {job.nodes} memories written, {job.edges} links, {how}")


@contextmanager
def reporting() -> Iterator[Progress]:
    """A line that changes on a terminal, a line now and then elsewhere; always on standard error."""
    from rich.console import Console

    console = Console(stderr=True)
    told_at = time.monotonic()
    with console.status("starting") as status:

        def report(doing: str, done: int, whole: int) -> None:
            nonlocal told_at
            text = f"{doing}: {done} of {whole}" if whole else doing
            status.update(text)
            if not console.is_terminal and time.monotonic() - told_at >= SECONDS_BETWEEN_NOTES:
                told_at = time.monotonic()
                note(text)

        yield report
