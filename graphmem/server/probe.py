"""What a database says when it is asked over Bolt."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast

from graphmem.errors import StoreError
from graphmem.settings import Connection
from graphmem.steps import Answer, Call, Read, run
from graphmem.store.catalogue import statement
from graphmem.store.driver import Database
from graphmem.store.schema import Present, inspect


def ping(at: Connection, timeout: float) -> None:
    """Ask the least. Raises StoreError when nobody answers there or the credentials are refused."""
    with _open(at, timeout) as database:
        database.answer(Read(Call(statement("schema/server"), {})))


def present(at: Connection, timeout: float) -> Present:
    """Version and schema. Raises StoreError as `ping` does."""
    with _open(at, timeout) as database:
        # It yields reads alone, which is less than a runner may be asked.
        return run(inspect(), cast(Answer, database.answer))


def holds(at: Connection, timeout: float) -> tuple[int, int]:
    """How many memories a database holds, and the last step of its schema. Raises StoreError as `ping` does."""
    with _open(at, timeout) as database:
        row = database.answer(Read(Call(statement("schema/holds"), {})))[0]
    return int(row["memories"]), int(row["schema"])


def gds_version(at: Connection, timeout: float) -> str | None:
    """The version of Graph Data Science, None where it is not installed."""
    with _open(at, timeout) as database:
        try:
            return str(database.answer(Read(Call(statement("server/gds"), {})))[0]["version"])
        except StoreError:
            return None


@contextmanager
def _open(at: Connection, timeout: float) -> Iterator[Database]:
    database = Database(at, timeout)
    try:
        yield database
    finally:
        database.close()
