"""A model's answer as JSON, whatever it put around it.

Models fence their JSON, introduce it in prose, think aloud before it, begin with a byte order mark and leave commas
behind last elements. All of that is read. JSON that is broken is not guessed at, and no part of it is taken.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from graphmem.llm import Completion
from graphmem.text import has_words

MOST = 200_000
"""Characters of an answer that are looked at."""

_STARTS = 32  # places in prose where JSON may begin
_THOUGHT = re.compile(r"<think>.*?</think>", re.DOTALL)
_START = re.compile(r"[\[{]")
_BROKEN = re.compile(r'\{\s*"|\[\s*\{')
_COMMA = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[\]}])', re.DOTALL)
_DECODER = json.JSONDecoder(strict=False)  # line breaks inside strings are a usual slip

Object = Mapping[str, Any]


class Unreadable(Exception):  # noqa: N818 - named for what it says
    """An answer that cannot be used; the words are for the model, which is asked again."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What an answer holds, of the wanted form but not checked: lessons, or one practice, or none and why."""

    items: tuple[Object, ...]
    reason: str = ""


def read(completion: Completion, form: Callable[[Any], Reply | None]) -> Reply:
    """The first JSON in the answer that is of the form; one that holds something goes before an empty one.

    Raises Unreadable for a refusal, an answer that was cut off, or one without such JSON.
    """
    if completion.refusal or completion.finish == "content_filter":
        raise Unreadable(f"it was a refusal: {completion.refusal or completion.finish:.200}")
    if completion.finish == "length":
        raise Unreadable("it was cut off before its end; write less")
    answer = _THOUGHT.sub("", completion.text[:MOST]).strip()
    replies = [reply for found in _found(answer) if (reply := form(found)) is not None]
    for reply in replies:
        if reply.items:
            return reply
    if not replies:
        raise Unreadable("it was not JSON of the form asked for" if answer else "it was empty")
    return replies[0]


def lessons(found: Any) -> Reply | None:
    """Lessons: ``{"lessons": […]}``, their list alone, or one alone."""
    if isinstance(found, dict):
        found = found.get("lessons", [found])
        found = [found] if isinstance(found, dict) else found
    if not isinstance(found, list):
        return None
    items = tuple(item for item in found if isinstance(item, dict))
    return Reply(items) if not found or any(_said(item.get("insight")) for item in items) else None


def practice(found: Any) -> Reply | None:
    """A practice: ``{"practice": …, "reason": …}``, the practice alone, or an empty list for none."""
    if isinstance(found, list) and len(found) <= 1:
        found = found[0] if found else {"practice": None}
    if not isinstance(found, dict):
        return None
    item = found.get("practice") if "practice" in found else found
    if item is None:
        reason = found.get("reason")
        return Reply((), reason if isinstance(reason, str) else "")
    if not isinstance(item, dict) or not _said(item.get("name")):
        return None
    steps = item.get("steps")
    usable = isinstance(steps, list) and any(map(_said, steps))
    return Reply((item,)) if usable else None


def _said(text: object) -> bool:
    return isinstance(text, str) and has_words(text)


def _found(text: str) -> Iterator[Any]:
    """Each JSON array or object that stands in the text, up to the first that is broken."""
    place = 0
    for _ in range(_STARTS):
        start = _START.search(text, place)
        if start is None:
            return
        rest = text[start.start() :]
        for candidate in (rest, _without_last_commas(rest)):
            try:
                value, end = _DECODER.raw_decode(candidate)
            except (ValueError, RecursionError):
                continue
            yield value
            text, place = candidate, end
            break
        else:
            if _BROKEN.match(rest):
                return
            place = start.end()


def _without_last_commas(text: str) -> str:
    return _COMMA.sub(lambda found: found.group(1) or "", text)
