"""`down`: exactly this instance's server ends."""

from __future__ import annotations

from enum import StrEnum

from graphmem.server.instance import instance_of
from graphmem.server.process import find, stop
from graphmem.settings import Settings

PATIENCE = 90.0
"""Seconds that a server gets to write its last checkpoint."""


class Ending(StrEnum):
    """How `down` found and left the server."""

    WAS_DOWN = "was not running"
    STOPPED = "stopped"
    KILLED = "killed"


def down(settings: Settings, patience: float = PATIENCE) -> Ending:
    """Stop the private server that the settings name; its data stays.

    One that does not end within `patience` seconds is killed, and recovers its data at its next start. Raises
    ServerError when it may not be stopped.
    """
    instance = instance_of(settings)
    if not instance.home.is_dir():
        return Ending.WAS_DOWN
    with instance.alone():
        process = find(instance)
        ending = Ending.WAS_DOWN
        if process is not None:
            ending = Ending.STOPPED if stop(process, patience) else Ending.KILLED
        instance.connection_file.unlink(missing_ok=True)
    return ending
