"""One database, reached by the sync or the async driver of Neo4j.

Every session names its database: the configured one, else the account's home database, asked for once. A read is one
auto-commit round trip, repeated in a managed transaction only if it failed in a way that may pass; a write is one
managed transaction. A bookmark manager per client makes it read its own writes, also in a cluster.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import neo4j
from neo4j import (
    READ_ACCESS,
    WRITE_ACCESS,
    AsyncGraphDatabase,
    GraphDatabase,
    NotificationDisabledClassification,
)
from neo4j.exceptions import DriverError, Neo4jError, ResultFailedError

from graphmem.errors import StoreUnavailable
from graphmem.settings import Connection
from graphmem.steps import Alone, Call, Knock, Read, Rows, Write
from graphmem.store.catalogue import statement
from graphmem.store.failures import translated
from graphmem.store.loop import Loop
from graphmem.store.rows import plain

FOREIGN = (Neo4jError, DriverError, OSError, UnicodeEncodeError)
ATTEMPTS = 5


class _Base:
    """What both drivers share: where they connect to, and how failures are told."""

    def __init__(self, at: Connection, timeout: float) -> None:
        self.at = at
        self.database = at.database
        self.closed = False
        self._silence = (0.0, "")  # until when nobody knocks again, and what the last knock was told
        self.options: dict[str, Any] = {
            "auth": (at.user, at.password.get_secret_value()) if at.password is not None else None,
            "notifications_disabled_classifications": [NotificationDisabledClassification.UNRECOGNIZED],
            "connection_timeout": timeout,
            "connection_acquisition_timeout": timeout,
            "max_transaction_retry_time": timeout,
            "user_agent": "graphmem",
        }

    def failed(self, error: Exception) -> Exception:
        """The graphmem error for a driver's."""
        where = f"database '{self.database}' at {self.at.uri}" if self.database else self.at.uri
        return translated(error, where)

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

    def check_open(self) -> None:
        """Raise StoreUnavailable once closed."""
        if self.closed:
            raise StoreUnavailable("this client is closed; make a new Memory")


class Database(_Base):
    """Answers reads and writes with the sync driver; may be shared by threads."""

    def __init__(self, at: Connection, timeout: float) -> None:
        super().__init__(at, timeout)
        try:
            self._driver = GraphDatabase.driver(at.uri, **self.options)
        except (*FOREIGN, ValueError) as error:
            raise self.failed(error) from error
        self._bookmarks = GraphDatabase.bookmark_manager()

    def answer(self, step: Read | Write | Alone | Knock) -> Any:
        """The rows of a read or of a lone statement, or the row lists of a write."""
        if isinstance(step, Knock):
            self.check_open()
            with self.knocking():
                return self._driver.verify_connectivity()
        with self._told():
            if isinstance(step, Read):
                return self._read(step.call)
            with self._session(WRITE_ACCESS) as session:
                if isinstance(step, Alone):
                    return _statement(session, step.call)
                return self._write(session, step.calls)

    def close(self) -> None:
        """Close all connections; calling it twice is fine."""
        self.closed = True
        self._driver.close()

    def _read(self, call: Call) -> Rows:
        with self._session(READ_ACCESS) as session:
            try:
                return _statement(session, call)
            except (Neo4jError, DriverError) as error:
                if not error.is_retryable():
                    raise
            return session.execute_read(_statement, call)

    def _write(self, session: neo4j.Session, calls: Sequence[Call]) -> list[Rows]:
        for _ in range(ATTEMPTS):
            try:
                return session.execute_write(_transaction, calls)
            except ResultFailedError as error:
                cause = _passing(error)
        raise cause

    def _session(self, access: str) -> neo4j.Session:
        self.check_open()
        if self.database is None:
            with self._driver.session(database=None, default_access_mode=READ_ACCESS) as session:
                self.database = str(_statement(session, Call(statement("schema/home"), {}))[0]["name"])
        return self._driver.session(
            database=self.database, default_access_mode=access, bookmark_manager=self._bookmarks
        )

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except FOREIGN as error:
            raise self.failed(error) from error


