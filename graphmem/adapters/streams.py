"""Standard output for the protocol alone; logs, warnings and what dependencies print go to stderr, redacted logs."""

from __future__ import annotations

import logging
import os
import sys
from typing import TextIO

from graphmem.errors import ConfigurationError
from graphmem.redact import Redactor, make_redactor, told
from graphmem.settings import Settings
from graphmem.telemetry import NOBODY, ROOT


def own_stdout() -> TextIO:
    """Take standard output for the protocol, for as long as the process lives: the stream that leads there.

    Whatever else is written to it from now on, by Python, a library or a child, goes to stderr. Raises
    ConfigurationError where standard input or output is closed.
    """
    if sys.stdin is None or sys.stdout is None:
        raise ConfigurationError("standard input or output is closed; an MCP client opens both, or use --http")
    sys.stdout.flush()
    try:
        kept = os.dup(1)
        aside = os.dup(2) if sys.stderr is not None else os.open(os.devnull, os.O_WRONLY)
        os.dup2(aside, 1)
        os.close(aside)
    except OSError as error:
        raise ConfigurationError(f"standard output cannot be used for MCP: {error.strerror}") from error
    return os.fdopen(kept, "w", encoding="utf-8", newline="\n")


class Redacted(logging.Formatter):
    """Lines of a log without secrets and personal data, since logs often end up in files."""

    def __init__(self, redactor: Redactor | None) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s%(trace)s: %(message)s")
        self._redactor = redactor

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record, with its trace id if it has one, and its traceback."""
        trace_id = getattr(record, "trace_id", NOBODY)
        record.trace = "" if trace_id == NOBODY else f" [{trace_id}]"
        return told(self._redactor, super().format(record))


def log_to_stderr(level: str, settings: Settings) -> None:
    """Send what graphmem logs at this level ("debug", "info", …) or above to stderr, and other libraries' warnings.

    Below that, others' records hold what is stored and asked: whole requests, statements with their parameters.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Redacted(make_redactor(settings)))
    # What the driver says of lost connections and retries, graphmem says in a sentence; a notification it does not.
    handler.addFilter(lambda record: not record.name.startswith("neo4j") or record.name == "neo4j.notifications")
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger(ROOT).setLevel(level.upper())
    logging.captureWarnings(True)
