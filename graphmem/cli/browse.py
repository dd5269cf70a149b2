"""`graphmem get` and `graphmem list`: look at memories."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.cli.client import connect
from graphmem.cli.options import Domain, Id, Json, OfKind, Tags, TaskType, Tenant, User
from graphmem.cli.output import print_json, say, say_columns
from graphmem.models import Outcome, Status

if TYPE_CHECKING:
    from graphmem.models import Stored


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(get)
    app.command("list")(listed)


def get(id: Id, tenant: Tenant = None, user: User = None, as_json: Json = False) -> None:  # noqa: A002
    """Show one memory, and what graphmem knows about it."""
    with connect(tenant, user) as memory:
        stored = memory.get(id)
    show(stored, as_json)


def listed(
    kind: OfKind = None,
    status: Annotated[Status | None, typer.Option(help="Only in this status.")] = None,
    outcome: Annotated[Outcome | None, typer.Option(help="Only episodes that ended so.")] = None,
    domain: Domain = None,
    task_type: TaskType = None,
    tags: Tags = None,
    since: Annotated[str | None, typer.Option(metavar="TIME", help="Only what happened from then on.")] = None,
    until: Annotated[str | None, typer.Option(metavar="TIME", help="Only what happened before then.")] = None,
    skip: Annotated[int, typer.Option(min=0, help="Pass over so many.")] = 0,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="The most memories to list.")] = 50,
    tenant: Tenant = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """List memories, newest first."""
    with connect(tenant, user) as memory:
        found = memory.list(
            kind=kind,
            status=status,
            outcome=outcome,
            domain=domain,
            task_type=task_type,
            tags=tags or (),
            since=since,
            until=until,
            skip=skip,
            limit=limit,
        )
    if as_json:
        print_json(found)
    else:
        say_columns(_row(stored) for stored in found)


def show(stored: Stored, as_json: bool) -> None:
    """Print one memory: as JSON, or what it says line by line."""
    if as_json:
        print_json(stored)
        return
    known = stored.model_dump(mode="json", exclude={"memory"})
    said = stored.memory.model_dump(mode="json", exclude={"id"})
    for name, value in [*known.items(), *said.items()]:
        if value not in (None, "", [], {}):
            shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            say(f"{name:<16} {shown}")


def _row(stored: Stored) -> tuple[str, ...]:
    happened = stored.memory.occurred_at or stored.created_at
    outcome = getattr(stored.memory, "outcome", None)
    return (
        stored.id,
        stored.kind.value,
        stored.status.value,
        outcome.value if outcome else "-",
        f"{happened:%Y-%m-%d %H:%M}",
        stored.memory.label(),
    )
