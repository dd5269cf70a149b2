"""What one private server is doing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from graphmem.server.instance import USER, instance_of
from graphmem.server.lock import read_lock
from graphmem.server.process import find
from graphmem.settings import Settings

NEO4J, GDS = "org.neo4j:neo4j", "org.neo4j.gds:proc"


@dataclass(frozen=True, slots=True)
class Status:
    """One private server; without a process the addresses are None."""

    name: str
    running: bool
    pid: int | None
    uri: str | None
    browser: str | None
    user: str
    password_file: Path
    neo4j: str
    gds: str
    home: Path
    data_bytes: int
    log: Path


def status(settings: Settings) -> Status:
    """Look at the instance that the settings name; nothing is changed."""
    instance = instance_of(settings)
    process, ports, lock = find(instance), instance.ports(), read_lock()
    at = instance.connection(ports) if process and ports else None
    return Status(
        name=instance.name,
        running=process is not None,
        pid=process.pid if process else None,
        uri=at.uri if at else None,
        browser=at.browser if at else None,
        user=USER,
        password_file=instance.password_file,
        neo4j=lock.version(NEO4J),
        gds=lock.version(GDS),
        home=instance.home,
        data_bytes=_size(instance.data),
        log=instance.log,
    )


def _size(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size
        except FileNotFoundError:
            continue  # the server deleted it meanwhile
    return total
