"""The form of a model's answers, and how long each part of them may be."""

from __future__ import annotations

from typing import Any

from graphmem.models import LinkKind

Schema = dict[str, Any]

LESSONS = 8
LINKS = 8
SOURCES = 100
LABELS = 10
STEPS = 20
LABEL = 200
INSIGHT = 600
FAILURE_MODE = 300
NAME = 120
STEP = 400
NOTES = 800
REASON = 300
IDENTIFIER = 200


def _text(most: int) -> Schema:
    return {"type": "string", "maxLength": most}


def _list(items: Schema, most: int) -> Schema:
    return {"type": "array", "items": items, "maxItems": most}


def _object(**properties: Schema) -> Schema:
    # Strict modes want every property required and no other allowed.
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


_LINK = _object(known=_text(IDENTIFIER), kind={"type": "string", "enum": [kind.value for kind in LinkKind]})
_LESSON = _object(
    insight=_text(INSIGHT),
    conditions=_list(_text(LABEL), LABELS),
    failure_mode=_text(FAILURE_MODE),
    guardrails=_list(_text(LABEL), LABELS),
    sources=_list(_text(IDENTIFIER), SOURCES),
    links=_list(_LINK, LINKS),
)
_PRACTICE = _object(
    name=_text(NAME),
    steps=_list(_text(STEP), STEPS),
    preconditions=_list(_text(LABEL), LABELS),
    quality_notes=_text(NOTES),
)
REFLECT = _object(lessons=_list(_LESSON, LESSONS))
DISTIL = _object(practice={"anyOf": [_PRACTICE, {"type": "null"}]}, reason=_text(REASON))
LESSON_FIELDS = frozenset(_LESSON["properties"])
LINK_FIELDS = frozenset(_LINK["properties"])
PRACTICE_FIELDS = frozenset(_PRACTICE["properties"])
