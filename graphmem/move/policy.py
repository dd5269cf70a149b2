"""What a version of a rule is in a file."""

from __future__ import annotations

import json
from typing import Literal

from pydantic import model_validator

from graphmem.govern import Rule
from graphmem.models import Text, When, Words
from graphmem.move.records import Record, Version


class Policy(Record, Rule):
    """One version of a rule, as it was set; `active` while it is in force, `withdrawn_…` once somebody ended it."""

    sort = 4

    kind: Literal["rule"]
    version: Version
    active: bool
    by: Words
    at: When
    withdrawn_by: Text = ""
    withdrawn_at: When | None = None

    @model_validator(mode="after")
    def _ended(self) -> Policy:
        if self.active and self.withdrawn_at is not None:
            raise ValueError("it cannot be in force and withdrawn")
        return self

    @property
    def key(self) -> str:
        """What it is known by in its scope: domain, name and version, as JSON."""
        return json.dumps([self.domain, self.name, self.version], ensure_ascii=False)
