"""What the command line logs: nothing unless it is asked to; on a terminal it says what takes long."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable

from graphmem.cli.output import note
from graphmem.errors import ConfigurationError
from graphmem.settings import Settings, load_settings
from graphmem.telemetry import ROOT

LEVELS = ("info", "debug")  # of --verbose, given once or twice


def show(verbose: int) -> Callable[[], None]:
    """Log graphmem's own records to stderr, redacted, at the level asked for; what ends that.

    `verbose` outranks GRAPHMEM_LOG. The records of other libraries are not shown: theirs may hold what is stored.
    """
    try:
        settings = load_settings()
    except ConfigurationError:  # the command says so, if it needs them
        settings = Settings.model_construct()
    wanted = level(verbose, settings)
    if not wanted and not sys.stderr.isatty():
        return lambda: None
    # A person is told what is waited for; who asked for the log finds it there.
    handler, below = (_lines(settings), ROOT) if wanted else (_Notes(), f"{ROOT}.wait")
    chosen = logging.getLogger(below)
    before = chosen.level
    chosen.addHandler(handler)
    chosen.setLevel((wanted or "info").upper())

    def hide() -> None:
        chosen.removeHandler(handler)
        chosen.setLevel(before)

    return hide


def level(verbose: int, settings: Settings) -> str | None:
    """The name of the level that is logged, if any; `verbose` outranks the settings."""
    return LEVELS[min(verbose, len(LEVELS)) - 1] if verbose else settings.log


def _lines(settings: Settings) -> logging.Handler:
    # Imported here: no command that logs nothing needs it.
    from graphmem.adapters.streams import Redacted
    from graphmem.redact import make_redactor

    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Redacted(make_redactor(settings)))
    return handler


class _Notes(logging.Handler):
    """Shows records as a command's notes."""

    def emit(self, record: logging.LogRecord) -> None:
        note(f"{record.getMessage()} …")
