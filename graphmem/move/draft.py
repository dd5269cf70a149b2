"""What was read of a file, kept on disk until all of it is known to be good: keys, facts and bodies, in SQLite.

So neither the length of a file nor the order of its lines matters, duplicates and references are found by indexes, and
what is written is what was read, whatever becomes of the file meanwhile.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

from graphmem.move.models import SHOWN, Fault

TABLES = """
PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA cache_size = -8000;
CREATE TABLE node (
  number INTEGER PRIMARY KEY, sort INTEGER, label TEXT, user TEXT, id TEXT, kind TEXT, place TEXT, body TEXT,
  known INTEGER DEFAULT 0, UNIQUE (label, user, id));
CREATE INDEX node_sort ON node (sort, number);
CREATE TABLE ends (label TEXT, user TEXT, id TEXT, kind TEXT, secure INTEGER, UNIQUE (label, user, id));
CREATE TABLE link (
  number INTEGER PRIMARY KEY, kind TEXT, user TEXT, label TEXT, start_user TEXT, start_id TEXT, end_user TEXT,
  end_id TEXT, relation TEXT, place TEXT, body TEXT,
  UNIQUE (kind, user, start_user, start_id, end_user, end_id, relation));
CREATE TABLE gone (label TEXT, user TEXT, id TEXT, UNIQUE (label, user, id));
CREATE INDEX link_kind ON link (kind, number);
"""
ADD_NODE = "INSERT INTO node (sort, label, user, id, kind, place, body) VALUES (?,?,?,?,?,?,?)"
ADD_LINK = (
    "INSERT INTO link (kind, user, label, start_user, start_id, end_user, end_id, relation, place, body) "
    "VALUES (?,?,?,?,?,?,?,?,?,?)"
)
NODE_TWIN = "SELECT place, body FROM node WHERE (label, user, id) = (?,?,?)"
LINK_TWIN = (
    "SELECT place FROM link WHERE (kind, user, start_user, start_id, end_user, end_id, relation) = (?,?,?,?,?,?,?)"
)
NODES = (
    "SELECT number, place, label, user, id, kind, known, body FROM node "
    "WHERE sort = ? AND number > ? AND ? IN ('', kind) ORDER BY number LIMIT ?"
)
OUTSIDE = (
    "SELECT DISTINCT label, user, id FROM (SELECT label, start_user AS user, start_id AS id FROM link "
    "UNION SELECT 'memory', end_user, end_id FROM link) AS e "
    "WHERE (label, user, id) > (?,?,?) "
    "AND NOT EXISTS (SELECT 1 FROM ends n WHERE (n.label, n.user, n.id) = (e.label, e.user, e.id)) "
    "AND NOT EXISTS (SELECT 1 FROM gone n WHERE (n.label, n.user, n.id) = (e.label, e.user, e.id)) "
    "ORDER BY label, user, id LIMIT ?"
)
LOOSE = (
    "SELECT l.number, l.place, l.kind, l.start_id, l.end_id, a.id IS NULL, b.id IS NULL, a.secure AND NOT b.secure, "
    "EXISTS (SELECT 1 FROM gone g WHERE (g.label, g.user, g.id) IN "
    "((l.label, l.start_user, l.start_id), ('memory', l.end_user, l.end_id))) "
    "FROM link l LEFT JOIN ends a ON (a.label, a.user, a.id) = (l.label, l.start_user, l.start_id) "
    "LEFT JOIN ends b ON (b.label, b.user, b.id) = ('memory', l.end_user, l.end_id) "
    "WHERE l.number > ? AND (a.id IS NULL OR b.id IS NULL "
    "OR l.kind = 'derives' AND (a.kind, b.kind) <> ('episode', 'reflection') "
    "OR l.kind = 'generalizes' AND (a.kind, b.kind) <> ('reflection', 'skill') "
    "OR l.kind IN ('derives', 'generalizes') AND a.secure AND NOT b.secure) ORDER BY l.number LIMIT ?"
)
UNFOUNDED = (
    "SELECT n.number, n.place, n.label, n.user, n.id, l.start_id, "
    "EXISTS (SELECT 1 FROM gone g WHERE (g.label, g.user, g.id) = ('memory', l.start_user, l.start_id)) FROM link l "
    "JOIN node n ON (n.label, n.user, n.id) = ('memory', l.end_user, l.end_id) "
    "WHERE l.kind = 'source' AND NOT EXISTS (SELECT 1 FROM ends a WHERE a.label = 'memory' AND a.id = l.start_id "
    "AND a.user IN (l.start_user, '') AND a.kind = l.relation) ORDER BY l.number LIMIT ?"
)
SAME, ARRIVING = 1, 2  # what `known` says of a node that is in the database already


class Key(NamedTuple):
    """What a node is known by: memory, recall, parameters or job; of which user; its id."""

    label: str
    user: str
    id: str


@dataclass(frozen=True, slots=True)
class Kept:
    """A node of a file: where it stands, what it is, whether the database has it, and its body."""

    number: int
    place: str
    key: Key
    kind: str
    known: int
    body: str


class Draft:
    """The nodes and links of one file, and what is wrong with it."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.sql = connection
        self.faults: list[Fault] = []
        self.bad = 0
        self.conflicts = 0

    def fault(self, place: str, problem: str, conflict: bool = False) -> None:
        """Count a fault, and keep it if it is one of the first."""
        self.bad += 1
        self.conflicts += conflict
        if len(self.faults) < SHOWN:
            self.faults.append(Fault(place=place, problem=problem, conflict=conflict))

    def node(self, sort: int, key: Key, kind: str, secure: bool, place: str, body: str) -> tuple[str, bool] | None:
        """Keep a node. Of its twin, if the file has one, the place, and whether it says the same."""
        try:
            self.sql.execute(ADD_NODE, (sort, *key, kind, place, body))
        except sqlite3.IntegrityError:
            found = self.sql.execute(NODE_TWIN, key).fetchone()
            return found[0], found[1] == body
        self.found(key, kind, secure)
        return None

    def link(self, key: tuple[str, ...], place: str, body: str) -> str:
        """Keep a link: kind, user, label and user and id of its start, user and id of its end, relation. Its twin's
        place, if the file has one."""
        try:
            self.sql.execute(ADD_LINK, (*key, place, body))
        except sqlite3.IntegrityError:
            kind, user, _, *rest = key
            return str(self.sql.execute(LINK_TWIN, (kind, user, *rest)).fetchone()[0])
        return ""

    def found(self, key: Key, kind: str, secure: bool) -> None:
        """Note that a node is in the file or in the database."""
        self.sql.execute("INSERT OR IGNORE INTO ends VALUES (?,?,?,?,?)", (*key, kind, secure))

    def has(self, key: Key) -> bool:
        """Whether a node is in the file, or was found."""
        found = self.sql.execute("SELECT 1 FROM ends WHERE (label, user, id) = (?,?,?)", key).fetchone()
        return found is not None

    def knows(self, number: int, known: int) -> None:
        """Note that a node of the file is in the database already."""
        self.sql.execute("UPDATE node SET known = ? WHERE number = ?", (known, number))

    def gone(self, key: Key) -> None:
        """Note that a node of the file is left out, and with it what refers to it, though the database knows its id."""
        self.sql.execute("INSERT OR IGNORE INTO gone VALUES (?,?,?)", key)

    def drop(self, number: int, key: Key) -> None:
        """Leave out a node."""
        self.gone(key)
        self.sql.execute("DELETE FROM node WHERE number = ?", (number,))
        self.sql.execute("DELETE FROM ends WHERE (label, user, id) = (?,?,?)", key)

    def nodes(self, sort: int, most: int, kind: str = "") -> Iterator[list[Kept]]:
        """The nodes of one sort (and kind) in pages, in the order of the file."""
        after = 0
        while rows := self.sql.execute(NODES, (sort, after, kind, most)).fetchall():
            yield [Kept(row[0], row[1], Key(*row[2:5]), row[5], row[6], row[7]) for row in rows]
            after = rows[-1][0]

    def links(self, kind: str, most: int) -> Iterator[list[str]]:
        """The bodies of the links of one kind, in pages."""
        after, query = 0, "SELECT number, body FROM link WHERE kind = ? AND number > ? ORDER BY number LIMIT ?"
        while rows := self.sql.execute(query, (kind, after, most)).fetchall():
            yield [row[1] for row in rows]
            after = rows[-1][0]

    def outside(self, most: int) -> Iterator[list[Key]]:
        """The ends of links that the file does not hold, in pages."""
        after = Key("", "", "")
        while rows := self.sql.execute(OUTSIDE, (*after, most)).fetchall():
            page = [Key(*row) for row in rows]
            yield page
            after = page[-1]

    def loose(self, most: int) -> Iterator[tuple[str, str, bool]]:
        """Links without an end, or with one of a wrong kind: the place and the problem of each, which is left out, and
        whether it only follows from what was left out before."""
        after = 0
        while rows := self.sql.execute(LOOSE, (after, most)).fetchall():
            for number, place, kind, start, end, no_start, no_end, leaks, follows in rows:
                yield place, _problem(kind, start, end, no_start, no_end, leaks), bool(follows)
                self.sql.execute("DELETE FROM link WHERE number = ?", (number,))
                after = number

    def unfounded(self, most: int) -> Iterator[tuple[str, str, bool]]:
        """Memories that name a source which is nowhere: as `loose` tells of links."""
        while rows := self.sql.execute(UNFOUNDED, (most,)).fetchall():
            for number, place, label, user, id_, source, follows in rows:
                known = self.sql.execute(NODE_TWIN, (label, user, id_)).fetchone()
                if known is not None:
                    problem = f"it names the source {source}, which is neither in the file nor in this scope"
                    yield place, problem, bool(follows)
                    self.drop(number, Key(label, user, id_))


def _problem(kind: str, start: str, end: str, no_start: bool, no_end: bool, leaks: bool) -> str:
    if no_start or no_end:
        return f"{kind} refers to {start if no_start else end}, which is neither in the file nor in this scope"
    if leaks:
        return f"{kind} leads from {start}, which is secure, to {end}, which is not"
    return f"{kind} cannot lead from {start} to {end}: they are of other kinds"


@contextmanager
def draft() -> Iterator[Draft]:
    """An empty draft, in a temporary file that only this process can open and that goes with it."""
    connection = sqlite3.connect("", isolation_level=None, check_same_thread=False)  # "": on disk, and private
    try:
        connection.executescript(TABLES)
        yield Draft(connection)
    finally:
        connection.close()
