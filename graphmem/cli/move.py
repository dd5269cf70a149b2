"""`graphmem export` and `graphmem import`: memories into a file, and out of one."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.cli.client import connect
from graphmem.cli.options import Json, Tenant, User
from graphmem.cli.output import note, print_json, say
from graphmem.errors import Conflict, InvalidInput, ScopeError
from graphmem.source import STDIN

if TYPE_CHECKING:
    from graphmem.move import Counts

Layout = Annotated[str | None, typer.Option("--format", help="graphmem, flex or (import) records; else recognised.")]
Everything = Annotated[bool, typer.Option("--everything", help="The tenant with all its users.")]
PROGRESS_SECONDS = 2.0


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(export)
    app.command("import")(load)


def export(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Where to; '-' is stdout.", show_default=False)],
    layout: Layout = None,
    everything: Everything = False,
    include_secure: Annotated[bool, typer.Option("--include-secure", help="What is secure as well.")] = False,
    tenant: Tenant = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Write all memories, links, receipts and parameters of a scope to JSON Lines.

    The file appears whole or not at all. What is secure stays unless
    asked for; what has expired stays. On stdout the summary is on stderr.
    """
    stdout = file == STDIN
    with connect(tenant, user) as memory:
        done = memory.export(
            sys.stdout.buffer if stdout else file,
            format=layout or "graphmem",
            everything=everything,
            include_secure=include_secure,
            progress=_Progress(),
        )
    told = f"exported {_listed(done.counts)}"
    if stdout:
        typer.echo(done.model_dump_json(), err=True) if as_json else note(told)
    elif as_json:
        print_json(done)
    else:
        say(told)
    if done.outside:
        note(f"{done.outside} links to memories that do not leave stay behind; --everything takes all of a tenant")


def load(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Where from; '-' is stdin.", show_default=False)],
    layout: Layout = None,
    everything: Everything = False,
    share: Annotated[bool, typer.Option("--share", help="Into what the tenant shares: what has no owner.")] = False,
    inherit: Annotated[bool, typer.Option("--inherit", help="Take another agent's memories as one's own.")] = False,
    lenient: Annotated[bool, typer.Option("--lenient", help="Leave out bad lines, write the good ones.")] = False,
    tenant: Tenant = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Read a file of 'graphmem export', a library in FLEX's layout, or memories as 'graphmem record --file' takes them.

    All of it is looked at before anything is written: any fault, and
    nothing is, unless --lenient. Stopped and run again, it goes on; what is
    there is skipped, and no id that is taken is overwritten.
    """
    with connect(tenant, user) as memory:
        try:
            done = memory.load(
                file,
                format=layout,
                everything=everything,
                share=share,
                inherit=inherit,
                lenient=lenient,
                progress=_Progress(),
            )
        except ScopeError:
            raise
        except (Conflict, InvalidInput) as error:
            for line in str(error).splitlines():
                note(line)
            raise typer.Exit(1) from error
    if as_json:
        print_json(done)
    else:
        say(f"created {done.created.total}, skipped {done.skipped.total}")
        say(f"  created  {_listed(done.created)}")
        say(f"  skipped  {_listed(done.skipped)}")
        if done.inherited_from:
            say(f"  from     {done.inherited_from}")
    for fault in done.faults:
        note(str(fault))
    if done.left_out:
        note(f"{done.left_out} lines were left out")
    if done.unembedded:
        note(f"{done.unembedded} memories have no vector yet; run 'graphmem reembed'")
    if done.waiting:
        note(f"{done.waiting} lessons and skills are candidates here: nothing here proves them; see 'graphmem review'")


class _Progress:
    """Tells on stderr, now and then, how far it is."""

    def __init__(self) -> None:
        self._told_at = time.monotonic()

    def __call__(self, doing: str, done: int, whole: int) -> None:
        if time.monotonic() - self._told_at >= PROGRESS_SECONDS:
            note(f"{doing}: {done}")
            self._told_at = time.monotonic()


def _listed(counts: Counts) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.model_dump().items() if count) or "nothing"
