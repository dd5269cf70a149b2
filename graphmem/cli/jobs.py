"""`graphmem jobs …`: long work that a scheduler runs."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.cli.client import connect
from graphmem.cli.options import Json, Tenant, User
from graphmem.cli.output import note, print_json, say
from graphmem.cli.schedule import schedule

if TYPE_CHECKING:
    from graphmem.jobs import Progress

SECONDS_BETWEEN_NOTES = 10.0
NOT_AVAILABLE = 3


def register(app: typer.Typer) -> None:
    """Add the commands, as a group of their own."""
    jobs = typer.Typer(help="Long work that a scheduler runs.", no_args_is_help=True)
    jobs.callback()(group)
    jobs.command()(centrality)
    jobs.command()(schedule)
    app.add_typer(jobs, name="jobs")


def group() -> None:
    """Long work that a scheduler runs; each leaves a Job node that says what it did."""


def centrality(
    force: Annotated[bool, typer.Option("--force", help="Compute it even if nothing changed.")] = False,
    tenant: Tenant = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Compute how central each memory is in the graph of its scope; needs Graph Data Science on the server.

    Without a user for what the tenant shares; with one for that user's own
    memories. It is skipped when nothing changed since the last time. Ends with
    3 when Graph Data Science is not available.
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
        job = jobs.centrality(settings, whose, force=force, progress=report)
    if as_json:
        print_json(job)
    elif job.impossible:
        note(f"skipped: {job.reason}")
    elif job.reason:
        say(f"skipped: {job.reason} ({job.nodes} memories, {job.edges} links)")
    else:
        how = f"betweenness estimated from {job.samples} of them" if job.samples else "betweenness exact"
        say(f"{job.written} of {job.nodes} memories written, {job.edges} links, {how}")
    if job.impossible:
        raise typer.Exit(NOT_AVAILABLE)


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
