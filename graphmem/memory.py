"""`Memory` and `AsyncMemory`: the same verbs, run by the sync and by the async driver."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import wraps
from types import TracebackType
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from graphmem.client import Client
from graphmem.steps import Aside, Complete, Embed, Stage, Step, arun, run
from graphmem.verbs import Verbs

if TYPE_CHECKING:
    from graphmem.store.driver import AsyncDatabase, Database

P = ParamSpec("P")
T = TypeVar("T")


def _sync(verb: Callable[Concatenate[Verbs, P], Stage[T]]) -> Callable[Concatenate[Memory, P], T]:
    @wraps(verb)
    def call(client: Memory, /, *args: P.args, **kwargs: P.kwargs) -> T:
        client._check_open()
        with client._observed(verb.__name__) as told:
            answer = run(verb(client._verbs, *args, **kwargs), client._answer)
            told(answer)
        return answer

    return call


def _async(
    verb: Callable[Concatenate[Verbs, P], Stage[T]],
) -> Callable[Concatenate[AsyncMemory, P], Awaitable[T]]:
    @wraps(verb)
    async def call(client: AsyncMemory, /, *args: P.args, **kwargs: P.kwargs) -> T:
        client._check_open()
        with client._observed(verb.__name__) as told:
            answer = await arun(verb(client._verbs, *args, **kwargs), client._answer)
            told(answer)
        return answer

    return call


class Memory(Client):
    """The experience of one tenant or user, for code that waits; may be shared by threads."""

    _database: Database | None = None

    init = _sync(Verbs.init)
    record = _sync(Verbs.record)
    record_many = _sync(Verbs.record_many)
    recall = _sync(Verbs.recall)
    recall_many = _sync(Verbs.recall_many)
    feedback = _sync(Verbs.feedback)
    correct = _sync(Verbs.correct)
    get = _sync(Verbs.get)
    list = _sync(Verbs.list)
    update = _sync(Verbs.update)
    link = _sync(Verbs.link)
    keyed = _sync(Verbs.keyed)
    reembed = _sync(Verbs.reembed)
    erase = _sync(Verbs.erase)
    calibrate = _sync(Verbs.calibrate)
    rollback = _sync(Verbs.rollback)
    parameters = _sync(Verbs.parameters)
    metrics = _sync(Verbs.metrics)
    report = _sync(Verbs.report)
    judge = _sync(Verbs.judge)
    consolidate = _sync(Verbs.consolidate)
    review = _sync(Verbs.review)
    reviews = _sync(Verbs.reviews)
    retire = _sync(Verbs.retire)
    pin = _sync(Verbs.pin)
    history = _sync(Verbs.history)
    retention = _sync(Verbs.retention)
    check = _sync(Verbs.check)
    set_rule = _sync(Verbs.set_rule)
    rules = _sync(Verbs.rules)
    withdraw_rule = _sync(Verbs.withdraw_rule)
    export = _sync(Verbs.export)
    load = _sync(Verbs.load)
    flush = _sync(Verbs.flush)
    waiting = _sync(Verbs.waiting)

    def close(self) -> None:
        """Close the connections; calling it twice is fine."""
        with self._guard:
            self._closed = True
        if self._database is not None and self._through is None:
            self._database.close()

    def __enter__(self) -> Memory:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _answer(self, step: Step) -> Any:
        if isinstance(step, Embed):
            return self._embed(step)
        if isinstance(step, Complete):
            return self._complete(step)
        if isinstance(step, Aside):
            self._check_open()
            return self._outbox.answer(step)
        return self._opened().answer(step)

    def _opened(self) -> Database:
        from graphmem.store.driver import Database

        self._check_open()
        if self._through is not None:
            return self._through._opened()
        with self._guard:
            self._check_open()
            if self._database is None:
                self._database = Database(self._at, self._settings.neo4j.timeout)
            return self._database


class AsyncMemory(Client):
    """The experience of one tenant or user, for code that awaits; may be used from several event loops."""

    _database: AsyncDatabase | None = None

    init = _async(Verbs.init)
    record = _async(Verbs.record)
    record_many = _async(Verbs.record_many)
    recall = _async(Verbs.recall)
    recall_many = _async(Verbs.recall_many)
    feedback = _async(Verbs.feedback)
    correct = _async(Verbs.correct)
    get = _async(Verbs.get)
    list = _async(Verbs.list)
    update = _async(Verbs.update)
    link = _async(Verbs.link)
    keyed = _async(Verbs.keyed)
    reembed = _async(Verbs.reembed)
    erase = _async(Verbs.erase)
    calibrate = _async(Verbs.calibrate)
    rollback = _async(Verbs.rollback)
    parameters = _async(Verbs.parameters)
    metrics = _async(Verbs.metrics)
    report = _async(Verbs.report)
    judge = _async(Verbs.judge)
    consolidate = _async(Verbs.consolidate)
    review = _async(Verbs.review)
    reviews = _async(Verbs.reviews)
    retire = _async(Verbs.retire)
    pin = _async(Verbs.pin)
    history = _async(Verbs.history)
    retention = _async(Verbs.retention)
    check = _async(Verbs.check)
    set_rule = _async(Verbs.set_rule)
    rules = _async(Verbs.rules)
    withdraw_rule = _async(Verbs.withdraw_rule)
    export = _async(Verbs.export)
    load = _async(Verbs.load)
    flush = _async(Verbs.flush)
    waiting = _async(Verbs.waiting)

    async def close(self) -> None:
        """Close the connections; calling it twice is fine."""
        with self._guard:
            self._closed = True
        if self._database is not None and self._through is None:
            await self._database.close()

    async def __aenter__(self) -> AsyncMemory:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.close()

    async def _answer(self, step: Step) -> Any:
        if isinstance(step, Embed):
            return await asyncio.to_thread(self._embed, step)
        if isinstance(step, Complete):
            return await asyncio.to_thread(self._complete, step)
        if isinstance(step, Aside):
            self._check_open()
            return await self._outbox.answer_async(step)
        return await self._opened().answer(step)

    def _opened(self) -> AsyncDatabase:
        from graphmem.store.driver import AsyncDatabase

        self._check_open()
        if self._through is not None:
            return self._through._opened()
        with self._guard:
            self._check_open()
            if self._database is None:
                self._database = AsyncDatabase(self._at, self._settings.neo4j.timeout)
            return self._database
