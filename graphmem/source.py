"""JSON and JSON Lines from a file or a stream: UTF-8 whatever the locale says, read line by line.

Only LF and CRLF end a line of JSON Lines: U+2028 and its like are characters of a text. A line, and a document that is
no JSON Lines, has at most 64 MiB, so that no source takes all the memory.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import IO, Any, NoReturn

from pydantic import JsonValue

from graphmem.errors import InvalidInput

BOM = b"\xef\xbb\xbf"
STDIN = "-"
LONGEST = 64 * 1024 * 1024  # bytes of a line, or of a document
Source = str | PathLike[str] | IO[bytes]


@dataclass(frozen=True, slots=True)
class Entry:
    """One value of a source: `place` is where it stands, `problem` says why it is none."""

    place: str
    value: object = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class _Line:
    """A line that is not blank; of one that is too long, only the beginning."""

    number: int
    data: bytes
    cut: bool = False


def entries(source: Source) -> Iterator[Entry]:
    """The values of a JSON document (an object or an array) or of JSON Lines; blank lines are passed over.

    `source` is a path, ``-`` for stdin, or a binary stream, which is left open. Raises InvalidInput when it cannot be
    read, is UTF-16, or is a document that is no JSON.
    """
    with _opened(source) as stream:
        lines = _lines(stream, source)
        first, second = next(lines, None), None
        if first is None:
            return
        if not _is_object(first):
            second = next(lines, None)
            if first.data.lstrip().startswith(b"[") or second is None or not second.data.lstrip().startswith(b"{"):
                yield from _document([first, second] if second else [first], stream, source)
                return
        yield from (_entry(line) for line in chain([first, second] if second else [first], lines))


def json_text(source: str) -> object:
    """The one JSON value of a file or stdin.

    Raises InvalidInput when the source cannot be read, or is no JSON in UTF-8.
    """
    with _opened(source) as stream:
        return _parsed_as_whole(_bare(stream.read(), source), source)


def json_object(text: str) -> dict[str, JsonValue]:
    """Read a JSON object. Raises InvalidInput for anything else."""
    value = _parsed(text.encode("utf-8", "surrogateescape"))
    if not isinstance(value, dict):
        raise InvalidInput('not a JSON object such as {"ticket": 7}')
    return value


def _opened(source: Source) -> AbstractContextManager[IO[bytes]]:
    if not isinstance(source, str | PathLike):
        return nullcontext(source)
    if source == STDIN:
        if sys.stdin is None:
            raise InvalidInput("standard input is closed; give a file")
        return nullcontext(sys.stdin.buffer)
    try:
        return Path(source).open("rb")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InvalidInput(f"{named(source)} cannot be read: {reason}") from error


def _lines(stream: IO[bytes], source: Source) -> Iterator[_Line]:
    """The lines that are not blank, with their numbers."""
    number = 0
    while data := stream.readline(LONGEST + 1):
        number += 1
        if number == 1:
            data = _bare(data, source)
        cut = rest = len(data) > LONGEST and not data.endswith(b"\n")
        while rest:
            more = stream.readline(LONGEST)
            rest = bool(more) and not more.endswith(b"\n")
        if cut or data.strip(b" \t\r\n"):
            yield _Line(number, data[:100] if cut else data, cut)


def _bare(data: bytes, source: Source) -> bytes:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in data[:4]:
        raise InvalidInput(f"{named(source)} is UTF-16 or UTF-32; save it as UTF-8")
    return data.removeprefix(BOM)


def named(source: Source) -> str:
    """What a source is called in messages."""
    if not isinstance(source, str | PathLike):
        return "the stream"
    return "standard input" if source == STDIN else f"file {str(source)!r}"


def _is_object(line: _Line) -> bool:
    if line.cut:
        return line.data.lstrip().startswith(b"{")
    try:
        return isinstance(_parsed(line.data), dict)
    except InvalidInput:
        return False


def _entry(line: _Line) -> Entry:
    place = f"line {line.number}"
    if line.cut:
        return Entry(place, problem=f"longer than {LONGEST} bytes")
    try:
        return Entry(place, _parsed(line.data))
    except InvalidInput as error:
        return Entry(place, problem=str(error))


def _document(begun: Sequence[_Line], stream: IO[bytes], source: Source) -> Iterator[Entry]:
    start = b""
    for line in begun:
        # A line feed for every blank line that was passed over keeps the numbers in messages right.
        start += b"\n" * (line.number - 1 - start.count(b"\n")) + line.data
    rest = stream.read(LONGEST + 1)
    if len(rest) > LONGEST or any(line.cut for line in begun):
        raise InvalidInput(f"{named(source)} is one document of more than {LONGEST} bytes; write it as JSON Lines")
    value = _parsed_as_whole(start + rest, source)
    for position, item in enumerate(value if isinstance(value, list) else [value], 1):
        yield Entry(f"item {position}", item)


def _parsed_as_whole(data: bytes, source: Source) -> object:
    try:
        return _parsed(data)
    except InvalidInput as error:
        raise InvalidInput(f"{named(source)} is neither JSON nor JSON Lines: {error}") from error


def _parsed(data: bytes) -> Any:
    try:
        return json.loads(data.decode("utf-8"), parse_constant=_refuse)
    except UnicodeDecodeError as error:
        raise InvalidInput(f"not UTF-8 at byte {error.start + 1}") from error
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, " if error.lineno > 1 else ""
        raise InvalidInput(f"not JSON: {error.msg} at {where}character {error.colno}") from error
    except RecursionError as error:
        raise InvalidInput("not usable: nested too deeply") from error
    except ValueError as error:
        raise InvalidInput(f"not JSON: {error}") from error


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON number")
