"""Standard output for the protocol alone; logs, warnings and what dependencies print go to stderr, redacted logs."""

from __future__ import annotations

import logging
import os
import sys
from typing import TextIO

from graphmem.errors import ConfigurationError
from graphmem.redact import Redactor, make_redactor, told
from graphmem.settings import Settings


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
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self._redactor = redactor

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record, with its traceback."""
        return told(self._redactor, super().format(record))


def log_to_stderr(level: str, settings: Settings) -> None:
    """Send what is logged at this level ("debug", "info", …) or above to stderr, the driver's notifications too."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Redacted(make_redactor(settings)))
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    logging.captureWarnings(True)
