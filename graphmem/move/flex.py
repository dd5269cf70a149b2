"""Experience libraries in the layout of FLEX, read and written.

After "FLEX: Continuous Agent Evolution via Forward Learning from Experience", arXiv:2511.06449, 2025, which keeps what
was tried, how it ended and what was learnt as records of one library. A line is one JSON object:

    problem            → Episode.task
    solution_attempt   → the actions of its trajectory (also `solution`; a text, or a list of texts)
    ground_truth       → ground_truth
    is_correct         → outcome: true success, false fail, null or absent unknown (also `correct`)
    domain             → domain
    difficulty         → difficulty in [0, 1]: a number in it as it is, above it up to 10 divided by 10; "level 1" to
                         "level 5" 0, 0.25 … 1; trivial 0, very easy 0.1, easy 0.25, medium (moderate, intermediate)
                         0.5, hard (difficult) 0.75, very hard (expert, challenging) 0.9, extreme (impossible) 1
    timestamp          → occurred_at: ISO-8601, or seconds since 1970
    techniques_used    → techniques (also `techniques`; a list, or a text with commas)
    failure_reason     → failure_reason
    reflection         → the insight of a Reflection that is derived from the episode
    metadata           → metadata, to which go all other keys, and a difficulty that is a word or no difficulty at all

Ids are digests of what a record says, so the same record is the same episode whenever it is read. What is exported of
an episode with an id of its own carries that in its metadata, as `graphmem_id`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from graphmem.errors import InvalidInput
from graphmem.models import AnyItem, Episode, Outcome, Reflection, Step
from graphmem.record.properties import digest
from graphmem.text import has_words, isoformat, shown

ID = "graphmem_id"
ENDED = "graphmem_outcome"
KEYS = frozenset(
    {
        *("problem", "solution_attempt", "solution", "ground_truth", "is_correct", "correct", "domain", "difficulty"),
        *("timestamp", "techniques_used", "techniques", "failure_reason", "reflection", "metadata"),
    }
)
WORDS = {
    "trivial": 0.0,
    "very easy": 0.1,
    "easy": 0.25,
    "medium": 0.5,
    "moderate": 0.5,
    "intermediate": 0.5,
    "hard": 0.75,
    "difficult": 0.75,
    "very hard": 0.9,
    "expert": 0.9,
    "challenging": 0.9,
    "extreme": 1.0,
    "impossible": 1.0,
}
OUTCOMES = {True: Outcome.SUCCESS, False: Outcome.FAIL, None: Outcome.UNKNOWN}
_LEVEL = re.compile(r"(?:level[\s_-]*)?([1-5])")


def recognised(value: object) -> bool:
    """Whether a JSON value looks like a record of FLEX's: a problem, and an attempt or whether it was right."""
    if not isinstance(value, dict) or "kind" in value:
        return False
    return "problem" in value and not {"solution_attempt", "solution", "is_correct", "correct"}.isdisjoint(value)


def read(value: object) -> list[AnyItem]:
    """The episode of a record, and the reflection on it, if there is one. Raises InvalidInput that names the key."""
    if not isinstance(value, dict):
        raise InvalidInput("no JSON object")
    metadata = value.get("metadata") or {}
    if not isinstance(metadata, dict):
        metadata = {"metadata": metadata}
    metadata = dict(metadata)
    for key in sorted({*value} - KEYS):
        if metadata.setdefault(key, value[key]) != value[key]:
            raise InvalidInput(f"{key} stands beside another {key} in metadata")
    id_, ended = metadata.pop(ID, None), metadata.pop(ENDED, None)
    difficulty = _difficulty(value.get("difficulty"), metadata)
    fields: dict[str, Any] = {
        "task": value.get("problem", ""),
        "trajectory": [Step(action=text) for text in _texts(_either(value, "solution_attempt", "solution"), None)],
        "outcome": _outcome(_either(value, "is_correct", "correct")),
        "ground_truth": _text(value.get("ground_truth")),
        "domain": value.get("domain") or "",
        "difficulty": difficulty,
        "occurred_at": _time(value.get("timestamp")),
        "techniques": list(dict.fromkeys(_texts(_either(value, "techniques_used", "techniques"), ","))),
        "failure_reason": _text(value.get("failure_reason")),
        "metadata": metadata,
    }
    if ended is not None and fields["outcome"] is Outcome.UNKNOWN:
        fields["outcome"] = ended
    episode = Episode(**fields)
    episode = episode.model_copy(update={"id": id_ if id_ is not None else identity(episode)})
    episode = Episode(**{name: getattr(episode, name) for name in Episode.model_fields})  # its id is looked at as well
    insight = _text(value.get("reflection"))
    if not has_words(insight):
        return [episode]
    lesson = Reflection(
        id=f"{episode.id}-reflection"[-200:],
        insight=insight,
        domain=episode.domain,
        occurred_at=episode.occurred_at,
        sources=(episode.id or "",),
    )
    return [episode, lesson]