class AsyncDatabase(_Base):
    """Answers reads and writes with the async driver, from any event loop and from several."""

    def __init__(self, at: Connection, timeout: float) -> None:
        super().__init__(at, timeout)
        self._loop = Loop()
        self._driver: neo4j.AsyncDriver | None = None
        self._bookmarks = AsyncGraphDatabase.bookmark_manager()

    async def answer(self, step: Read | Write | Alone | Knock) -> Any:
        """The rows of a read or of a lone statement, or the row lists of a write."""
        return await self._loop.run(self._knock() if isinstance(step, Knock) else self._told(step))

    async def close(self) -> None:
        """Close all connections; calling it twice is fine."""
        self.closed = True
        await self._loop.close(self._close())

    async def _answer(self, step: Read | Write | Alone) -> Any:
        if isinstance(step, Read):
            return await self._read(step.call)
        async with await self._session(WRITE_ACCESS) as session:
            if isinstance(step, Alone):
                return await _async_statement(session, step.call)
            return await self._write(session, step.calls)

    async def _write(self, session: neo4j.AsyncSession, calls: Sequence[Call]) -> list[Rows]:
        for _ in range(ATTEMPTS):
            try:
                return await session.execute_write(_async_transaction, calls)
            except ResultFailedError as error:
                cause = _passing(error)
        raise cause

    async def _read(self, call: Call) -> Rows:
        async with await self._session(READ_ACCESS) as session:
            try:
                return await _async_statement(session, call)
            except (Neo4jError, DriverError) as error:
                if not error.is_retryable():
                    raise
            return await session.execute_read(_async_statement, call)

    async def _knock(self) -> None:
        driver = self._opened()
        with self.knocking():
            await driver.verify_connectivity()

    def _opened(self) -> neo4j.AsyncDriver:
        self.check_open()
        if self._driver is None:
            try:
                self._driver = AsyncGraphDatabase.driver(self.at.uri, **self.options)
            except ValueError as error:
                raise self.failed(error) from error
        return self._driver

    async def _session(self, access: str) -> neo4j.AsyncSession:
        driver = self._opened()
        if self.database is None:
            async with driver.session(database=None, default_access_mode=READ_ACCESS) as session:
                rows = await _async_statement(session, Call(statement("schema/home"), {}))
                self.database = str(rows[0]["name"])
        return driver.session(database=self.database, default_access_mode=access, bookmark_manager=self._bookmarks)

    async def _close(self) -> None:
        if self._driver is not None:
            await self._driver.close()

    async def _told(self, step: Read | Write | Alone) -> Any:
        try:
            return await self._answer(step)
        except FOREIGN as error:
            raise self.failed(error) from error


def _passing(error: ResultFailedError) -> Neo4jError | DriverError:
    """The failure that may pass behind a failed result: rolling back, the driver hides it, and does not try again."""
    cause = error.__cause__
    if isinstance(cause, Neo4jError | DriverError) and cause.is_retryable():
        return cause
    raise error


def _statement(runner: neo4j.Session | neo4j.ManagedTransaction, call: Call) -> Rows:
    return [plain(record) for record in runner.run(call.statement.text, dict(call.parameters))]


def _transaction(transaction: neo4j.ManagedTransaction, calls: Sequence[Call]) -> list[Rows]:
    return [_statement(transaction, call) for call in calls]


async def _async_statement(runner: neo4j.AsyncSession | neo4j.AsyncManagedTransaction, call: Call) -> Rows:
    result = await runner.run(call.statement.text, dict(call.parameters))
    return [plain(record) async for record in result]


async def _async_transaction(transaction: neo4j.AsyncManagedTransaction, calls: Sequence[Call]) -> list[Rows]:
    return [await _async_statement(transaction, call) for call in calls]
