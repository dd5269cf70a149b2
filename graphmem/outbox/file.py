"""The file of the outbox: an SQLite database that only its owner can read, and a lock beside it.

A rollback journal, synced with its folder (`synchronous` EXTRA), makes each transaction durable once it is committed.
`secure_delete` overwrites what is deleted, and no journal stays. Nothing of SQLite's own errors leaves this module.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Lock
from types import TracebackType

from graphmem.errors import OutboxError
from graphmem.outbox import sql

BUSY = 30.0  # seconds to wait for another's transaction, each of which is short

_HINTS = {
    sqlite3.SQLITE_FULL: "make room on its disk",
    sqlite3.SQLITE_READONLY: "make it and its folder writable, or set GRAPHMEM_OUTBOX__PATH",
    sqlite3.SQLITE_CANTOPEN: "make it and its folder writable, or set GRAPHMEM_OUTBOX__PATH",
    sqlite3.SQLITE_BUSY: "another process holds it for too long; try again",
    sqlite3.SQLITE_NOTADB: "it is damaged: move it away, or set GRAPHMEM_OUTBOX__PATH",
    sqlite3.SQLITE_CORRUPT: "it is damaged: move it away, or set GRAPHMEM_OUTBOX__PATH",
}
_making = Lock()  # closing a file that was just made would drop the locks that another thread has on it


class Lease:
    """The right to deliver, until it is left; a process that ends loses it too."""

    def __init__(self, held: sqlite3.Connection) -> None:
        self._held = held

    def __enter__(self) -> Lease:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._held.close()

    def __del__(self) -> None:
        self._held.close()


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """The outbox, made if it is not there; what is done within is committed as a whole or not at all.

    Raises OutboxError for whatever goes wrong with the file.
    """
    with told(path):
        _make(path)
        with closing(sqlite3.connect(path, timeout=BUSY, isolation_level=None)) as file:
            _prepare(file, path)
            file.execute("BEGIN IMMEDIATE")
            try:
                yield file
                file.execute("COMMIT")
            finally:
                if file.in_transaction:
                    file.execute("ROLLBACK")


@contextmanager
def looked_at(path: Path) -> Iterator[sqlite3.Connection | None]:
    """The outbox to be read, or None while there is none; raises as `opened` does."""
    with told(path):
        if not path.exists():
            yield None
            return
        with closing(sqlite3.connect(path, timeout=BUSY, isolation_level=None)) as file:
            _prepare(file, path)
            yield file


def lease(path: Path, patience: float) -> Lease | None:
    """The right to deliver what an outbox holds, or None when another has it for longer than `patience` seconds."""
    beside = path.with_name(f"{path.name}.lock")
    with told(beside):
        _make(beside)
        held = sqlite3.connect(beside, timeout=patience, isolation_level=None, check_same_thread=False)
        try:
            held.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            held.close()
            if _code(error) == sqlite3.SQLITE_BUSY:
                return None
            raise
        return Lease(held)


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Whatever SQLite or the system refuses within this, or cannot be read, is told as an OutboxError with the file."""
    try:
        yield
    except (sqlite3.Error, OSError, ValueError) as error:
        hint = _HINTS.get(_code(error), "make it readable and writable, or set GRAPHMEM_OUTBOX__PATH")
        raise OutboxError(f"the outbox {path} cannot be used ({_line(error)}): {hint}") from error


def _make(path: Path) -> None:
    with _making:
        if path.exists():
            return
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        except FileExistsError:
            return  # another process was faster


def _prepare(file: sqlite3.Connection, path: Path) -> None:
    file.execute("PRAGMA synchronous = EXTRA")
    file.execute("PRAGMA secure_delete = ON")
    if _version(file, path) == sql.VERSION:
        return
    file.execute("PRAGMA auto_vacuum = FULL")
    file.execute("BEGIN IMMEDIATE")
    if _version(file, path) == 0:
        for statement in sql.CREATE:
            file.execute(statement)
    file.execute("COMMIT")


def _version(file: sqlite3.Connection, path: Path) -> int:
    """The version of the file, 0 for one that is empty. Raises OutboxError for one that is not ours, or is newer."""
    found, whose, tables = file.execute(sql.WHAT).fetchone()
    if whose != (sql.OURS if tables else 0):
        raise OutboxError(f"{path} is another program's file, and no outbox: set GRAPHMEM_OUTBOX__PATH to another one")
    if found > sql.VERSION:
        raise OutboxError(
            f"the outbox {path} is of version {found}, and this graphmem knows {sql.VERSION}: upgrade graphmem, or set "
            "GRAPHMEM_OUTBOX__PATH"
        )
    return int(found)


def _code(error: Exception) -> int:
    return (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]
