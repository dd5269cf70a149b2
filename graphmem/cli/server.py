"""`graphmem up`, `down`, `status` and `doctor`: the private Neo4j."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer

from graphmem.cli.flush import outbox, outbox_checks, say_outbox
from graphmem.cli.options import Json
from graphmem.cli.output import say
from graphmem.errors import ServerError
from graphmem.settings import Settings, load_settings

Name = Annotated[str | None, typer.Option("--name", help="Which private server; else GRAPHMEM_INSTANCE, or 'default'.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (up, down, status, doctor):
        app.command()(command)


def up(name: Name = None, as_json: Json = False) -> None:
    """Start the private Neo4j; the first time it is downloaded. Running it twice is fine."""
    from graphmem.server.start import up as start

    try:
        now = start(chosen(name))
    except ServerError as error:
        # The last lines of the server's log.
        for note in getattr(error, "__notes__", ()):
            typer.echo(note, err=True)
        raise
    if as_json:
        _print_json(now)
        return
    say(f"Neo4j {now.neo4j} with GDS {now.gds} runs as '{now.name}' (process {now.pid}).")
    say(f"  Bolt     {now.uri}")
    say(f"  Browser  {now.browser}")
    say(f"  log in   as {now.user}; the password is in {now.password_file}")


def down(name: Name = None, as_json: Json = False) -> None:
    """Stop the private Neo4j; its data stays. Running it twice is fine."""
    from graphmem.server.halt import Ending
    from graphmem.server.halt import down as halt

    settings = chosen(name)
    ending = halt(settings)
    if as_json:
        typer.echo(json.dumps({"name": settings.instance, "ending": ending}))
        return
    more = " because it did not stop in time; it recovers its data at the next 'graphmem up'"
    say(f"Server '{settings.instance}' {ending}{more if ending is Ending.KILLED else ''}.")


def status(name: Name = None, as_json: Json = False) -> None:
    """Tell whether the private Neo4j runs, where, how much it holds, and what waits in the outbox."""
    from graphmem.server.status import status as look

    settings = chosen(name)
    now, waits = look(settings), outbox(settings)
    if as_json:
        typer.echo(json.dumps(asdict(now) | {"outbox": waits}, default=str))
        return
    state = f"runs as process {now.pid}" if now.running else "does not run"
    say(f"Server '{now.name}' {state}: Neo4j {now.neo4j} with GDS {now.gds}.")
    if now.running:
        say(f"  Bolt     {now.uri}")
        say(f"  Browser  {now.browser}")
        say(f"  log in   as {now.user}; the password is in {now.password_file}")
    say(f"  data     {now.data_bytes / 1e6:.1f} MB in {now.home}")
    say(f"  log      {now.log}")
    say_outbox(waits)


def doctor(name: Name = None, as_json: Json = False) -> None:
    """Check every part and say what to do about each that is not well; ends with 1 if there is one."""
    from graphmem.server.doctor import doctor as examine

    settings = chosen(name)
    checks = [*examine(settings), *outbox_checks(settings)]
    healthy = all(check.ok for check in checks)
    if as_json:
        typer.echo(json.dumps({"ok": healthy, "checks": [asdict(check) | {"ok": check.ok} for check in checks]}))
    else:
        for check in checks:
            say(f"{'ok  ' if check.ok else 'FAIL'}  {check.name:<10} {check.found}")
            if check.remedy:
                say(f"      {'':<10} -> {check.remedy}")
    if not healthy:
        raise typer.Exit(1)


def chosen(name: str | None) -> Settings:
    """The settings of the private server of that name, else of the one in the environment."""
    return load_settings() if name is None else load_settings(instance=name)


def _print_json(value: object) -> None:
    typer.echo(json.dumps(asdict(value), default=str))  # type: ignore[call-overload]  # every value here is a dataclass
