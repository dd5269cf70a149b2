"""`graphmem mcp`: the memory as tools for any MCP client."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from graphmem.cli.logs import level
from graphmem.cli.options import Tenant, User
from graphmem.cli.output import note

PORT = 8765


class Level(StrEnum):
    """How much is logged."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(mcp)


def mcp(
    context: typer.Context,
    http: Annotated[bool, typer.Option("--http", help="Serve over streamable HTTP, to who has the token.")] = False,
    host: Annotated[
        str | None, typer.Option(help="With --http: the address to listen on; else 127.0.0.1.", show_default=False)
    ] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help=f"With --http: the port; else {PORT}.", show_default=False)
    ] = None,
    log_level: Annotated[
        Level | None, typer.Option(help="What is told on stderr; else --verbose, GRAPHMEM_LOG, or warning.")
    ] = None,
    tenant: Tenant = None,
    user: User = None,
) -> None:
    """Serve the memory to an MCP client, over stdio or HTTP.

    A client starts it itself and speaks to its stdin and stdout. With
    --http it listens, and clients show the token GRAPHMEM_MCP__TOKEN. It
    may be started before the store, and outlives it.
    """
    if not http and not (host is None and port is None):
        raise typer.BadParameter("--host and --port go with --http")
    from graphmem.adapters.streams import log_to_stderr, own_stdout
    from graphmem.settings import load_settings

    out = None if http else own_stdout()  # before anything else is imported, which may print
    settings = load_settings()
    asked = context.parent.params.get("verbose", 0) if context.parent is not None else 0
    log_to_stderr(log_level.value if log_level else level(asked, settings) or Level.WARNING.value, settings)
    from graphmem.adapters.mcp.keeper import Keeper

    keeper = Keeper(tenant, user, settings)
    if out is None:
        from graphmem.adapters.mcp.http import serve as serve_http

        serve_http(keeper, settings.mcp, host or "127.0.0.1", PORT if port is None else port, _listening)
    else:
        from graphmem.adapters.mcp.stdio import serve

        serve(keeper, out)


def _listening(address: str) -> None:
    note(f"serving MCP at {address}")
