"""What has left so far, on disk: a link leaves only between what did, whatever is written and erased meanwhile."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from graphmem.move.links import Link, Use
from graphmem.move.records import Record


class Seen:
    """The memories and receipts that have left."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.sql = connection

    def add(self, label: str, records: Iterable[Record]) -> None:
        """Note that these have left."""
        keys = [(label, one.user, str(getattr(one, "id", ""))) for one in records]
        self.sql.executemany("INSERT OR IGNORE INTO seen VALUES (?,?,?)", keys)

    def both(self, link: Link) -> bool:
        """Whether both ends of a link have left."""
        start = "receipts" if isinstance(link, Use) else "memories"
        ends = ((start, link.start.user, link.start.id), ("memories", link.end.user, link.end.id))
        query = "SELECT 1 FROM seen WHERE (label, user, id) = (?,?,?)"
        return all(self.sql.execute(query, end).fetchone() for end in ends)


@contextmanager
def seen() -> Iterator[Seen]:
    """Nothing seen yet; it is kept in a temporary file that only this process can open and that goes with it."""
    connection = sqlite3.connect("", isolation_level=None, check_same_thread=False)
    try:
        connection.executescript(
            "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA cache_size = -8000;"
            "CREATE TABLE seen (label TEXT, user TEXT, id TEXT, PRIMARY KEY (label, user, id)) WITHOUT ROWID"
        )
        yield Seen(connection)
    finally:
        connection.close()
