"""Verbs and jobs, from their start to their end."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, Protocol, TypeVar, cast

from graphmem.telemetry.answers import facts
from graphmem.telemetry.records import NOBODY, ROOT, RUNNING, Running, logger
from graphmem.telemetry.spans import ignored, span

Work = TypeVar("Work", bound=Callable[..., Any])
_LOG = logger("verbs")


class Owner(Protocol):
    """Whose memories work is about: a scope."""

    @property
    def own(self) -> str:
        """Its token."""


@contextmanager
def verb(name: str, scope: str, *, ended: int = logging.DEBUG) -> Iterator[Callable[[object], object]]:
    """A verb, or a job, from its start to its end, which is logged at the level `ended`.

    It yields what is to be given the answer, of which counts and decisions are told. `scope` is the scope's token.
    """
    running = Running()
    token = RUNNING.set(running)
    try:
        if _LOG.isEnabledFor(logging.DEBUG):
            _LOG.debug("%s.%s begins", ROOT, name)
        with span(f"{ROOT}.{name}", _LOG, {"graphmem.scope": scope}, ended=ended) as told:
            try:
                yield lambda answer: told(facts(answer)) if told is not ignored else None
            finally:
                if running.trace_id != NOBODY:
                    told({"graphmem.trace_id": running.trace_id})
    finally:
        RUNNING.reset(token)


def job(name: str) -> Callable[[Work], Work]:
    """A job that is no verb, as an operator sees verbs; it is a function of the settings and the scope, and more."""

    def watched(work: Work) -> Work:
        @wraps(work)
        def call(settings: object, scope: Owner, **given: Any) -> Any:
            with verb(name, scope.own, ended=logging.INFO) as told:
                answer = work(settings, scope, **given)
                told(answer)
            return answer

        return cast("Work", call)

    return watched
