"""A database in the place of another, with the way back."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from graphmem.server.instance import Instance

PARTS = ("databases", "transactions")  # folders of a server's data that have one folder for each database
KEPT = "before-restore"


@dataclass(frozen=True, slots=True)
class Swap:
    """The database of `instance` and the one that was loaded in `apart`; the server is stopped.

    The old one stays in the instance's folder until `end`; where somebody was killed in the middle, the next start puts
    it back.
    """

    instance: Instance
    apart: Path
    database: str

    def begin(self) -> None:
        """Put the loaded one in the place of the old one."""
        kept = self.instance.home / KEPT
        shutil.rmtree(kept, ignore_errors=True)
        kept.mkdir()
        for part in PARTS:
            old = self.instance.data / part / self.database
            if old.exists():
                old.replace(kept / part)
        for part in PARTS:
            new = self.apart / "home" / "data" / part / self.database
            if new.exists():
                new.replace(self.instance.data / part / self.database)

    def undo(self) -> None:
        """Put the old one back."""
        put_back(self.instance, self.database)

    def end(self) -> None:
        """Forget the old one."""
        shutil.rmtree(self.instance.home / KEPT)


def heal(instance: Instance, database: str) -> None:
    """Undo a swap in whose middle somebody was killed; one that was done stays."""
    kept = instance.home / KEPT
    if any((kept / part).exists() and not (instance.data / part / database).exists() for part in PARTS):
        put_back(instance, database)


def put_back(instance: Instance, database: str) -> None:
    """Undo a swap that was not ended: the old database, if one is kept, is in its place again."""
    kept = instance.home / KEPT
    if not kept.is_dir():
        return
    for part in PARTS:
        place = instance.data / part / database
        if (kept / part).exists():
            shutil.rmtree(place, ignore_errors=True)
            (kept / part).replace(place)
    shutil.rmtree(kept)
