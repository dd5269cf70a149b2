"""Where a database is, how a failure to reach it is told, and what is logged and traced of asking it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any
from urllib.parse import urlsplit

from neo4j import NotificationDisabledClassification
from neo4j.exceptions import DriverError, Neo4jError

from graphmem.errors import ConfigurationError, StoreUnavailable
from graphmem.settings import Connection
from graphmem.steps import Call
from graphmem.store.failures import translated
from graphmem.telemetry import Attributes, Told, logger, span

FOREIGN = (Neo4jError, DriverError, OSError, UnicodeEncodeError)
SCHEMES = tuple(f"{kind}{safety}://" for kind in ("bolt", "neo4j") for safety in ("", "+s", "+ssc"))
ROWS = "db.response.returned_rows"
LOG = logger("store")


class Target:
    """What both drivers share: where they connect to, and how failures are told."""

    def __init__(self, at: Connection, timeout: float) -> None:
        self.closed = False
        self._timeout = timeout
        self._silence = (0.0, "")  # until when nobody knocks again, and what the last knock was told
        self._away = False  # whether it was said that the store is away
        self._led(at)

    def _led(self, at: Connection) -> None:
        self.at = at
        self.database = at.database
        self._traced: Attributes = {"db.system.name": "neo4j", **_server(at.uri)}

    @property
    def options(self) -> dict[str, Any]:
        """What the driver is made with."""
        return {
            "auth": (self.at.user, self.at.password.get_secret_value()) if self.at.password is not None else None,
            "notifications_disabled_classifications": [NotificationDisabledClassification.UNRECOGNIZED],
            "connection_timeout": self._timeout,
            "connection_acquisition_timeout": self._timeout,
            "max_transaction_retry_time": self._timeout,
            "user_agent": "graphmem",
        }

    def failed(self, error: Exception) -> Exception:
        """The graphmem error for a driver's; that the store went away is logged once, and so is its return."""
        where = f"database '{self.database}' at {self.at.uri}" if self.database else self.at.uri
        failure = translated(error, where)
        if isinstance(failure, StoreUnavailable) and not self._away:
            self._away = True
            LOG.warning("the store at %s is away (%s)", self._traced["server.address"], type(error).__name__)
        return failure

    def answered(self) -> None:
        """Note that the store has answered."""
        if self._away:
            self._away = False
            LOG.info("the store at %s answers again", self._traced["server.address"])

    @contextmanager
    def knocking(self) -> Iterator[None]:
        """A try to reach the server within this; where it failed, none for as long again as the failure took."""
        until, told = self._silence
        began = time.monotonic()
        if began < until:
            raise StoreUnavailable(told)
        try:
            yield
        except FOREIGN as error:
            now = time.monotonic()
            failure = self.failed(error)
            self._silence = (2 * now - began, str(failure)) if isinstance(failure, StoreUnavailable) else (0.0, "")
            raise failure from error
        self.answered()

    def check_open(self) -> None:
        """Raise StoreUnavailable once closed, and while the private server does not run."""
        if self.closed:
            raise StoreUnavailable("this client is closed; make a new Memory")
        if self.at.down is not None:
            self._led(self.at.now())

    def running(self, call: Call) -> AbstractContextManager[Told]:
        """The span of one statement: its name, where it runs, and never what it is given."""
        about = {**self._traced, "db.namespace": self.database or "", "db.query.summary": call.statement.name}
        return span(call.statement.name, LOG, about, client=True)

    def transaction(self, statements: int) -> AbstractContextManager[Told]:
        """The span of one transaction, with its retries."""
        return span("transaction", LOG, {**self._traced, "db.operation.batch.size": statements})


def _server(uri: str) -> dict[str, str | int]:
    """Where an address leads, without what else it may say. Raises ConfigurationError when it is none."""
    if not uri.startswith(SCHEMES):
        raise ConfigurationError(f"{uri} is not a usable address: it must begin with one of {', '.join(SCHEMES)}")
    try:
        parts = urlsplit(uri)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise ConfigurationError(f"{uri} is not a usable address: {error}") from error
    return {"server.address": host} if port is None else {"server.address": host, "server.port": port}
