"""Callers' input as memories: values as they are, mappings by their kind, faults told with their place."""

from __future__ import annotations

from collections.abc import Mapping

from graphmem.errors import InvalidInput
from graphmem.models import KINDS, AnyItem, Episode, Kind, Reflection, Skill, chosen


def accept(given: AnyItem | Mapping[str, object]) -> AnyItem:
    """One memory, from a value or from a mapping that has a ``kind`` (episode if not given).

    Raises InvalidInput that names the field.
    """
    if isinstance(given, Episode | Reflection | Skill):
        return given
    if not isinstance(given, Mapping):
        raise InvalidInput(f"{type(given).__name__} is no memory; give an Episode, a Reflection, a Skill or a mapping")
    fields = dict(given)
    kind = chosen(Kind, fields.pop("kind", Kind.EPISODE.value), "kind")
    return KINDS[kind](**fields)
