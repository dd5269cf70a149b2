"""Loggers whose records carry the trace id of the verb that runs, and a word on what takes long."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from dataclasses import dataclass

from graphmem.text import shown

ROOT = "graphmem"
NOBODY = "-"  # the trace id of what belongs to no trace
MOST = 200  # characters of a trace id that is told
SLOW = 2.0  # seconds after which it is said what is waited for


@dataclass(slots=True)
class Running:
    """The verb that runs."""

    trace_id: str = NOBODY


RUNNING: ContextVar[Running | None] = ContextVar("graphmem_running", default=None)


class _Traced(logging.Filter):
    """Gives each record the trace id of the verb that runs."""

    def filter(self, record: logging.LogRecord) -> bool:
        running = RUNNING.get()
        record.trace_id = NOBODY if running is None else running.trace_id
        return True


_TRACED = _Traced()
logging.getLogger(ROOT).addHandler(logging.NullHandler())


def logger(part: str) -> logging.Logger:
    """The logger of a part; each of its records has a `trace_id`, which is "-" outside of any trace."""
    named = logging.getLogger(f"{ROOT}.{part}")
    named.addFilter(_TRACED)
    return named


_WAIT = logger("wait")


def trace(trace_id: str) -> None:
    """Say of which trace the verb is that runs; what is empty, or too long to be an id, is of none."""
    running = RUNNING.get()
    if running is not None and trace_id and len(trace_id) <= MOST:
        # One line, whatever a caller put into it.
        running.trace_id = trace_id if trace_id.isprintable() else shown(trace_id, MOST)


@contextmanager
def waiting(doing: str) -> Iterator[None]:
    """Say, at INFO of the logger `graphmem.wait`, what is being done, if it takes more than two seconds."""
    said = threading.Timer(SLOW, copy_context().run, (_WAIT.info, doing))
    said.daemon = True
    said.start()
    try:
        yield
    finally:
        said.cancel()
