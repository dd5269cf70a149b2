"""`graphmem flush`, and what `status` and `doctor` tell of the outbox."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphmem.cli.client import connect
from graphmem.cli.jobs import reporting
from graphmem.cli.options import Json, Tenant, User
from graphmem.cli.output import note, print_json, say, say_columns
from graphmem.errors import OutboxError
from graphmem.settings import Settings

if TYPE_CHECKING:
    from graphmem.outbox import Flushed
    from graphmem.server.checks import Check


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(flush)


def flush(
    everything: Annotated[bool, typer.Option("--everything", help="The tenant with all its users.")] = False,
    retry_dead: Annotated[bool, typer.Option("--retry-dead", help="Try the dead letters again, too.")] = False,
    drop_dead: Annotated[bool, typer.Option("--drop-dead", help="Give the dead letters up, for good.")] = False,
    tenant: Tenant = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Deliver what was recorded while the store was away, in its order.

    What the store refuses for good is a dead letter, told with its reason.
    Ends with 1 when something stays, waiting or dead.
    """
    if retry_dead and drop_dead:
        raise typer.BadParameter("--retry-dead and --drop-dead exclude each other")
    with connect(tenant, user) as memory, reporting() as progress:
        done = memory.flush(everything=everything, retry_dead=retry_dead, drop_dead=drop_dead, progress=progress)
    if as_json:
        print_json(done)
    else:
        _show(done)
    if done.problem:
        note(done.problem)
    if done.waiting or done.dead:
        raise typer.Exit(1)


def _show(done: Flushed) -> None:
    known = f", {done.unchanged} of them known before" if done.unchanged else ""
    dropped = f", {done.dropped} dead letters dropped" if done.dropped else ""
    since = f" since {done.oldest:%Y-%m-%d %H:%M:%S}" if done.oldest else ""
    say(f"{done.delivered} delivered{known}{dropped}; {done.waiting} wait{since}, {done.dead} dead letters")
    if done.letters:
        say_columns([[f"  {letter.verb}", letter.id, letter.reason] for letter in done.letters])


def outbox(settings: Settings) -> dict[str, Any]:
    """What the outbox of this computer holds, in all and by database; `problem` says why it cannot be read."""
    from graphmem.outbox import held

    path = settings.outbox_path
    try:
        found, problem = held(path), ""
    except OutboxError as error:
        found, problem = (), str(error)
    return {
        "path": str(path),
        "waiting": sum(one.waiting for one in found),
        "dead": sum(one.dead for one in found),
        "oldest": min((one.oldest.isoformat() for one in found if one.oldest), default=None),
        "targets": [one.model_dump(mode="json") for one in found],
        "problem": problem,
    }


def say_outbox(held: dict[str, Any]) -> None:
    """Tell a person what waits, where anything does."""
    if held["problem"]:
        say(f"  outbox   {held['problem']}")
    for one in held["targets"]:
        at = f"database '{one['database']}' at {one['target']}" if one["database"] else one["target"]
        since = f" since {one['oldest']}" if one["oldest"] else ""
        say(f"  outbox   {one['waiting']} wait for {at}{since}, {one['dead']} dead letters (graphmem flush)")


def outbox_checks(settings: Settings) -> list[Check]:
    """Whether the outbox, if there is one, can be read and holds no dead letter."""
    from graphmem.server.checks import Check

    if not settings.outbox_path.exists():
        return []
    held = outbox(settings)
    if held["problem"]:
        return [Check("outbox", "it cannot be used", held["problem"])]
    found = f"{held['waiting']} writes wait, {held['dead']} dead letters"
    remedy = "run 'graphmem flush' for their reasons, then with --retry-dead or --drop-dead" if held["dead"] else ""
    return [Check("outbox", found, remedy)]