def line(item: AnyItem, lessons: Sequence[str]) -> bytes:
    """An episode, and the lessons that came of it, as a line of a library."""
    if not isinstance(item, Episode):
        raise InvalidInput(f"memory {item.id} is no episode")
    metadata = dict(item.metadata)
    if item.outcome is Outcome.MIXED:
        metadata[ENDED] = item.outcome.value
    record = {
        "problem": item.task,
        "solution_attempt": _joined([step.action for step in item.trajectory]),
        "ground_truth": item.ground_truth,
        "is_correct": {Outcome.SUCCESS: True, Outcome.FAIL: False}.get(item.outcome),
        "domain": item.domain,
        "difficulty": item.difficulty,
        "timestamp": isoformat(item.occurred_at) if item.occurred_at is not None else None,
        "techniques_used": list(item.techniques),
        "failure_reason": item.failure_reason,
        "reflection": "\n".join(lessons),
        "metadata": metadata,
    }
    again, *_ = read(record)
    if again.id != item.id:
        record["metadata"] = {**metadata, ID: item.id}
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def identity(episode: Episode) -> str:
    """The id of a record that has none: a digest of all that it says."""
    return "flex-" + digest(episode.model_dump(mode="json", exclude={"id"}))


def _either(value: Mapping[str, Any], name: str, other: str) -> Any:
    """What stands under either of two keys. Raises InvalidInput when they say different things."""
    if name in value and other in value and value[name] != value[other]:
        raise InvalidInput(f"{name} and {other} say different things")
    return value.get(name, value.get(other))


def _joined(actions: Sequence[str]) -> str | list[str]:
    return (actions[0] if actions else "") if len(actions) < 2 else list(actions)


def _texts(value: Any, separator: str | None) -> list[str]:
    given = value if isinstance(value, list) else [] if value is None else [value]
    texts = [part for one in given for part in ([_text(one)] if isinstance(value, list) else _split(one, separator))]
    return [text for text in texts if has_words(text)]


def _split(value: Any, separator: str | None) -> list[str]:
    text = _text(value)
    return [text] if separator is None else [part.strip() for part in text.split(separator)]


def _text(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _outcome(value: Any) -> Outcome:
    if isinstance(value, str):
        value = {"true": True, "false": False}.get(value.strip().lower(), value)
    if value is not None and value not in (True, False):
        raise InvalidInput(f"is_correct is true, false or null, not {shown(value)}")
    return OUTCOMES[value if value is None else bool(value)]


def _difficulty(value: Any, metadata: dict[str, Any]) -> float | None:
    """A difficulty in [0, 1]; one that is told otherwise stays in the metadata as well."""
    number: float | None = None
    if isinstance(value, int | float) and not isinstance(value, bool):
        number = float(value) if 0 <= value <= 1 else value / 10 if 1 < value <= 10 else None
    elif isinstance(value, str):
        word = " ".join(value.replace("_", " ").replace("-", " ").lower().split())
        level = _LEVEL.fullmatch(word)
        number = (int(level[1]) - 1) / 4 if level else WORDS.get(word)
    if value is not None and number != value:
        metadata.setdefault("difficulty", value)
    return number


def _time(value: Any) -> Any:
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            return datetime.fromtimestamp(value, UTC)
        except (ValueError, OverflowError, OSError) as error:
            raise InvalidInput(f"timestamp {shown(value)} names no time") from error
    return value or None
