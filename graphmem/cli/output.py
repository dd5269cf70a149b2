"""What commands print: data on stdout, everything else on stderr."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from io import TextIOWrapper
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from pydantic import BaseModel

# Stored text is anybody's: it must neither steer the terminal nor reorder what a person reads.
_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def write_utf8() -> None:
    """Make what is printed UTF-8 wherever it goes but to a terminal, which gets what it can show."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            if stream.isatty():
                stream.reconfigure(errors="replace")
            else:
                stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def print_json(value: BaseModel | Sequence[BaseModel]) -> None:
    """One strict JSON value: an object, or an array of them."""
    if isinstance(value, Sequence):
        typer.echo("[" + ",".join(one.model_dump_json() for one in value) + "]")
    else:
        typer.echo(value.model_dump_json())


def say(text: str) -> None:
    """Text for a person, its control characters made visible."""
    typer.echo(_visible(text))


def note(text: str) -> None:
    """One line for a person on stderr, which often ends up in a log: it is redacted."""
    typer.echo(f"graphmem: {_visible(' '.join(_redacted(text).split()))}", err=True)


def say_columns(rows: Iterable[Sequence[str]]) -> None:
    """Rows with aligned columns, each row one line."""
    flat = [[" ".join(cell.split()) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*flat, strict=True)]
    for row in flat:
        say("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _redacted(text: str) -> str:
    from graphmem.errors import ConfigurationError
    from graphmem.redact import make_redactor, told
    from graphmem.settings import Settings, load_settings

    try:
        settings = load_settings()
    except ConfigurationError:
        settings = Settings.model_construct()
    return told(make_redactor(settings), text)


def _visible(text: str) -> str:
    return _STEERING.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), text)
