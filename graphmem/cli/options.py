"""The options that several commands share, each defined once."""

from __future__ import annotations

from typing import Annotated

import typer
from pydantic import JsonValue

from graphmem.errors import InvalidInput
from graphmem.models import Kind
from graphmem.source import json_object


def _inherited(context: typer.Context, option: typer.CallbackParam, value: str | None) -> str | None:
    # `graphmem --tenant acme list` and `graphmem list --tenant acme` are the same, as are those of a group.
    above = context.parent
    while value is None and above is not None:
        value = above.params.get(option.name or "")
        above = above.parent
    return value


def _metadata(text: str) -> dict[str, JsonValue]:
    try:
        return json_object(text)
    except InvalidInput as error:
        raise typer.BadParameter(str(error)) from error


def pairs(given: list[str] | None, option: str) -> dict[str, str]:
    """Texts of the form key=value as a mapping. Raises a usage error that names the option."""
    chosen: dict[str, str] = {}
    for text in given or ():
        key, equals, value = text.partition("=")
        if not equals or not key.strip():
            raise typer.BadParameter(f"{text!r} is not key=value", param_hint=option)
        chosen[key.strip()] = value.strip()
    return chosen


Tenant = Annotated[
    str | None, typer.Option(callback=_inherited, help="Whose memories; else GRAPHMEM_TENANT.", show_default=False)
]
User = Annotated[
    str | None,
    typer.Option(callback=_inherited, help="One of the tenant's users; else GRAPHMEM_USER.", show_default=False),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Id = Annotated[str, typer.Argument(metavar="ID", help="Id of a memory.", show_default=False)]
OfKind = Annotated[Kind | None, typer.Option(help="Only this kind.")]
Domain = Annotated[str | None, typer.Option(help="Field of work, such as 'devops'.")]
TaskType = Annotated[str | None, typer.Option(help="Sort of task, such as 'incident'.")]
Toolchain = Annotated[str | None, typer.Option(help="Tools at hand, such as 'kubernetes'.")]
Tags = Annotated[list[str] | None, typer.Option("--tag", help="A label; may be given again.")]
Metadata = Annotated[dict[str, JsonValue] | None, typer.Option(parser=_metadata, metavar="JSON", help="A JSON object.")]
ExpiresAt = Annotated[str | None, typer.Option(metavar="TIME", help="When it ends; ISO-8601, UTC without a zone.")]
By = Annotated[str, typer.Option(help="Who says so.")]
