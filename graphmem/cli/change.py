"""`graphmem update`, `link` and `reembed`: change memories, relate them, give them vectors."""

from __future__ import annotations

from typing import Annotated

import typer

from graphmem.cli.browse import show
from graphmem.cli.client import connect
from graphmem.cli.options import By, ExpiresAt, Id, Json, Metadata, Tags, Tenant, User
from graphmem.cli.output import print_json, say
from graphmem.models import LinkKind


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(update)
    app.command()(link)
    app.command()(reembed)


def update(
    id: Id,  # noqa: A002
    tags: Tags = None,
    no_tags: Annotated[bool, typer.Option("--no-tags", help="Take all tags away.")] = False,
    metadata: Metadata = None,
    expires_at: ExpiresAt = None,
    share: Annotated[bool, typer.Option("--share", help="Change what the whole tenant shares.")] = False,
    tenant: Tenant = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Replace the tags, merge keys into the metadata, move the end; what is not given stays."""
    if tags and no_tags:
        raise typer.BadParameter("--tag and --no-tags exclude each other")
    if not tags and not no_tags and metadata is None and expires_at is None:
        raise typer.BadParameter("give --tag, --no-tags, --metadata or --expires-at")
    chosen = [] if no_tags else tags or None
    with connect(tenant, user) as memory:
        stored = memory.update(id, tags=chosen, metadata=metadata, expires_at=expires_at, share=share)
    show(stored, as_json)


def link(
    start: Annotated[str, typer.Argument(metavar="A", help="Id of a memory.", show_default=False)],
    end: Annotated[str, typer.Argument(metavar="B", help="Id of another one.", show_default=False)],
    kind: Annotated[LinkKind, typer.Option(help="What B is to A.")] = LinkKind.SIMILAR,
    weight: Annotated[float, typer.Option(min=0, max=1, help="How strongly.")] = 1.0,
    by: By = "caller",
    tenant: Tenant = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Relate two memories."""
    with connect(tenant, user) as memory:
        made = memory.link(start, end, kind=kind, weight=weight, by=by)
    if as_json:
        print_json(made)
    else:
        say(f"{made.start} is linked to {made.end}: {made.kind.value}, weight {made.weight:g}")


def reembed(tenant: Tenant = None, user: User = None, as_json: Json = False) -> None:
    """Embed what was stored without a vector, while the embedding model was away."""
    with connect(tenant, user) as memory:
        done = memory.reembed(progress=lambda count: typer.echo(f"{count} embedded", err=True))
    if as_json:
        print_json(done)
    else:
        say(f"{done.embedded} embedded, {done.left} left without a vector{f': {done.problem}' if done.problem else ''}")
