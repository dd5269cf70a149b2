"""`up`: a server that runs, whatever was there before."""

from __future__ import annotations

import json
import time
from typing import Any

from graphmem.errors import ServerError, StoreError
from graphmem.server import probe
from graphmem.server.admin import admin
from graphmem.server.conf import conf, server_command
from graphmem.server.fetch import fetch
from graphmem.server.instance import DATABASE, Instance, instance_of, write_private
from graphmem.server.java import Java, find_java
from graphmem.server.lock import Part, read_lock
from graphmem.server.optional import require
from graphmem.server.ports import Ports, answers, choose
from graphmem.server.process import alive, find, launch
from graphmem.server.status import Status, status
from graphmem.server.swap import heal
from graphmem.settings import Connection, Settings

_PAUSE = 0.2
_LAST_LINES = 15


def up(settings: Settings) -> Status:
    """Start the private server that the settings name, unless it runs, and wait until Bolt answers.

    Its connection file is written last. Raises ArtifactError, ConfigurationError, or ServerError with the reason, and
    with the last lines of the server's log as a note.
    """
    instance = instance_of(settings)
    with instance.alone():
        process = find(instance) or _start(settings, instance)
        at = _connection(instance)
        if not _wait(settings, instance, process, at):
            # Somebody took a port between our look and the server's: choose again, once.
            process = _start(settings, instance)
            at = _connection(instance)
            if not _wait(settings, instance, process, at):
                raise _died(instance)
        _publish(instance, at)
    return status(settings)


def _start(settings: Settings, instance: Instance) -> Any:
    java = find_java(settings)
    fetch(settings, Part.SERVER, Part.PLUGINS)
    # A client must not offer our password to whoever has the old port now.
    instance.connection_file.unlink(missing_ok=True)
    heal(instance, DATABASE)
    configure(settings, instance)
    _set_password(settings, instance, java)
    return launch(instance, java, server_command(settings, read_lock(), instance, java))


def configure(settings: Settings, instance: Instance) -> None:
    """Write neo4j.conf, with ports that neither others use now nor our other instances will want back."""
    folder = instance.home.parent
    with require("filelock").FileLock(folder / "ports.lock"):
        last = instance.ports()
        others = (Instance(path, path.name).ports() for path in folder.glob("*/") if path != instance.home)
        reserved = {port for ports in others if ports for port in (ports.bolt, ports.http)}
        wanted = Ports(settings.server.bolt_port, settings.server.http_port)
        ports = last if last and last.free() else choose(wanted, reserved)
        write_private(instance.conf, conf(settings, read_lock(), ports))


def _set_password(settings: Settings, instance: Instance, java: Java) -> None:
    instance.password()
    if not instance.started_before():
        # From a file: a command line can be read by everyone on this machine.
        admin(settings, instance, java, "dbms", "set-initial-password", f"@{instance.password_file}")


def _connection(instance: Instance) -> Connection:
    ports = instance.ports()
    if ports is None:
        raise ServerError(f"{instance.conf} is gone while its server runs; run 'graphmem down', then 'graphmem up'")
    return instance.connection(ports)


def _wait(settings: Settings, instance: Instance, process: Any, at: Connection) -> bool:
    """Wait for Bolt. Returns False when the server ended because another had its ports."""
    deadline = time.monotonic() + settings.server.start_timeout
    reason = "it does not listen on its ports yet"
    while time.monotonic() < deadline:
        ports = instance.ports()
        if not alive(process):
            if ports is not None and not ports.free():
                return False
            raise _died(instance)
        if ports is not None and answers(ports.bolt) and answers(ports.http):
            try:
                probe.ping(at, timeout=5.0)
            except StoreError as error:
                reason = str(error)
            else:
                return True
        time.sleep(_PAUSE)
    raise ServerError(
        f"server '{instance.name}' (process {process.pid}) does not answer after {settings.server.start_timeout:g} s "
        f"({reason}); 'graphmem up' goes on waiting, 'graphmem down' gives up; its log is {instance.log}"
    )


def _died(instance: Instance) -> ServerError:
    lines = [line for line in instance.log.read_text("utf-8", errors="replace").splitlines() if line.strip()]
    reasons = [line for line in lines if "Exception" in line] or lines or ["it printed nothing"]
    why = reasons[-1].strip()
    error = ServerError(
        f"server '{instance.name}' ended while starting: {why}; see {instance.log}, and run 'graphmem doctor'"
    )
    error.add_note("\n".join(lines[-_LAST_LINES:]))
    return error


def _publish(instance: Instance, at: Connection) -> None:
    """Tell clients where it is. The password goes in plain text into a file of mode 0600."""
    shown = at.model_dump(exclude={"password"})
    write_private(instance.connection_file, json.dumps(shown | {"password": instance.password()}, indent=1))
