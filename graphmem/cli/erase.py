"""`graphmem erase`: a memory, all memories about a subject, or everything, for good."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.cli.client import connect
from graphmem.cli.jobs import reporting
from graphmem.cli.options import Json, Tenant, User
from graphmem.cli.output import print_json, say

if TYPE_CHECKING:
    from graphmem.erase import Erased


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(erase)


def erase(
    id: Annotated[str | None, typer.Option(help="One memory of this scope.", show_default=False)] = None,  # noqa: A002
    subject: Annotated[str | None, typer.Option(help="All memories about this person.", show_default=False)] = None,
    everything: Annotated[bool, typer.Option("--everything", help="All that the user, or the tenant, keeps.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    tenant: Tenant = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Erase a memory, all about a subject, or everything, with what was learnt of it. It cannot be undone.

    Without a user, a subject and everything are erased of the tenant and of
    all its users. Backups, and logs of the database, keep what they hold.
    """
    if sum((id is not None, subject is not None, everything)) != 1:
        raise typer.BadParameter("give exactly one of --id, --subject and --everything")
    with connect(tenant, user) as memory:
        if not yes:
            what = "everything" if everything else "that memory" if subject is None else "all about that subject"
            _confirm(what, tenant or memory.settings.tenant or "", user or memory.settings.user)
        with reporting() as progress:
            erased = memory.erase(id=id, subject=subject, everything=everything, progress=progress)
    if as_json:
        print_json(erased)
    else:
        _show(erased)


def _show(done: Erased) -> None:
    gone = ("episodes", "reflections", "skills", "receipts", "parameters", "rules", "jobs", "links")
    say(", ".join(f"{getattr(done, what)} {what}" for what in gone) + " erased")
    for count, what in (
        (done.waiting, "entries of the outbox erased"),
        (done.signed, "versions of rules say no more who signed them"),
        (done.awaiting, "memories await consolidation anew"),
        (done.demoted, "skills are candidates again"),
        (done.superseded, "memories that an erased one corrected are superseded"),
    ):
        if count:
            say(f"{count} {what}")


def _confirm(what: str, tenant: str, user: str | None) -> None:
    whose = f"what user {user} of tenant {tenant} keeps" if user else f"tenant {tenant}, with all its users"
    if not sys.stdin.isatty():
        raise typer.BadParameter(f"without a terminal to ask on, give --yes to erase {what} of {whose}")
    typer.confirm(f"Erase {what} of {whose}?", abort=True, err=True)
