"""`doctor`: every part looked at, and what to do about each that is not well."""

from __future__ import annotations

from graphmem.server import checks
from graphmem.server.checks import Check
from graphmem.server.instance import instance_of
from graphmem.server.status import status
from graphmem.settings import Settings, connection


def doctor(settings: Settings) -> list[Check]:
    """Check the database of these settings: only it when its address was given, else the private server too."""
    if settings.neo4j.uri is not None:
        return [*checks.models(settings), *checks.database(connection(settings))]
    instance, now = instance_of(settings), status(settings)
    local = [
        checks.java(settings),
        checks.artifacts(settings),
        checks.disk(instance),
        checks.memory(settings, now.running),
        checks.ports(settings, instance, now.running),
        checks.private(instance),
        checks.server(now, instance),
        *checks.models(settings),
    ]
    reachable = now.running and instance.connection_file.exists()
    return [*local, *(checks.database(connection(settings)) if reachable else ())]
