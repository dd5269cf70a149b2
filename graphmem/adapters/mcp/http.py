"""Serving over streamable HTTP: for who has the token, under names that are known."""

from __future__ import annotations

import asyncio
import hmac
import signal
import socket
import sys
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.responses import PlainTextResponse

from graphmem.adapters.mcp.keeper import Keeper
from graphmem.adapters.mcp.server import make
from graphmem.endpoints import McpSettings
from graphmem.errors import ConfigurationError

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

PATH = "/mcp"
SHORTEST = 32  # characters of a token
PATIENCE = 3  # seconds that open streams get to end
LOCAL = ("127.0.0.1", "localhost", "[::1]")


def serve(keeper: Keeper, settings: McpSettings, host: str, port: int, said: Callable[[str], object]) -> None:
    """Serve until a signal comes; `said` is told the address once it is taken (port 0: any free one).

    Raises ConfigurationError without a token of at least 32 characters, or for an address that cannot be had.
    """
    token = _token(settings)
    listening = _listening(host, port)
    app = make(keeper).streamable_http_app(
        streamable_http_path=PATH, transport_security=_security(host, settings.hosts), host=host
    )
    server = uvicorn.Server(
        uvicorn.Config(
            Guard(app, token), log_config=None, timeout_graceful_shutdown=PATIENCE, server_header=False, ws="none"
        )
    )
    # The server raises the signal again once it is done, which shall be a clean end.
    signal.signal(signal.SIGTERM, _ended)
    said(f"http://{_in_url(host)}:{listening.getsockname()[1]}{PATH}")
    with listening:
        asyncio.run(server.serve(sockets=[listening]))


class Guard:
    """Lets requests pass that carry the token; others are answered 401, whatever they ask for."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or self._known(scope):
            await self._app(scope, receive, send)
        else:
            headers = {"WWW-Authenticate": 'Bearer realm="graphmem"'}
            await PlainTextResponse("a bearer token is needed\n", 401, headers)(scope, receive, send)

    def _known(self, scope: Scope) -> bool:
        given = [value for name, value in scope["headers"] if name == b"authorization"]
        kind, _, token = given[0].partition(b" ") if len(given) == 1 else (b"", b"", b"")
        return hmac.compare_digest(token.strip(), self._token) and kind.lower() == b"bearer"


def _token(settings: McpSettings) -> str:
    token = settings.token.get_secret_value() if settings.token is not None else ""
    if len(token) < SHORTEST:
        raise ConfigurationError(
            f"serving over HTTP needs a token of at least {SHORTEST} characters: set GRAPHMEM_MCP__TOKEN, for example "
            "to what this prints: python -c 'import secrets; print(secrets.token_urlsafe(32))'"
        )
    return token


def _listening(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server(
            (host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET, backlog=2048
        )
    except OSError as error:
        why = str(error.strerror or error).split(" (while")[0]
        raise ConfigurationError(f"cannot listen on {host} port {port}: {why}") from error


def _security(host: str, more: tuple[str, ...]) -> TransportSecuritySettings:
    """Names under which it may be asked, so that no page can reach it by a name of its own (DNS rebinding)."""
    names = [*LOCAL, _in_url(host), *more]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=[form for name in names for form in (name, f"{name}:*")],
        allowed_origins=[
            f"{scheme}://{form}" for scheme in ("http", "https") for name in names for form in (name, f"{name}:*")
        ],
    )


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _ended(number: int, frame: FrameType | None) -> None:
    sys.exit(0)
