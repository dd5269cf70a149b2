"""The two ports of a private server on 127.0.0.1."""

from __future__ import annotations

import os
import socket
from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ports:
    """Where Bolt and HTTP (with Browser) are."""

    bolt: int
    http: int

    def free(self) -> bool:
        """Whether nobody listens on either of them."""
        return is_free(self.bolt) and is_free(self.http)


def choose(wanted: Ports, taken: Collection[int] = ()) -> Ports:
    """The wanted ports where they are free and not in `taken`, else any free ones; 0 asks for any."""
    bolt = _one(wanted.bolt, taken)
    return Ports(bolt, _one(wanted.http, {*taken, bolt}))


def is_free(port: int) -> bool:
    """Whether nobody listens on the port of 127.0.0.1 and a server could."""
    if answers(port):
        return False
    try:
        with _listener(port):
            return True
    except OSError:
        return False


def answers(port: int) -> bool:
    """Whether somebody accepts connections there."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.settimeout(1.0)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _one(wanted: int, taken: Collection[int]) -> int:
    if wanted and wanted not in taken and is_free(wanted):
        return wanted
    while True:
        with _listener(0) as found:
            port = int(found.getsockname()[1])
        if port not in taken:
            return port


def _listener(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if os.name == "posix":
            # As the server does: a port that was in use a moment ago may be taken again.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
    except OSError:
        listener.close()
        raise
    return listener
