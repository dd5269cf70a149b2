"""The server's process. It is known by its command line, which names its folder, so no pid file can be stale."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from graphmem.errors import ServerError
from graphmem.server.instance import Instance
from graphmem.server.java import Java
from graphmem.server.optional import require

MAIN_CLASS = "org.neo4j.server.Neo4jCommunity"

# Started by a process that ends at once, the server belongs to nobody: it outlives us, and leaves no zombie to us.
_DETACH = """
import os, subprocess, sys
with open(sys.argv[1], "wb") as log:
    flags = subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP if os.name == "nt" else 0
    print(subprocess.Popen(sys.argv[2:], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                           start_new_session=True, creationflags=flags).pid)
"""


def home_argument(instance: Instance) -> str:
    """The argument that tells this instance's server from all others."""
    return f"--home-dir={instance.home}"


def find(instance: Instance) -> Any | None:
    """The running server of this instance as a psutil.Process, or None."""
    psutil = require("psutil")
    mark = home_argument(instance)
    for process in psutil.process_iter(["cmdline", "status"]):
        line = process.info["cmdline"] or ()
        program = PurePath(line[0]).stem if line else ""
        if program == "java" and mark in line and MAIN_CLASS in line and process.info["status"] != psutil.STATUS_ZOMBIE:
            return process
    return None


def launch(instance: Instance, java: Java, command: Sequence[str]) -> Any:
    """Start it detached, its output in the instance's log. Returns a psutil.Process."""
    psutil = require("psutil")
    try:
        started = subprocess.run(  # noqa: S603 - our own command line
            [sys.executable, "-I", "-c", _DETACH, str(instance.log), *command],
            check=True, capture_output=True, text=True, cwd=instance.home, env=java.environment,
        )  # fmt: skip
        return psutil.Process(int(started.stdout))
    except (subprocess.CalledProcessError, psutil.NoSuchProcess, OSError) as error:
        raise ServerError(f"the server process could not be started: {error}; see {instance.log}") from error


def alive(process: Any) -> bool:
    """Whether it still runs."""
    psutil = require("psutil")
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def stop(process: Any, patience: float) -> bool:
    """Ask it to end, and kill it after `patience` seconds. Returns False when it had to be killed."""
    psutil = require("psutil")
    try:
        process.terminate()
        if _gone(process, patience):
            return True
        process.kill()
        if not _gone(process, 30.0):
            raise ServerError(f"process {process.pid} cannot be stopped; end it by hand")
    except psutil.NoSuchProcess:
        return True
    except psutil.AccessDenied as error:
        raise ServerError(f"process {process.pid} belongs to another user and was left alone") from error
    return False


def _gone(process: Any, patience: float) -> bool:
    gone, _ = require("psutil").wait_procs([process], timeout=patience)
    return bool(gone) or not alive(process)
