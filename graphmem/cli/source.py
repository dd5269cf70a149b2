"""JSON and JSON Lines from a file or stdin: UTF-8 whatever the locale says, read as a stream.

Only LF and CRLF end a line of JSON Lines: U+2028 and its like are characters of a text.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import IO, Any, NoReturn

from pydantic import JsonValue

from graphmem.errors import InvalidInput

BOM = b"\xef\xbb\xbf"
STDIN = "-"


@dataclass(frozen=True, slots=True)
class Entry:
    """One value of a source: `place` is where it stands, `problem` says why it is none."""

    place: str
    value: object = None
    problem: str = ""


def entries(source: str) -> Iterator[Entry]:
    """The values of a JSON document (an object or an array) or of JSON Lines; blank lines are passed over.

    Raises InvalidInput when the source cannot be read, is UTF-16, or is a document that is no JSON.
    """
    with _opened(source) as stream:
        lines = _lines(stream, source)
        first, second = next(lines, None), None
        if first is None:
            return
        if not _is_object(first[1]):
            second = next(lines, None)
            if first[1].lstrip().startswith(b"[") or second is None or not second[1].lstrip().startswith(b"{"):
                yield from _document([first, second] if second else [first], stream, source)
                return
        yield from (_entry(*line) for line in chain([first, second] if second else [first], lines))


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


def _opened(source: str) -> AbstractContextManager[IO[bytes]]:
    if source == STDIN:
        if sys.stdin is None:
            raise InvalidInput("standard input is closed; give a file")
        return nullcontext(sys.stdin.buffer)
    try:
        return Path(source).open("rb")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InvalidInput(f"file {source!r} cannot be read: {reason}") from error


def _lines(stream: IO[bytes], source: str) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, with their numbers."""
    for number, line in enumerate(stream, 1):
        bare = _bare(line, source) if number == 1 else line
        if bare.strip(b" \t\r\n"):
            yield number, bare


def _bare(data: bytes, source: str) -> bytes:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in data[:4]:
        raise InvalidInput(f"{_named(source)} is UTF-16 or UTF-32; save it as UTF-8")
    return data.removeprefix(BOM)


def _named(source: str) -> str:
    return "standard input" if source == STDIN else f"file {source!r}"


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(_parsed(line), dict)
    except InvalidInput:
        return False


def _entry(number: int, line: bytes) -> Entry:
    place = f"line {number}"
    try:
        return Entry(place, _parsed(line))
    except InvalidInput as error:
        return Entry(place, problem=str(error))


def _document(begun: Sequence[tuple[int, bytes]], stream: IO[bytes], source: str) -> Iterator[Entry]:
    start = b""
    for number, line in begun:
        # A line feed for every blank line that was passed over keeps the numbers in messages right.
        start += b"\n" * (number - 1 - start.count(b"\n")) + line
    value = _parsed_as_whole(start + stream.read(), source)
    for position, item in enumerate(value if isinstance(value, list) else [value], 1):
        yield Entry(f"item {position}", item)


def _parsed_as_whole(data: bytes, source: str) -> object:
    try:
        return _parsed(data)
    except InvalidInput as error:
        raise InvalidInput(f"{_named(source)} is neither JSON nor JSON Lines: {error}") from error


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
