"""Labels are set apart by their ids: the same ones each time, in whatever order they came."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Protocol, TypeVar


class Named(Protocol):
    """Anything with an id."""

    @property
    def id(self) -> str:
        """The id, unique among those that are split."""
        ...


N = TypeVar("N", bound=Named)


def split(items: Sequence[N]) -> tuple[list[N], list[N]]:
    """A third (rounded down) and the others, as good as drawn: both in the order of a digest of their ids."""
    shuffled = sorted(items, key=lambda one: (hashlib.blake2b(one.id.encode(), digest_size=8).digest(), one.id))
    third = len(shuffled) // 3
    return shuffled[:third], shuffled[third:]
