"""`graphmem init`: the schema of a database."""

from __future__ import annotations

import typer

from graphmem.cli.options import Json
from graphmem.cli.output import print_json, say
from graphmem.models import Value


class Prepared(Value):
    """A database that is ready: `applied` are the schema steps that it lacked."""

    applied: tuple[str, ...]
    server: str
    neo4j: str
    database: str
    embedding_model: str
    dimensions: int
    analyzer: str


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(init)


def init(as_json: Json = False) -> None:
    """Bring the database to the schema that the settings ask for, or say why it does not fit.

    The schema is the whole database's: it needs no tenant. Running it
    again, or several times at once, is fine.
    """
    prepared = _prepare()
    if as_json:
        print_json(prepared)
        return
    say(f"applied {', '.join(prepared.applied)}" if prepared.applied else "nothing was needed")
    say(f"  server      {prepared.server} (Neo4j {prepared.neo4j})")
    say(f"  database    {prepared.database}")
    say(f"  model       {prepared.embedding_model or 'none yet: recall by words alone'}")
    say(f"  dimensions  {prepared.dimensions}")
    say(f"  analyzer    {prepared.analyzer}")


def _prepare() -> Prepared:
    from graphmem.embed import make_embedder
    from graphmem.settings import connection, load_settings
    from graphmem.steps import run
    from graphmem.store.driver import Database
    from graphmem.store.schema import ensure, inspect
    from graphmem.verbs import wanted

    settings = load_settings()
    database = Database(connection(settings), settings.neo4j.timeout)
    try:
        needed = wanted(settings, make_embedder(settings))
        applied = run(ensure(needed), database.answer)  # type: ignore[arg-type]  # a schema embeds nothing
        present = run(inspect(), database.answer)  # type: ignore[arg-type]
    finally:
        database.close()
    return Prepared(
        applied=applied,
        server=database.at.uri,
        neo4j=present.version,
        database=database.database or "",
        embedding_model=present.embedding_model or "",
        dimensions=needed.dimensions,
        analyzer=needed.analyzer,
    )
