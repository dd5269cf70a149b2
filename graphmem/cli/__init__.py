"""The command line: one file for each group of commands, and everything heavy imported only inside a command."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from graphmem.cli import (
    backup,
    browse,
    change,
    consolidate,
    demo,
    erase,
    explore,
    feedback,
    flush,
    govern,
    jobs,
    judge,
    mcp,
    measure,
    move,
    recall,
    record,
    report,
    rules,
    server,
    setup,
    triage,
)
from graphmem.cli.logs import show
from graphmem.cli.options import Tenant, User
from graphmem.cli.output import note, write_utf8
from graphmem.errors import GraphmemError

INTERRUPTED = 130

app = typer.Typer(name="graphmem", no_args_is_help=True, pretty_exceptions_enable=False)


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import PackageNotFoundError, version

        try:
            typer.echo(f"graphmem {version('graphmem')}")
        except PackageNotFoundError:
            typer.echo("graphmem, run from its source without an installation")
        raise typer.Exit


@app.callback()
def root(
    context: typer.Context,
    tenant: Tenant = None,
    user: User = None,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and end.")
    ] = False,
    verbose: Annotated[
        int, typer.Option("--verbose", "-v", count=True, help="Log to stderr; twice, in detail.", show_default=False)
    ] = 0,
) -> None:
    """Experience memory for LLM agents, kept in Neo4j.

    Ends with 0 when the work is done (a novel recall is an answer too),
    1 when it could not be done, 2 when the command was called wrongly.
    """
    if context.invoked_subcommand != "mcp":  # which has a log of its own
        context.call_on_close(show(verbose))


for group in (
    server,
    setup,
    record,
    recall,
    feedback,
    flush,
    measure,
    report,
    judge,
    browse,
    change,
    consolidate,
    govern,
    rules,
    erase,
    jobs,
    move,
    backup,
    explore,
    mcp,
    triage,
    demo,
):
    group.register(app)


def main() -> None:
    """Run the command line; what graphmem refuses is told in one line."""
    write_utf8()
    try:
        app(prog_name="graphmem")
    except GraphmemError as error:
        note(str(error))
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
