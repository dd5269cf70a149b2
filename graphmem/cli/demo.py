"""`graphmem demo`: an agent that does better because it remembers."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.settings import Settings, connection, load_settings

if TYPE_CHECKING:
    from rich.console import Console

    from graphmem.models import Episode

_INSTANCE = "demo"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(demo)


def demo(
    tasks: Annotated[
        str | None, typer.Option(help="Task names joined by commas, or how many to draw; else all.")
    ] = None,
    variations: Annotated[int, typer.Option(min=1, help="Test variations of each task.")] = 1,
    demonstrations: Annotated[int, typer.Option(min=1, help="Demonstrations of each task.")] = 3,
    lives: Annotated[int, typer.Option(min=0, help="Training episodes of each task between the test rounds.")] = 1,
    seed: Annotated[int, typer.Option(help="Draws the variations.")] = 0,
    name: Annotated[str, typer.Option("--name", help="The private server to use or start.")] = _INSTANCE,
    workers: Annotated[int, typer.Option(min=1, max=16, help="Simulators side by side.")] = 2,
    picture: Annotated[Path, typer.Option(help="Where the learning curve goes.")] = Path("graphmem-demo.png"),
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object at the end; progress on stderr.")
    ] = False,
) -> None:
    """Show that memory helps: play ScienceWorld with and without it, and keep the graph for Neo4j Browser.

    Starts a private Neo4j unless GRAPHMEM_NEO4J__URI names one. Ctrl-C stops it; what was recorded stays.
    Needs the extra 'demo'. Five tasks and two lives take about four minutes on two cores.
    """
    from rich.console import Console

    from graphmem.demo.protocol import Protocol
    from graphmem.demo.run import Place, ready, run
    from graphmem.memory import Memory
    from graphmem.server.java import find_java

    ready()
    console = Console(stderr=as_json)
    settings = _server(name, console)
    tenant = f"demo-{datetime.now(UTC):%Y%m%d-%H%M%S}"
    protocol = Protocol(variations=variations, demonstrations=demonstrations, lives=lives, seed=seed)
    place = Place(find_java(settings).executable, workers, picture)
    recorded: list[Episode] = []
    waits = False
    wanted = int(tasks) if tasks is not None and tasks.isdigit() else _names(tasks)
    with (
        Memory(tenant=tenant, settings=settings) as memory,
        Memory(tenant=f"{tenant}-empty", settings=settings) as nothing,
    ):
        try:
            result = run(memory, nothing, wanted, protocol, place, console, recorded)
            waits = bool(memory.reviews(limit=1))
        except KeyboardInterrupt:
            console.print("interrupted; what was recorded is in the graph" if recorded else "interrupted")
            raise typer.Exit(130) from None
        finally:
            if recorded:
                _where(console, settings, tenant, waits)
            if settings.neo4j.uri is None:
                console.print("the server runs on; this stops it:", highlight=False)
                _command(console, f"graphmem down --name {settings.instance}")
    if as_json:
        typer.echo(json.dumps(result.as_json()))


def _names(tasks: str | None) -> list[str] | None:
    return None if tasks is None else [task.strip() for task in tasks.split(",") if task.strip()]


def _server(name: str, console: Console) -> Settings:
    settings = load_settings()
    if settings.neo4j.uri is not None:
        return settings
    from graphmem.server.start import up

    settings = load_settings(instance=name)
    console.print(f"starting the private Neo4j '{name}' …")
    up(settings)
    return settings


def _where(console: Console, settings: Settings, tenant: str, waits: bool) -> None:
    at = connection(settings)
    instance = "" if settings.neo4j.uri else f"GRAPHMEM_INSTANCE={settings.instance} "
    console.print(f"the graph is kept for tenant {tenant}: {at.uri}", highlight=False)
    if at.browser:
        console.print(f"Neo4j Browser: {at.browser}", highlight=False)
        _command(console, f"{instance}graphmem explore --tenant {tenant}")
    if waits:
        console.print("this shows what waits for a person:", highlight=False)
        _command(console, f"{instance}graphmem review --tenant {tenant}")


def _command(console: Console, line: str) -> None:
    console.print(f"  {line}", markup=False, highlight=False, soft_wrap=True)
