"""Callers' input as memories: values as they are, mappings by their kind, faults told with their place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from graphmem.errors import InvalidInput
from graphmem.models import KINDS, AnyItem, Episode, Kind, Reflection, Skill, chosen
from graphmem.record.embed import BATCH
from graphmem.record.stage import Accepted, Recorded, Result
from graphmem.redact import Redactor, clean, noted, told

Given = AnyItem | Mapping[str, object]


def accept(given: Given) -> AnyItem:
    """One memory, from a value or from a mapping that has a ``kind`` (episode if not given).

    Raises InvalidInput that names the field.
    """
    if isinstance(given, Episode | Reflection | Skill):
        return given
    if not isinstance(given, Mapping):
        raise InvalidInput(f"{type(given).__name__} is no memory; give an Episode, a Reflection, a Skill or a mapping")
    if not all(isinstance(name, str) for name in given):
        raise InvalidInput("a memory's fields have names, which are texts")
    fields: dict[str, Any] = dict(given)
    kind = chosen(Kind, fields.pop("kind", Kind.EPISODE.value), "kind")
    return KINDS[kind](**fields)


def accepted(given: Given, redactor: Redactor | None) -> Accepted:
    """One memory as it is to be kept: without secrets and personal data, and with the note of what was taken out.

    Raises InvalidInput as `accept` does, and for an id that holds such things; RedactionError when the redactor fails.
    """
    item, found = clean(redactor, accept(given))
    return Accepted(item, noted(found))


def batches(items: Iterable[Given]) -> Iterator[tuple[int, list[Given]]]:
    """Items in batches of one transaction each, with the position of the first."""
    start, batch = 0, []
    for item in items:
        batch.append(item)
        if len(batch) == BATCH:
            yield start, batch
            start, batch = start + BATCH, []
    if batch:
        yield start, batch


def sorted_out(
    batch: Sequence[Given], start: int, redactor: Redactor | None
) -> tuple[list[Accepted], list[Recorded | None]]:
    """The good items of a batch, and for every item its fault, if it has one; positions count from `start`.

    Raises RedactionError when the redactor fails.
    """
    good: list[Accepted] = []
    faults: list[Recorded | None] = []
    for position, given in enumerate(batch, start):
        try:
            good.append(accepted(given, redactor))
            faults.append(None)
        except InvalidInput as error:
            named = given.get("id") if isinstance(given, Mapping) else getattr(given, "id", None)
            id_ = told(redactor, named) if isinstance(named, str) else None
            problem = f"item {position}: {told(redactor, str(error))}"
            faults.append(Recorded(id=id_, result=Result.INVALID, problem=problem))
    return good, faults
