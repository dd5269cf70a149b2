"""The lock: which files make up the private server and the offline embedding model, and what they must hash to.

``artifacts.lock`` has one file a line: part, Maven coordinates, size in bytes, SHA-256. It names no host; the
repository is the user's choice. `scripts/lock` makes it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources
from pathlib import Path

from graphmem.errors import ConfigurationError

_HEADER = "# Made by scripts/lock: part, group:artifact:version[:classifier], size in bytes, SHA-256.\n"


class Part(StrEnum):
    """What an artifact belongs to."""

    SERVER = "server"
    PLUGINS = "plugins"
    MODEL = "model"


@dataclass(frozen=True, slots=True, order=True)
class Artifact:
    """One locked jar."""

    part: Part
    coordinates: str
    size: int
    sha256: str

    @property
    def filename(self) -> str:
        """The name of its file, the same in every Maven repository."""
        _, artifact, *version = self.coordinates.split(":")
        return "-".join([artifact, *version]) + ".jar"

    @property
    def repository_path(self) -> str:
        """Where it is below the root of any Maven repository."""
        group, artifact, version, *_ = self.coordinates.split(":")
        return "/".join([*group.split("."), artifact, version, self.filename])

    @property
    def version(self) -> str:
        """Its version."""
        return self.coordinates.split(":")[2]


@dataclass(frozen=True, slots=True)
class Lock:
    """All locked artifacts."""

    artifacts: tuple[Artifact, ...]

    def part(self, part: Part) -> tuple[Artifact, ...]:
        """The artifacts of one part."""
        return tuple(artifact for artifact in self.artifacts if artifact.part is part)

    def folder(self, part: Part, cache: Path) -> Path:
        """Where the part's files are kept; another lock has another folder, so two releases share one cache."""
        content = _lines(self.part(part)).encode()
        return cache / f"{part}-{hashlib.sha256(content).hexdigest()[:12]}"

    def path(self, artifact: Artifact, cache: Path) -> Path:
        """Where one artifact's file is kept."""
        return self.folder(artifact.part, cache) / artifact.filename

    def version(self, project: str) -> str:
        """The locked version of a ``group:artifact``."""
        return next(a.version for a in self.artifacts if a.coordinates.startswith(project + ":"))


def parse(text: str) -> Lock:
    """Read a lock. Raises ConfigurationError that names the line which is not one."""
    artifacts = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        try:
            part, coordinates, size, sha256 = line.split()
            artifact = Artifact(Part(part), coordinates, int(size), sha256)
            well_formed = len(bytes.fromhex(sha256)) == 32 and coordinates.count(":") in (2, 3)
        except ValueError as error:
            raise ConfigurationError(f"artifacts.lock is damaged at line {number}; install graphmem again") from error
        if not well_formed:
            raise ConfigurationError(f"artifacts.lock is damaged at line {number}; install graphmem again")
        artifacts.append(artifact)
    return Lock(tuple(artifacts))


def render(lock: Lock) -> str:
    """The text that `parse` reads back."""
    return _HEADER + _lines(sorted(lock.artifacts))


@cache
def read_lock() -> Lock:
    """The lock that ships with graphmem."""
    return parse(resources.files("graphmem.server").joinpath("artifacts.lock").read_text("utf-8"))


def _lines(artifacts: Iterable[Artifact]) -> str:
    return "".join(f"{a.part} {a.coordinates} {a.size} {a.sha256}\n" for a in artifacts)
