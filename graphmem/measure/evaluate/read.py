"""Reading files of data: whatever is wrong is told with its place and what to do."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from graphmem.errors import InvalidInput

Line = Mapping[str, Any]


def json_object(path: Path) -> Line:
    """A file that holds one JSON object. Raises InvalidInput that names the file."""
    return _object(_text(path), str(path))


def json_lines(path: Path, fields: Iterable[str]) -> list[Line]:
    """The objects of a JSON Lines file, each of which has these fields. Raises InvalidInput that names the line."""
    return list(_lines(path, tuple(fields)))


def list_of(content: Line, key: str, path: Path) -> list[Any]:
    """A list within an object that was read from `path`. Raises InvalidInput when it is missing or none."""
    found = content.get(key)
    if not isinstance(found, list):
        raise InvalidInput(f"{path} has no list '{key}'; take the file as its authors publish it")
    return found


def _lines(path: Path, fields: tuple[str, ...]) -> Iterator[Line]:
    for number, text in enumerate(_text(path).splitlines(), 1):
        if text.strip():
            line = _object(text, f"line {number} of {path}")
            missing = [field for field in fields if field not in line]
            if missing:
                raise InvalidInput(
                    f"line {number} of {path} has no '{missing[0]}'; take the file as its authors publish it"
                )
            yield line


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except FileNotFoundError as error:
        raise InvalidInput(f"{path} is not there; give --data the folder that holds it") from error
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path} cannot be read ({error}); check that it is a text file in UTF-8") from error


def _object(text: str, where: str) -> Line:
    try:
        found = json.loads(text)
    except ValueError as error:
        raise InvalidInput(f"{where} is not JSON ({error}); download it again") from error
    if not isinstance(found, dict):
        raise InvalidInput(f"{where} is no JSON object; download it again")
    return found
