"""`graphmem backup` and `graphmem restore`: the private server's database as one file."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.cli.options import Json
from graphmem.cli.output import note, say
from graphmem.cli.server import Name, chosen

if TYPE_CHECKING:
    from graphmem.server.backup import Archive

Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace what is there already.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (backup, restore):
        app.command()(command)


def backup(
    file: Annotated[Path, typer.Argument(help="The file to write.")],
    name: Name = None,
    overwrite: Overwrite = False,
    as_json: Json = False,
) -> None:
    """Write the private server's database into one file.

    The server is stopped meanwhile; one that ran runs again afterwards.
    The file holds everything as it is, secure memories and all tenants.
    """
    from graphmem.server.backup import backup as write

    done = write(chosen(name), file, overwrite, note)
    if as_json:
        _print(done)
        return
    say(f"Backed up to {done.file}: {done.bytes / 1e6:.1f} MB, checked.")


def restore(
    file: Annotated[Path, typer.Argument(help="A file that 'graphmem backup' wrote.")],
    name: Name = None,
    overwrite: Overwrite = False,
    as_json: Json = False,
) -> None:
    """Put a backup in the place of the private server's database.

    The present database is kept until the restored one runs, and put back
    if it does not. Afterwards the server runs if it ran before.
    """
    from graphmem.server.backup import restore as put

    done = put(chosen(name), file, overwrite, note)
    if as_json:
        _print(done)
        return
    say(f"Restored {done.file}: {done.memories} memories, schema step {done.schema}.")


def _print(done: Archive) -> None:
    typer.echo(json.dumps(asdict(done), default=str))
