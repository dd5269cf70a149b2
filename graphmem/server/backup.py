"""`backup` and `restore`: the database of one private server as one file, by Neo4j's own dump and load.

Both work while the server is stopped, which they see to: one that ran runs again afterwards. A backup is written
beside its place, checked by Neo4j, and moved there whole. A restored database is loaded and checked apart from the
present one, which is put back if the new one does not start.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from graphmem.disk import synced
from graphmem.errors import ConfigurationError, GraphmemError, InvalidInput, ServerError
from graphmem.server import probe
from graphmem.server.admin import admin
from graphmem.server.fetch import fetch
from graphmem.server.halt import PATIENCE, down
from graphmem.server.instance import DATABASE, Instance, instance_of
from graphmem.server.java import Java, find_java
from graphmem.server.lock import Part
from graphmem.server.process import find, stop
from graphmem.server.start import configure, up
from graphmem.server.swap import Swap, heal
from graphmem.settings import Settings, connection

Tell = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Archive:
    """A backup, or what was restored from one: the file, its size in bytes, whether the server runs now.

    `memories` is how many the database holds, the schema's last step is `schema`; 0 where nobody could ask.
    """

    file: Path
    bytes: int
    running: bool
    memories: int = 0
    schema: int = 0


def backup(settings: Settings, file: Path, overwrite: bool = False, tell: Tell = lambda doing: None) -> Archive:
    """Write the database of a private server into one new file that only its owner can read.

    `tell` is told what is being done. Raises InvalidInput when the file is there already (unless `overwrite`),
    ConfigurationError for a database that is no private one, ServerError when there is none yet or Neo4j refuses.
    """
    instance = _private(settings)
    file = file.absolute()
    if file.exists() and not overwrite:
        raise InvalidInput(f"{file} is there already; choose another name, or give --overwrite")
    if not file.parent.is_dir():
        raise InvalidInput(f"{file.parent} is no folder; make it first")
    if not instance.started_before():
        raise ServerError(f"server '{instance.name}' has no database yet; there is nothing to back up")
    java = find_java(settings)
    with _stopped(settings, instance, tell) as was_running, _folder(file.parent) as draft:
        tell("writing the backup")
        admin(settings, instance, java, "database", "dump", DATABASE, f"--to-path={draft}")
        tell("checking it")
        _check(settings, instance, java, draft, f"--from-path={draft}", f"--temp-path={draft}")
        dumped = draft / f"{DATABASE}.dump"
        dumped.chmod(0o600)
        synced(dumped)
        dumped.replace(file)
        synced(file.parent)
    return Archive(file, file.stat().st_size, was_running)


def restore(settings: Settings, file: Path, overwrite: bool = False, tell: Tell = lambda doing: None) -> Archive:
    """Put the database of a backup in the place of the present one, and look whether it is well.

    A database that is there is replaced only with `overwrite`. Until the new one runs the old one is kept: it is put
    back when the file is damaged, or was written by a newer Neo4j. Raises InvalidInput, ConfigurationError or
    ServerError, and then everything is as it was.
    """
    instance = _private(settings)
    file = file.absolute()
    if not file.is_file():
        raise InvalidInput(f"there is no file {file}")
    if instance.started_before() and not overwrite:
        raise InvalidInput(
            f"server '{instance.name}' has a database already; restore into another one (--name), or give --overwrite"
        )
    if not instance.started_before():
        tell("making the server")
        up(settings)
        down(settings)
    with _folder(instance.home) as apart:
        tell("loading the backup")
        _load(settings, instance, find_java(settings), file, apart)
        swap = Swap(instance, apart, DATABASE)
        with _stopped(settings, instance, tell, again=False) as was_running:
            with instance.alone():
                swap.begin()
            try:
                tell("starting the server with it")
                up(settings)
                memories, schema = probe.holds(connection(settings), settings.server.start_timeout)
            except BaseException:
                _undo(settings, instance, swap)
                raise
            swap.end()
    if not was_running:
        down(settings)
    return Archive(file, file.stat().st_size, was_running, memories, schema)


def _undo(settings: Settings, instance: Instance, swap: Swap) -> None:
    down(settings)
    with instance.alone():
        swap.undo()


def _private(settings: Settings) -> Instance:
    if settings.neo4j.uri is not None:
        raise ConfigurationError(
            "backup and restore work on the private server, and GRAPHMEM_NEO4J__URI names another one; use its own "
            "tools (neo4j-admin database dump and load, or the snapshots of Aura), or 'graphmem export'"
        )
    return instance_of(settings)


@contextmanager
def _stopped(settings: Settings, instance: Instance, tell: Tell, again: bool = True) -> Iterator[bool]:
    """Nobody runs the server meanwhile; tells whether it ran, and (with `again`) starts it again then."""
    fetch(settings, Part.SERVER, Part.PLUGINS)
    if find(instance) is None and instance.connection_file.exists():
        tell("starting the server once, since it did not end in order")
        up(settings)
        down(settings)
    with instance.alone():
        process = find(instance)
        if process is not None:
            tell("stopping the server")
            instance.connection_file.unlink(missing_ok=True)
            stop(process, PATIENCE)
        heal(instance, DATABASE)
        configure(settings, instance)
    try:
        yield process is not None
    except BaseException:
        if process is not None and find(instance) is None:
            up(settings)
        raise
    if process is not None and again:
        tell("starting the server again")
        up(settings)


def _check(settings: Settings, instance: Instance, java: Java, report: Path, *places: str) -> None:
    admin(settings, instance, java, "database", "check", *places, f"--report-path={report}", DATABASE)


def _load(settings: Settings, instance: Instance, java: Java, file: Path, apart: Path) -> None:
    """Load and check the backup in a home of its own; the present server may run meanwhile."""
    fetch(settings, Part.SERVER, Part.PLUGINS)
    source, home = apart / "from", Instance(apart / "home", instance.name)
    source.mkdir()
    home.conf.parent.mkdir(parents=True)
    shutil.copyfile(instance.conf, home.conf)
    named = source / f"{DATABASE}.dump"
    try:
        os.link(file, named)
    except OSError:
        shutil.copyfile(file, named)
    try:
        admin(settings, home, java, "database", "load", DATABASE, f"--from-path={source}")
        _check(settings, home, java, apart)
    except GraphmemError as error:
        raise ServerError(f"{file} is no whole backup, nothing was changed: {error}") from error


@contextmanager
def _folder(beside: Path) -> Iterator[Path]:
    """A folder on the same disk, gone afterwards."""
    with tempfile.TemporaryDirectory(prefix=".graphmem-", dir=beside) as made:
        yield Path(made)
