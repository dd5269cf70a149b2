"""`graphmem explore`: Neo4j Browser, connected, with saved statements and a style."""

from __future__ import annotations

import os
import signal
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.cli.options import Json, Tenant, User
from graphmem.cli.output import note, print_json, say
from graphmem.errors import InvalidInput
from graphmem.models import Value

if TYPE_CHECKING:
    from graphmem.explore import Gate
    from graphmem.scope import Scope
    from graphmem.settings import Connection, Settings


class Explored(Value):
    """Where Browser opens (empty where files were written), whether at once connected (`signed_in`), or the `user` has
    to give the password; Browser's command that sets the parameters of the scope; the files that were written."""

    address: str
    signed_in: bool
    user: str
    uri: str
    parameters: str
    statements: tuple[str, ...]
    files: tuple[str, ...] = ()


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(explore)


def explore(
    tenant: Tenant = None,
    user: User = None,
    printed: Annotated[
        bool, typer.Option("--print", help="Only print the address of the server's own Browser, which asks a password.")
    ] = False,
    files: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Only write the statements and the style into a folder.")
    ] = None,
    opened: Annotated[bool, typer.Option("--open/--no-open", help="Open the web browser of this computer.")] = True,
    port: Annotated[int | None, typer.Option(min=1, max=65535, help="Port of the address; else 7476.")] = None,
    as_json: Json = False,
) -> None:
    """Open Neo4j Browser on what a scope keeps: connected, with saved statements, colours and parameters set.

    It serves Browser on this computer alone until it is interrupted
    (Ctrl-C); its address works once. Whoever is connected sees the whole
    database: the scope only says what the saved statements ask for.
    """
    from graphmem.explore import Gate, address, command, statements, write
    from graphmem.scope import scope
    from graphmem.settings import connection, load_settings

    if printed and files is not None:
        raise InvalidInput("--print and --files are two things: the address of a Browser, or files; give one of them")
    settings = load_settings()
    whose = scope(
        tenant if tenant is not None else settings.tenant,
        user if user is not None else settings.user,
    )
    at = connection(settings)
    if files is None:
        at = at.now()
    told = Explored(
        address="",
        signed_in=False,
        user=at.user,
        uri=at.uri,
        parameters=command(whose),
        statements=tuple(one.name for one in statements()),
    )
    if files is not None:
        written = tuple(map(str, write(files, whose)))
        _tell(told.model_copy(update={"files": written}), as_json, written)
    elif printed:
        found = address(at, whose)
        _tell(told.model_copy(update={"address": found}), as_json, [found])
        if not as_json and at.password is not None:
            note(f"log in as {at.user}; {_password(settings, at)}")
    else:
        _coloured(settings, whose)
        with _interruptible(), Gate(settings, at, whose, port) as gate:
            lines = [
                gate.address,
                f"  connected as {at.user} to {at.uri}; works once, on this computer",
                "  statements under 'graphmem' among the favourites (the star); their parameters are set, by",
                f"  {told.parameters}",
                "  Ctrl-C ends it",
            ]
            _tell(told.model_copy(update={"address": gate.address, "signed_in": True}), as_json, lines)
            _serve(gate, settings.home if opened else None)


def _tell(told: Explored, as_json: bool, lines: list[str] | tuple[str, ...]) -> None:
    if as_json:
        print_json(told)
    for line in () if as_json else lines:
        say(line)


def _password(settings: Settings, at: Connection) -> str:
    from graphmem.server.instance import instance_of

    if at.origin == "private server":
        return f"the password is in {instance_of(settings).password_file}"
    return "the password is that of GRAPHMEM_NEO4J__PASSWORD"


def _coloured(settings: Settings, scope: Scope) -> None:
    from graphmem.explore import colour

    if why_not := colour(settings, scope):
        note(f"episodes are not coloured by outcome: {why_not}")


def _serve(gate: Gate, home: Path | None) -> None:
    """Serve, and let a web browser be opened by a page in this folder, which is gone afterwards; None: open none."""
    if home is None:
        gate.serve()
        return
    page = home / f"explore-{os.getpid()}.html"
    try:
        if not _open(gate.address, page):
            note(
                "no web browser can be opened here; open the address in one of this computer, or from another through "
                "'ssh -L' with the same port numbers for it and for Bolt"
            )
        gate.serve()
    finally:
        page.unlink(missing_ok=True)


@contextmanager
def _interruptible() -> Iterator[None]:
    # Ctrl-C is how a person is done with it, not a failure, and so is what a supervisor sends.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    except KeyboardInterrupt:
        note("Browser is no longer served")


def _open(address: str, page: Path) -> bool:
    """Whether a web browser was started. It is given a page that leads to the address: its command line can be read."""
    from graphmem.server.instance import write_private

    try:
        found = webbrowser.get()
    except webbrowser.Error:
        return False
    # A browser of the terminal would take this one, and cannot show Browser.
    if type(found) is webbrowser.GenericBrowser:
        return False
    page.parent.mkdir(parents=True, exist_ok=True)
    write_private(page, f'<!doctype html><meta http-equiv="refresh" content="0; url={address}"><title>graphmem</title>')
    return found.open(page.absolute().as_uri())
