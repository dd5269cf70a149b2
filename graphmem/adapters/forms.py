"""Arguments as models send them, made into what a tool takes: text forms that have one meaning are understood.

A list may come as the text of a JSON list, or as one plain text; a number, a truth value or an object as its text.
Everything else is refused by name, so that nothing is searched without the filter that was meant.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, NoReturn, TypeVar

from pydantic import ValidationError

from graphmem.adapters.arguments import Arguments
from graphmem.errors import InvalidInput
from graphmem.source import json_object
from graphmem.text import shown

A = TypeVar("A", bound=Arguments)
TOLD = 3  # faults that one answer names
LONGEST = 60  # characters of a name in such a fault
PLAINLY = {
    "missing": "is required",
    "extra_forbidden": "no such field",
    "list_type": 'give a list, such as ["a", "b"]',
    "dict_type": 'give an object, such as {"a": 1}',
    "model_type": "give an object with the fields of the schema",
    "too_short": "must not be empty; leave it out instead",
    "string_too_short": "must not be empty",
    "string_pattern_mismatch": "give 1 to 200 characters without spaces",
}
"""What is said of a fault where pydantic's words are for programmers."""
_TRUTH = {"true": True, "false": False}
_WHOLE = re.compile(r"[+-]?\d{1,18}")
_LISTED = re.compile(r"[,;\n\[\]{}]")  # signs of a list that is no JSON


def schema(arguments: type[Arguments]) -> dict[str, Any]:
    """The JSON schema of a tool's arguments: one object without references, which not all clients follow."""
    whole = arguments.model_json_schema()
    named = whole.pop("$defs", {})
    whole.pop("description", None)
    return {key: _plain(value, named, names=key == "properties") for key, value in whole.items() if key != "title"}


def _plain(part: Any, named: Mapping[str, Any], names: bool = False) -> Any:
    """A part of a schema without references and titles; in a mapping of `names` a key is no keyword."""
    if isinstance(part, list):
        return [_plain(one, named) for one in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        found = {key: value for key, value in named[part["$ref"].rsplit("/", 1)[1]].items() if key != "description"}
        part = {**found, **{key: value for key, value in part.items() if key != "$ref"}}
    return {
        key: _plain(value, named, names=key == "properties" and not names)
        for key, value in part.items()
        if names or not (key == "title" or (key == "default" and value is None))
    }


def read(arguments: type[A], fields: Mapping[str, Any], given: object) -> A:
    """The arguments of a call; `fields` are the properties of the schema.

    `given` is a mapping, its JSON text, or nothing. Raises InvalidInput that names the field, in one line, and repeats
    nothing of what was given but the names of fields.
    """
    said = _mapping(given)
    strange = [name for name in said if name not in fields]
    if strange:
        listed = ", ".join(name for name in fields if name != "tenant")
        raise InvalidInput(f"{', '.join(map(shown, strange[:TOLD]))}: no such argument; there are {listed}")
    try:
        return arguments(**{name: _understood(value, fields[name]) for name, value in said.items()})
    except ValidationError as error:
        raise InvalidInput(_faults(error)) from None  # its cause quotes what was given


def _mapping(given: object) -> Mapping[str, Any]:
    if given is None or given == "":
        return {}
    if isinstance(given, str | bytes | bytearray):
        try:
            return json_object(given if isinstance(given, str) else bytes(given).decode("utf-8"))
        except (InvalidInput, UnicodeDecodeError) as error:
            raise InvalidInput(f"arguments: {error}; give one JSON object") from None
    if not isinstance(given, Mapping) or not all(isinstance(name, str) for name in given):
        raise InvalidInput("arguments: give one JSON object")
    return given


def _understood(value: Any, field: Mapping[str, Any]) -> Any:
    forms = {form["type"]: form for form in (field, *field.get("anyOf", ())) if isinstance(form.get("type"), str)}
    if isinstance(value, float) and value.is_integer() and "integer" in forms:
        return int(value)  # JSON has one kind of number
    if not isinstance(value, str) or "string" in forms:
        return value
    text = value.strip()
    if "integer" in forms and _WHOLE.fullmatch(text):
        return int(text)
    if "boolean" in forms:
        return _TRUTH.get(text.lower(), value)
    if "object" in forms:
        return _json(text, "{", value)
    if "array" in forms:
        if text.startswith("["):
            return _json(text, "[", value)
        if forms["array"]["items"].get("type") == "string" and text and not _LISTED.search(text):
            return [text]
    return value


def _json(text: str, opening: str, otherwise: str) -> Any:
    if not text.startswith(opening):
        return otherwise
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return otherwise


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON number")


def _faults(error: ValidationError) -> str:
    found = []
    for fault in error.errors(include_url=False, include_input=False, include_context=False):
        path = ".".join(str(part) if len(str(part)) <= LONGEST else "…" for part in fault["loc"])
        said = PLAINLY.get(fault["type"], fault["msg"].removeprefix("Value error, "))
        found.append(f"{path}: {said}")
    more = f" (and {len(found) - TOLD} more)" if len(found) > TOLD else ""
    return "; ".join(found[:TOLD]) + more
