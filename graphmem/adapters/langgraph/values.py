"""What LangGraph's store says of values: by which words they are found, and which a filter wants."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import ge, gt, le, lt
from typing import Any, Literal

from graphmem.adapters.langgraph.framework import get_text_at_path
from graphmem.errors import InvalidInput
from graphmem.keyed.models import Where
from graphmem.text import has_words, shown

Compare = Callable[[float, float], bool]
ORDERED: Mapping[str, Compare] = {"$gt": gt, "$gte": ge, "$lt": lt, "$lte": le}
OPERATORS = ("$eq", "$ne", *ORDERED)
Index = Literal[False] | Sequence[str] | None


def words(value: Mapping[str, Any], index: Index, fields: Sequence[str] | None) -> tuple[str, str, bool]:
    """The task and the summary by which a value is found, and whether it is to be found at all.

    `index` is the put's: False, paths of the value, or None for the store's `fields`; without those everything in the
    value counts, and a text called ``task`` stands first. A value without words at its paths is not found.
    """
    paths = fields if index is None else index
    if paths is None:
        lines = [f"{name}: {text}" for name, text in _texts(value) if name not in ("task", "outcome")]
        task = value.get("task")
        if isinstance(task, str) and has_words(task):
            return task, "\n".join(lines), True
        return "\n".join(lines) or json.dumps(dict(value), ensure_ascii=False), "", True
    found = "\n".join(text for path in paths or () for text in get_text_at_path(value, path))
    return (found, "", True) if has_words(found) else ("not to be found", "", False)


def wanted(conditions: Mapping[str, Any] | None) -> Where | None:
    """Whether a value fulfils all conditions, by the fields that they name; None where there are none.

    A condition is a value to be equal to, objects in part, or an object of operators. What is no number is neither more
    nor less than anything. Raises InvalidInput for an operator that there is not.
    """
    if not conditions:
        return None
    _check(conditions)
    return lambda value: all(_fulfils(value.get(name), asked) for name, asked in conditions.items())


def _check(asked: Any) -> None:
    if isinstance(asked, Mapping):
        strange = [name for name in asked if isinstance(name, str) and name.startswith("$") and name not in OPERATORS]
        if strange:
            raise InvalidInput(f"filter operator {shown(strange[0])} is none of {', '.join(OPERATORS)}")
    for inner in asked.values() if isinstance(asked, Mapping) else asked if isinstance(asked, list | tuple) else ():
        _check(inner)


def _fulfils(value: Any, asked: Any) -> bool:
    if isinstance(asked, Mapping):
        if any(name in OPERATORS for name in asked):
            return all(name in OPERATORS and _operates(value, name, than) for name, than in asked.items())
        return isinstance(value, Mapping) and all(_fulfils(value.get(name), inner) for name, inner in asked.items())
    if isinstance(asked, list | tuple):
        return (
            isinstance(value, list | tuple)
            and len(value) == len(asked)
            and all(_fulfils(*pair) for pair in zip(value, asked, strict=True))
        )
    return bool(value == asked)


def _operates(value: Any, name: str, than: Any) -> bool:
    if name in ("$eq", "$ne"):
        return bool(value == than) is (name == "$eq")
    try:
        return ORDERED[name](_number(value), _number(than))
    except (TypeError, ValueError):
        return False


def _number(value: Any) -> float:
    """A number, or the number that a text is; an integer stays one, of any size. Raises TypeError, ValueError."""
    return value if isinstance(value, int) else float(value)


def _texts(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """What a value says, each with the path to it."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _texts(inner, f"{name}.{key}" if name else str(key))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner, name)
    elif value is not None:
        yield name, value if isinstance(value, str) else json.dumps(value)
