"""A database in the place of another, with the way back, whoever is killed when."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from graphmem.server.instance import Instance
from graphmem.server.optional import require

PARTS = ("databases", "transactions")  # folders of a server's data that have one folder for each database
KEPT = "before-restore"  # in the instance's folder, while a restored database is tried: the old one's parts, and
OWNER = "by"  # the process that tries it
FULL = "full"  # there once all of the old one is kept; from then on the new one is put in its place
EMPTIED = "emptied"  # there once the new one is out of its place again


@dataclass(frozen=True, slots=True)
class Swap:
    """The database of `instance` and the one that was loaded in `apart`; the server is stopped.

    The old one is kept until `end`. Where whoever tries the new one is killed, the next start puts the old one back.
    """

    instance: Instance
    apart: Path
    database: str

    def begin(self) -> None:
        """Put the loaded one in the place of the old one. `heal` comes before."""
        kept = self.instance.home / KEPT
        kept.mkdir()
        (kept / OWNER).write_text(_process(os.getpid()), "utf-8")
        for part in PARTS:
            _move(self.instance.data / part / self.database, kept / part)
        (kept / FULL).touch()
        for part in PARTS:
            _move(self.apart / "home" / "data" / part / self.database, self.instance.data / part / self.database)

    def undo(self) -> None:
        """Put the old one back."""
        _put_back(self.instance, self.database)

    def end(self) -> None:
        """Forget the old one."""
        _forget(self.instance.home / KEPT)


def heal(instance: Instance, database: str) -> None:
    """Undo a swap that nobody is trying any more."""
    kept = instance.home / KEPT
    shutil.rmtree(_done(kept), ignore_errors=True)
    if kept.is_dir() and not _alive(kept / OWNER):
        _put_back(instance, database)


def _put_back(instance: Instance, database: str) -> None:
    """The old database in its place again; killed anywhere and called again, it goes on."""
    kept = instance.home / KEPT
    if (kept / FULL).exists() and not (kept / EMPTIED).exists():
        for part in PARTS:
            _move(instance.data / part / database, kept / f"new-{part}")
        (kept / EMPTIED).touch()
    for part in PARTS:
        _move(kept / part, instance.data / part / database)
    _forget(kept)


def _move(source: Path, target: Path) -> None:
    if source.exists() and not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        source.replace(target)


def _forget(kept: Path) -> None:
    """Delete the folder under another name, so that half of it is never taken for a database that is kept."""
    kept.replace(_done(kept))
    shutil.rmtree(_done(kept))


def _done(kept: Path) -> Path:
    return kept.with_name(f"{KEPT}-done")


def _process(pid: int) -> str:
    return f"{pid} {require('psutil').Process(pid).create_time()}"


def _alive(owner: Path) -> bool:
    """Whether the process that wrote this file still runs."""
    psutil = require("psutil")
    try:
        told = owner.read_text("utf-8")
        return _process(int(told.split()[0])) == told
    except (OSError, ValueError, IndexError, psutil.NoSuchProcess):
        return False
