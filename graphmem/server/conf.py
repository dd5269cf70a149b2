"""What the server is told: neo4j.conf and the command line."""

from __future__ import annotations

import os

from graphmem.server.instance import Instance
from graphmem.server.java import Java
from graphmem.server.lock import Lock, Part
from graphmem.server.ports import Ports
from graphmem.server.process import MAIN_CLASS, home_argument
from graphmem.settings import Settings

_FIXED = {
    "server.default_listen_address": "127.0.0.1",
    "server.default_advertised_address": "127.0.0.1",
    "server.https.enabled": "false",
    "dbms.security.procedures.unrestricted": "gds.*",
    # Nobody is told about this server, and nobody else can make it read files.
    "dbms.usage_report.enabled": "false",
    "dbms.fleet_manager.enabled": "false",
    "server.fleet_discovery.enabled": "false",
    "server.http.x_forward.enabled": "false",
    "client.allow_telemetry": "false",
    "dbms.security.allow_csv_import_from_file_urls": "false",
    # A log of queries would keep what was erased.
    "db.logs.query.enabled": "OFF",
    # An empty database takes 1 MB instead of 256.
    "db.tx_log.preallocate": "false",
    # Neo4j would wait 10 s for clients after its databases are closed.
    "internal.dbms.bolt.netty_server_shutdown_quiet_period_duration": "0s",
}


def conf(settings: Settings, lock: Lock, ports: Ports) -> str:
    """The text of neo4j.conf. Jars stay in the cache, shared by all instances."""
    lines = _FIXED | {
        "server.directories.lib": lock.folder(Part.SERVER, settings.cache).resolve().as_posix(),
        "server.directories.plugins": lock.folder(Part.PLUGINS, settings.cache).resolve().as_posix(),
        "server.bolt.listen_address": f"127.0.0.1:{ports.bolt}",
        "server.bolt.advertised_address": f"127.0.0.1:{ports.bolt}",
        "server.http.listen_address": f"127.0.0.1:{ports.http}",
        "server.http.advertised_address": f"127.0.0.1:{ports.http}",
        "server.memory.heap.initial_size": settings.server.heap,
        "server.memory.heap.max_size": settings.server.heap,
        "server.memory.pagecache.size": settings.server.page_cache,
    }
    written = "".join(f"{name}={value}\n" for name, value in lines.items())
    return f"# Written anew by every 'graphmem up': change GRAPHMEM_SERVER__*, not this file.\n{written}"


def class_path(settings: Settings, lock: Lock) -> str:
    """All jars; GDS must be here too, not only among the plugins, or the server refuses to start."""
    folders = (lock.folder(part, settings.cache).resolve() for part in (Part.PLUGINS, Part.SERVER))
    return os.pathsep.join(str(folder / "*") for folder in folders)


def server_command(settings: Settings, lock: Lock, instance: Instance, java: Java) -> list[str]:
    """The command line of the server."""
    heap = (f"-Xms{settings.server.heap}", f"-Xmx{settings.server.heap}")
    jars = ("-cp", class_path(settings, lock))
    folders = (home_argument(instance), f"--config-dir={instance.conf.parent}")
    return [str(java.executable), *java.flags, *heap, *jars, MAIN_CLASS, *folders]
