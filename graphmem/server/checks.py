"""What `doctor` looks at, one check a function: what was found, and what to do if it is not well."""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from graphmem.endpoints import described
from graphmem.errors import AccessDenied, GraphmemError, StoreUnavailable
from graphmem.server import probe
from graphmem.server.fetch import missing
from graphmem.server.instance import Instance
from graphmem.server.java import find_java
from graphmem.server.lock import Part, read_lock
from graphmem.server.optional import require
from graphmem.server.ports import Ports
from graphmem.server.status import Status
from graphmem.settings import Connection, Settings
from graphmem.store.schema import Present, migrations
from graphmem.store.shapes import SHAPES

_TIMEOUT = 5.0
_FREE_DISK = 2_000_000_000
_UNITS = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30}


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at. `remedy` is empty when it is well."""

    name: str
    found: str
    remedy: str = ""

    @property
    def ok(self) -> bool:
        """Whether nothing needs to be done."""
        return not self.remedy


def java(settings: Settings) -> Check:
    """A Java that can run the server."""
    try:
        found = find_java(settings)
    except GraphmemError as error:
        return Check("Java", "none that can run Neo4j", str(error))
    return Check("Java", f"{found.version} at {found.executable}")


def artifacts(settings: Settings) -> Check:
    """All locked files in the cache, by SHA-256."""
    lock = read_lock()
    wanted = {lock.path(artifact, settings.cache): artifact for artifact in lock.artifacts}
    bad = missing(wanted)
    damaged = sum(path.exists() for path in bad)
    needed = any(artifact.part is not Part.MODEL for artifact in bad.values())
    found = f"{len(wanted) - len(bad)} of {len(wanted)} files verified in {settings.cache}, {damaged} damaged"
    return Check("downloads", found, "run 'graphmem up', which fetches them" if damaged or needed else "")


def disk(instance: Instance) -> Check:
    """Room for the databases."""
    place = next(path for path in (instance.home, *instance.home.parents) if path.exists())
    free = shutil.disk_usage(place).free
    remedy = f"free at least {_FREE_DISK / 1e9:.0f} GB, or set GRAPHMEM_HOME to another disk"
    return Check("disk", f"{free / 1e9:.1f} GB free at {place}", remedy if free < _FREE_DISK else "")


def memory(settings: Settings, running: bool) -> Check:
    """Memory for the heap and the page cache; a running server has its own already."""
    free = int(require("psutil").virtual_memory().available)
    needed = _bytes(settings.server.heap) + _bytes(settings.server.page_cache)
    found = f"{free / 1e9:.1f} GB available, the server takes {needed / 1e9:.1f} GB"
    if running or free >= needed:
        return Check("memory", found)
    return Check("memory", found, "end other programs, or lower GRAPHMEM_SERVER__HEAP and GRAPHMEM_SERVER__PAGE_CACHE")


def ports(settings: Settings, instance: Instance, running: bool) -> Check:
    """The ports that the server has or would ask for; taken ones are no fault, others are chosen."""
    wanted = instance.ports() or Ports(settings.server.bolt_port, settings.server.http_port)
    if running:
        return Check("ports", f"{wanted.bolt} (Bolt) and {wanted.http} (Browser) are in use by the server")
    state = "free" if wanted.free() else "taken: the next 'graphmem up' chooses others"
    return Check("ports", f"{wanted.bolt} (Bolt) and {wanted.http} (Browser) are {state}")


def server(status: Status, instance: Instance) -> Check:
    """Whether the private server runs."""
    if status.running and not instance.connection_file.exists():
        return Check("server", f"'{status.name}' starts as process {status.pid}", "run 'graphmem up' to wait for it")
    if status.running:
        return Check("server", f"'{status.name}' runs as process {status.pid}, Browser at {status.browser}")
    return Check("server", f"'{status.name}' does not run", "run 'graphmem up'")


def private(instance: Instance) -> Check:
    """Whether only the owner can read the password."""
    files = [path for path in (instance.password_file, instance.connection_file) if path.exists()]
    open_to_others = [path for path in files if _readable_by_others(path)]
    if open_to_others:
        return Check("password", f"{open_to_others[0]} can be read by others", f"run: chmod 600 {open_to_others[0]}")
    return Check("password", "only its owner can read it" if files else "none yet")


def models(settings: Settings) -> list[Check]:
    """The models in use, and where each is asked; keys are not shown."""
    try:
        return [Check(name, found) for name, found in described(settings.embedding, settings.llm)]
    except GraphmemError as error:
        return [Check("models", "the settings contradict themselves", str(error))]


def database(at: Connection) -> list[Check]:
    """Reachability, credentials, GDS and schema of a database, asked over Bolt."""
    try:
        found = probe.present(at, _TIMEOUT)
    except GraphmemError as error:
        return [Check("database", _failed(at, error), str(error))]
    return [
        Check("database", f"Neo4j {found.version} ({found.edition}) at {at.uri} accepts the credentials"),
        _gds(at),
        _schema(found),
    ]


def _failed(at: Connection, error: GraphmemError) -> str:
    if isinstance(error, StoreUnavailable):
        return f"no answer from {at.uri}"
    if isinstance(error, AccessDenied):
        return f"{at.uri} refuses this account"
    return f"database '{at.database}' at {at.uri} cannot be used" if at.database else f"{at.uri} cannot be used"


def _gds(at: Connection) -> Check:
    version = probe.gds_version(at, _TIMEOUT)
    if version is None:
        return Check("GDS", "not installed", "only 'graphmem jobs centrality' needs it; install its plugin")
    return Check("GDS", version)


def _schema(found: Present) -> Check:
    applied, offline = len(found.applied), found.offline
    if not applied and not SHAPES.keys() & found.indexes.keys():
        return Check("schema", "none yet; the first call makes it")
    if applied < len(migrations()):
        return Check("schema", f"{applied} of {len(migrations())} steps applied", "run 'graphmem init'")
    if offline:
        return Check("schema", f"not online: {', '.join(offline)}", "run 'graphmem init', which waits for them")
    return Check("schema", f"all {applied} steps applied, all indexes online")


def _readable_by_others(path: Path) -> bool:
    return os.name == "posix" and bool(path.stat().st_mode & 0o077)


def _bytes(size: str) -> int:
    number, unit = re.fullmatch(r"(\d+)([kmg])", size).groups()  # type: ignore[union-attr]  # the settings checked it
    return int(number) * _UNITS[unit]
