"""Neo4j's own administration commands (dump, load, check, initial password) on one instance."""

from __future__ import annotations

import subprocess

from graphmem.errors import ServerError
from graphmem.server.conf import class_path
from graphmem.server.instance import Instance
from graphmem.server.java import Java
from graphmem.server.lock import read_lock
from graphmem.settings import Settings

_MAIN_CLASS = "org.neo4j.cli.AdminTool"


def admin(settings: Settings, instance: Instance, java: Java, *arguments: str) -> str:
    """Run one command, such as ``database dump neo4j``, and return what it printed.

    The server of the instance must be stopped where the command demands it, its neo4j.conf written and the
    artifacts fetched. Raises ServerError with the command's own last words.
    """
    command = [str(java.executable), *java.flags, "-cp", class_path(settings, read_lock()), _MAIN_CLASS, *arguments]
    places = {"NEO4J_HOME": str(instance.home), "NEO4J_CONF": str(instance.conf.parent)}
    done = subprocess.run(  # noqa: S603 - our own command line
        command,
        env=java.environment | places,
        cwd=instance.home,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        said = [
            line for line in (done.stderr or done.stdout).splitlines() if line.strip() and not line.startswith("\t")
        ]
        raise ServerError(f"neo4j-admin {' '.join(arguments)} failed: {' '.join(said[-3:]) or done.returncode}")
    return done.stdout
