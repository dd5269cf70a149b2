"""One database, reached by the sync or the async driver of Neo4j.

Every session names its database: the configured one, else the account's home database, asked for once. A read is one
auto-commit round trip, repeated in a managed transaction only if it failed in a way that may pass; a write is one
managed transaction. A bookmark manager per client makes it read its own writes, also in a cluster.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Any

import neo4j
from neo4j import READ_ACCESS, WRITE_ACCESS, AsyncGraphDatabase, GraphDatabase
from neo4j.exceptions import DriverError, Neo4jError, ResultFailedError

from graphmem.settings import Connection
from graphmem.steps import Alone, Call, Knock, Read, Rows, Write
from graphmem.store.catalogue import statement
from graphmem.store.loop import Loop
from graphmem.store.rows import plain
from graphmem.store.target import FOREIGN, ROWS, Target

__all__ = ["FOREIGN", "AsyncDatabase", "Database"]

ATTEMPTS = 5
# Who wants the driver's own records configures a handler; else Python would print them raw, since nobody does.
logging.getLogger("neo4j").addHandler(logging.NullHandler())


class Database(Target):
    """Answers reads and writes with the sync driver; may be shared by threads."""

    def __init__(self, at: Connection, timeout: float) -> None:
        super().__init__(at, timeout)
        self._making = Lock()
        self._driver: neo4j.Driver | None = None
        self._bookmarks = GraphDatabase.bookmark_manager()
        if at.down is None:
            self._opened()

    def answer(self, step: Read | Write | Alone | Knock) -> Any:
        """The rows of a read or of a lone statement, or the row lists of a write."""
        if isinstance(step, Knock):
            driver = self._opened()
            with self.knocking():
                return driver.verify_connectivity()
        with self._told():
            if isinstance(step, Read):
                return self._read(step.call)
            with self._session(WRITE_ACCESS) as session:
                if isinstance(step, Alone):
                    return self._statement(session, step.call)
                with self.transaction(len(step.calls)):
                    return self._write(session, step.calls)

    def close(self) -> None:
        """Close all connections; calling it twice is fine."""
        self.closed = True
        if self._driver is not None:
            self._driver.close()

    def _opened(self) -> neo4j.Driver:
        with self._making:
            self.check_open()
            if self._driver is None:
                try:
                    self._driver = GraphDatabase.driver(self.at.uri, **self.options)
                except (*FOREIGN, ValueError) as error:
                    raise self.failed(error) from error
            return self._driver

    def _read(self, call: Call) -> Rows:
        with self._session(READ_ACCESS) as session:
            try:
                return self._statement(session, call)
            except (Neo4jError, DriverError) as error:
                if not error.is_retryable():
                    raise
            return session.execute_read(self._statement, call)

    def _write(self, session: neo4j.Session, calls: Sequence[Call]) -> list[Rows]:
        for _ in range(ATTEMPTS):
            try:
                return session.execute_write(self._transaction, calls)
            except ResultFailedError as error:
                cause = _passing(error)
        raise cause

    def _session(self, access: str) -> neo4j.Session:
        driver = self._opened()
        if self.database is None:
            with driver.session(database=None, default_access_mode=READ_ACCESS) as session:
                self.database = str(self._statement(session, Call(statement("schema/home"), {}))[0]["name"])
        return driver.session(database=self.database, default_access_mode=access, bookmark_manager=self._bookmarks)

    def _statement(self, runner: neo4j.Session | neo4j.ManagedTransaction, call: Call) -> Rows:
        with self.running(call) as told:
            rows = [plain(record) for record in runner.run(call.statement.text, dict(call.parameters))]
            told({ROWS: len(rows)})
        return rows

    def _transaction(self, transaction: neo4j.ManagedTransaction, calls: Sequence[Call]) -> list[Rows]:
        return [self._statement(transaction, call) for call in calls]

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except FOREIGN as error:
            raise self.failed(error) from error
        self.answered()


class AsyncDatabase(Target):
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
                return await self._statement(session, step.call)
            with self.transaction(len(step.calls)):
                return await self._write(session, step.calls)

    async def _write(self, session: neo4j.AsyncSession, calls: Sequence[Call]) -> list[Rows]:
        for _ in range(ATTEMPTS):
            try:
                return await session.execute_write(self._transaction, calls)
            except ResultFailedError as error:
                cause = _passing(error)
        raise cause

    async def _read(self, call: Call) -> Rows:
        async with await self._session(READ_ACCESS) as session:
            try:
                return await self._statement(session, call)
            except (Neo4jError, DriverError) as error:
                if not error.is_retryable():
                    raise
            return await session.execute_read(self._statement, call)

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
                rows = await self._statement(session, Call(statement("schema/home"), {}))
                self.database = str(rows[0]["name"])
        return driver.session(database=self.database, default_access_mode=access, bookmark_manager=self._bookmarks)

    async def _close(self) -> None:
        if self._driver is not None:
            await self._driver.close()

    async def _statement(self, runner: neo4j.AsyncSession | neo4j.AsyncManagedTransaction, call: Call) -> Rows:
        with self.running(call) as told:
            result = await runner.run(call.statement.text, dict(call.parameters))
            rows = [plain(record) async for record in result]
            told({ROWS: len(rows)})
        return rows

    async def _transaction(self, transaction: neo4j.AsyncManagedTransaction, calls: Sequence[Call]) -> list[Rows]:
        return [await self._statement(transaction, call) for call in calls]

    async def _told(self, step: Read | Write | Alone) -> Any:
        try:
            answer = await self._answer(step)
        except FOREIGN as error:
            raise self.failed(error) from error
        self.answered()
        return answer


def _passing(error: ResultFailedError) -> Neo4jError | DriverError:
    """The failure that may pass behind a failed result: rolling back, the driver hides it, and does not try again."""
    cause = error.__cause__
    if isinstance(cause, Neo4jError | DriverError) and cause.is_retryable():
        return cause
    raise error
