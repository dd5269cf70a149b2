"""`graphmem report`: what a memory has come to, as one page."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from graphmem.cli.client import connect
from graphmem.cli.options import Json, Tenant, User
from graphmem.cli.output import note, print_json, say

PAGE = Path("graphmem-report.html")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(report)


def report(
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help=f"Where to write the page; else {PAGE}.", show_default=False
        ),
    ] = None,
    show: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
    tenant: Tenant = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Write one page about learning, decisions, corrections, skills and speed.

    It asks for nothing from outside, and is readable by its owner alone, since
    it quotes memories. With --json the figures are printed, and a page is
    written only where --output or --open asks for it.
    """
    with connect(tenant, user) as memory:
        told = memory.report()
    if as_json:
        print_json(told)
        if output is None and not show:
            return
    from graphmem.move.file import written
    from graphmem.report.page import page

    target = output or PAGE
    with written(target) as stream:
        stream.write(page(told).encode("utf-8", "backslashreplace"))
    if not as_json:
        say(f"the report is in {target}")
    if show and not webbrowser.open(target.resolve().as_uri()):
        note(f"no browser could be opened; open {target} in one")
