"""A door to Neo4j Browser on this computer, which lets its owner in without a password.

Browser takes no password from an address. But it keeps what it knows in the storage of its own origin, and connects at
once with an account that it finds there. So the gate serves Browser's files, from the jar that the private server
has, and once, at an address that nobody can guess, a page that puts the account there, with the saved statements,
the style and the parameters.
"""

from __future__ import annotations

import json
import mimetypes
import secrets
import zipfile
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from string import Template
from threading import Lock
from types import TracebackType
from typing import Any
from urllib.parse import unquote, urlsplit

from graphmem.errors import ConfigurationError, ServerError
from graphmem.explore.address import query
from graphmem.explore.saved import FOLDER, command, rules, statements, style
from graphmem.scope import Scope
from graphmem.server.lock import Part, read_lock
from graphmem.server.ports import is_free
from graphmem.settings import Connection, Settings

PORT = 7476
"""The wanted port: what a person keeps in Browser stays with its origin, so it should not change."""

_BROWSER = "org.neo4j.client:neo4j-browser"
_START = "/start/"


class Gate:
    """The door, from its making until `close`; `serve` works in a thread of the caller's."""

    def __init__(self, settings: Settings, at: Connection, scope: Scope, port: int | None = None) -> None:
        """Open the door on a port of 127.0.0.1: the given one, else 7476, or any free one where that is taken.

        Raises ConfigurationError when Browser's files are not on this computer, ServerError when the port is taken.
        """
        lock = read_lock()
        browser = next(one for one in lock.part(Part.SERVER) if one.coordinates.startswith(_BROWSER))
        try:
            self._files = zipfile.ZipFile(lock.path(browser, settings.cache))
        except (OSError, zipfile.BadZipFile) as error:
            raise ConfigurationError(
                "Neo4j Browser is not on this computer; run 'graphmem up' once, which downloads it, or open the "
                "Browser of your server, with what --files writes"
            ) from error
        self._names = frozenset(self._files.namelist())
        self._reading = Lock()
        self._key: str | None = secrets.token_urlsafe(32)
        self._page = _page(at, scope)
        wanted = port if port is not None else PORT if is_free(PORT) else 0
        try:
            self._server = ThreadingHTTPServer(("127.0.0.1", wanted), partial(_Handler, self))
        except OSError as error:
            self._files.close()
            raise ServerError(f"port {wanted} is taken ({error.strerror}); give another --port") from error
        self._server.daemon_threads = True
        self.origin = f"http://127.0.0.1:{self._server.server_port}"
        self.address = f"{self.origin}{_START}{self._key}"

    def __enter__(self) -> Gate:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def serve(self) -> None:
        """Answer until `stop` is called, or the caller is interrupted."""
        self._server.serve_forever()

    def stop(self) -> None:
        """End `serve`, from another thread."""
        self._server.shutdown()

    def close(self) -> None:
        """Close the door."""
        self._server.server_close()
        with self._reading:
            self._files.close()
            self._names = frozenset()

    def answer(self, host: str, path: str) -> tuple[HTTPStatus, str, bytes]:
        """What is at a path: status, type and content. The start is there once, and only under the gate's own name."""
        if host != urlsplit(self.origin).netloc:
            return _plain(HTTPStatus.FORBIDDEN, "This is not the address of this server.")
        if path.startswith(_START):
            with self._reading:
                right = f"{_START}{self._key}".encode()
                if self._key is None or not secrets.compare_digest(path.encode(), right):
                    return _plain(HTTPStatus.GONE, "This address works once. Run 'graphmem explore' again.")
                self._key = None
            return HTTPStatus.OK, "text/html; charset=utf-8", self._page
        name = f"{unquote(path).lstrip('/')}{'index.html' if path.endswith('/') else ''}"
        with self._reading:
            if not name.startswith("browser/") or name not in self._names:
                return _plain(HTTPStatus.NOT_FOUND, "There is nothing here.")
            content = self._files.read(name)
        return HTTPStatus.OK, mimetypes.guess_type(name)[0] or "application/octet-stream", content


class _Handler(BaseHTTPRequestHandler):
    timeout = 30  # seconds for a request; one that says nothing holds a thread
    server_version = "graphmem"
    sys_version = ""

    def __init__(self, gate: Gate, *given: Any) -> None:
        self.gate = gate
        super().__init__(*given)

    def do_GET(self) -> None:
        status, kind, content = self.gate.answer(self.headers.get("Host", ""), urlsplit(self.path).path)
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("X-Frame-Options", "DENY")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name is the base class's
        """Say nothing: the line would hold the address."""


def _plain(status: HTTPStatus, text: str) -> tuple[HTTPStatus, str, bytes]:
    return status, "text/plain; charset=utf-8", f"{text}\n".encode()


def _page(at: Connection, scope: Scope) -> bytes:
    password = at.password.get_secret_value() if at.password else ""
    given = {
        "host": at.uri,
        "username": at.user,
        "password": password,
        "authenticationMethod": "NATIVE" if password else "NO_AUTH",
        "query": query(at),
        "folder": FOLDER,
        "favourites": [{"id": f"{FOLDER}-{one.name}", "content": one.text, "folder": FOLDER} for one in statements()],
        "style": rules(style()),
        "command": command(scope),
    }
    page = Template(resources.files("graphmem.explore").joinpath("start.html").read_text("utf-8"))
    return page.substitute(given=json.dumps(given).replace("<", "\\u003c")).encode()
