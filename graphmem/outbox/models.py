"""What the outbox tells of what it holds."""

from __future__ import annotations

from graphmem.fields import Value
from graphmem.text import Instant


class DeadLetter(Value):
    """A write that the store refused for good: which verb about which id, whose and from when, and why.

    `number` is its place in the outbox, `user` is empty for a client of the whole tenant.
    """

    number: int
    verb: str
    id: str
    user: str
    at: Instant
    reason: str


class Backlog(Value):
    """What waits of one client's writes, or of all of a tenant.

    `waiting` is how many will be delivered, `oldest` the time of the first of them, `users` whose they are (empty: of
    a client of the whole tenant). `dead` is how many were refused for good, `letters` are at most a hundred of them.
    """

    waiting: int = 0
    oldest: Instant | None = None
    users: tuple[str, ...] = ()
    dead: int = 0
    letters: tuple[DeadLetter, ...] = ()


class Held(Value):
    """What the outbox of this computer holds for one database, whoever wrote it.

    `target` is the address, or the private server's folder; `database` is empty for the account's own.
    """

    target: str
    database: str
    waiting: int
    oldest: Instant | None
    dead: int


class Flushed(Value):
    """What `flush` did: how many writes it delivered, how many of them were there already, and what stays, and why.

    `problem` says why some still wait; `letters` are at most a hundred of the `dead`, those of earlier deliveries too.
    """

    delivered: int = 0
    unchanged: int = 0
    dropped: int = 0
    waiting: int = 0
    oldest: Instant | None = None
    dead: int = 0
    letters: tuple[DeadLetter, ...] = ()
    problem: str = ""
