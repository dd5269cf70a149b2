"""A way to the real server that can be cut: a port that passes bytes on, refuses them, or loses an acknowledgement."""

from __future__ import annotations

import contextlib
import socket
import threading

COMMIT = b"\x00\x02\xb0\x12\x00\x00"  # Bolt's message, in its chunk


class Relay:
    """Listens on a port of its own for as long as the store is to be reachable."""

    def __init__(self, server: tuple[str, int]) -> None:
        self._server = server
        self._listener: socket.socket | None = None
        self._joined: list[socket.socket] = []
        self._guard = threading.Lock()
        self._lose = False
        self.port = 0
        self.mend()

    def mend(self) -> None:
        """The store is reachable, at the same port as before."""
        self._lose = False
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", self.port))
        listener.listen()
        self.port, self._listener = listener.getsockname()[1], listener
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()

    def cut(self) -> None:
        """The store is away: connections break, and new ones are refused."""
        with self._guard:
            if self._listener is not None:
                _end(self._listener)
            self._listener = None
            for joined in self._joined:
                _end(joined)
            self._joined.clear()

    def lose_next_acknowledgement(self) -> None:
        """The next commit reaches the server; its answer is lost, and then the store is away."""
        self._lose = True

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            server = socket.create_connection(self._server)
            with self._guard:
                if self._listener is not listener:
                    _end(client)
                    _end(server)
                    return
                self._joined += [client, server]
            committing = threading.Event()
            for source, target, up in ((client, server, True), (server, client, False)):
                threading.Thread(target=self._pass, args=(source, target, up, committing), daemon=True).start()

    def _pass(self, source: socket.socket, target: socket.socket, up: bool, committing: threading.Event) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65_536):
                if up and self._lose and data.endswith(COMMIT):
                    committing.set()
                if not up and committing.is_set():
                    self.cut()
                    return
                target.sendall(data)
        _end(source)
        _end(target)


def _end(one: socket.socket) -> None:
    with contextlib.suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
    one.close()
