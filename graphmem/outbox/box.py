"""The outbox of one database: what its steps ask for, answered from the file."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from graphmem.errors import OutboxError
from graphmem.outbox import sql
from graphmem.outbox.entry import Entry, forgotten, trace
from graphmem.outbox.file import Lease, lease, looked_at, opened
from graphmem.outbox.models import Backlog, DeadLetter, Held
from graphmem.scope import Scope
from graphmem.settings import Connection, Settings
from graphmem.steps import Aside, Count, Forget, Keep, Pending, Revive, Settle, Turn

LETTERS = 100  # dead letters that are told one by one
PAUSE = 0.02  # seconds between two tries for the turn
PATIENCE = 60.0  # seconds that erasing waits for a delivery


class Outbox:
    """Keeps and gives back the writes that wait for one database; may be shared by threads and processes.

    It holds nothing open but while it answers. Without a file nothing waits, and only `Keep` makes one.
    """

    def __init__(self, settings: Settings, at: Connection) -> None:
        self._path, self._rules = settings.outbox_path, settings.outbox
        private = at.origin == "private server"  # its port may be another one tomorrow
        target = str(settings.instance_home.absolute()) if private else at.uri
        self._target = {"target": target, "database": at.database or ""}

    def answer(self, step: Aside) -> Any:
        """What a step asks for. Raises OutboxError."""
        match step:
            case Keep():
                return self._keep(step.entries)
            case Turn():
                return lease(self._path, step.patience)
            case Pending():
                return self._pending(step)
            case Settle():
                return self._settle(step)
            case Revive():
                return self._revive(step)
            case Count():
                return self._count(step)
            case Forget():
                return self._forget(step)

    async def answer_async(self, step: Aside) -> Any:
        """What a step asks for, the event loop going on meanwhile. Raises OutboxError."""
        if not isinstance(step, Turn):
            return await asyncio.to_thread(self.answer, step)
        # It waits in the loop: threads that wait would be missing to whoever has the turn.
        deadline = time.monotonic() + step.patience
        while True:
            lease = await asyncio.to_thread(self.answer, Turn(0.0))
            if lease is not None or time.monotonic() >= deadline:
                return lease
            await asyncio.sleep(PAUSE)

    def _keep(self, entries: Sequence[Entry]) -> None:
        with opened(self._path) as file:
            file.executemany(sql.KEEP, (self._row(entry) for entry in entries))
            waiting, dead = file.execute(sql.ALL).fetchone()
            (size,) = file.execute(sql.SIZE).fetchone()
            if waiting + dead > self._rules.entries or size > self._rules.bytes:
                raise OutboxError(
                    f"the outbox {self._path} is full ({waiting - len(entries)} writes wait and {dead} dead letters "
                    f"are kept of all tenants, with room for {self._rules.entries} and {self._rules.bytes} bytes): "
                    "run 'graphmem flush' when the store is back, 'graphmem flush --drop-dead' for dead letters, or "
                    "raise GRAPHMEM_OUTBOX__ENTRIES and __BYTES"
                )

    def _row(self, entry: Entry) -> dict[str, object]:
        said = {"owner": entry.owner, "verb": entry.verb, "at": entry.at.isoformat(), "payload": entry.payload}
        return self._whose(entry.scope) | said

    def _whose(self, scope: Scope, everything: bool = False) -> dict[str, object]:
        return self._target | {"tenant": scope.tenant, "user": scope.user, "everything": everything}

    def _pending(self, step: Pending) -> tuple[Entry, ...]:
        with looked_at(self._path) as file:
            given = self._whose(step.scope) | {"most": step.most}
            return () if file is None else tuple(_entry(*row) for row in file.execute(sql.PENDING, given))

    def _settle(self, step: Settle) -> None:
        with opened(self._path) as file:
            file.executemany(sql.DELIVERED, ((number,) for number in step.delivered))
            file.executemany(sql.REFUSED, ((why, number) for number, why in step.dead.items()))

    def _revive(self, step: Revive) -> int:
        if not self._path.exists():
            return 0
        with opened(self._path) as file:
            return file.execute(sql.DROP if step.drop else sql.RETRY, self._whose(step.scope, step.everything)).rowcount

    def _count(self, step: Count) -> Backlog:
        given = self._whose(step.scope, step.everything)
        with looked_at(self._path) as file:
            if file is None:
                return Backlog()
            queues = file.execute(sql.WAITING, given).fetchall()
            letters = [(_entry(*row[:-1]), row[-1]) for row in file.execute(sql.LETTERS, given | {"most": LETTERS})]
            return Backlog(
                waiting=sum(waiting for _, waiting, _ in queues),
                oldest=min((oldest for _, _, oldest in queues), default=None),
                users=tuple(user for user, _, _ in queues),
                dead=file.execute(sql.DEAD, given).fetchone()[0],
                letters=tuple(_letter(*pair) for pair in letters),
            )

    def _forget(self, step: Forget) -> int:
        if not self._path.exists():
            return 0
        with _alone(self._path), opened(self._path) as file:
            if step.everything:
                return file.execute(sql.FORGET, self._whose(step.scope)).rowcount
            gone: set[int] = set()
            while found := [one for one in self._all(file, step.scope, gone) if forgotten(one, step)]:
                gone.update(entry.number for entry in found)
                # What was to be recorded goes too where it was learnt from what goes now, and words on its attempt.
                recorded = [entry for entry in found if entry.verb == "record"]
                memories = {*step.memories, *(entry.memory for entry in recorded)}
                step = replace(step, memories=memories, traces={*step.traces, *map(trace, recorded)} - {""})
            file.executemany(sql.DELIVERED, ((number,) for number in gone))
            return len(gone)

    def _all(self, file: sqlite3.Connection, scope: Scope, but: set[int]) -> Iterator[Entry]:
        return (_entry(*row) for row in file.execute(sql.TENANTS, self._whose(scope)) if row[0] not in but)


def held(path: Path) -> tuple[Held, ...]:
    """What an outbox holds, by database, whoever wrote it. Raises OutboxError when it cannot be read."""
    with looked_at(path) as file:
        rows = [] if file is None else file.execute(sql.HELD).fetchall()
    return tuple(Held(**dict(zip(Held.model_fields, row, strict=True))) for row in rows)


def _entry(number: int, tenant: str, user: str, owner: str, verb: Any, at: str, payload: str) -> Entry:
    return Entry(verb, Scope(tenant, user), owner, datetime.fromisoformat(at), payload, number)


def _letter(entry: Entry, reason: str) -> DeadLetter:
    return DeadLetter(
        number=entry.number, verb=entry.verb, id=entry.id, user=entry.scope.user, at=entry.at, reason=reason
    )


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    held: Lease | None = lease(path, PATIENCE)
    if held is None:
        raise OutboxError(f"the outbox {path} is being delivered for too long; try again")
    with held:
        yield
