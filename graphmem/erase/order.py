"""Whose memories an erasure is about, and by which rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from graphmem.policies import ConsolidationSettings
from graphmem.scope import Scope
from graphmem.steps import Progress


@dataclass(frozen=True, slots=True)
class Order:
    """Whose client erases; by which rules skills are proven; how many dimensions vectors have; when it is."""

    scope: Scope
    rules: ConsolidationSettings
    dimensions: int
    clock: Callable[[], datetime]
    progress: Progress
