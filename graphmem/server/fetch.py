"""The locked artifacts, brought into the user's cache: in parallel, once, whoever else is fetching them too."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from pathlib import Path

from graphmem.errors import ArtifactError
from graphmem.server.download import download, is_intact, open_source
from graphmem.server.lock import Artifact, Lock, Part, read_lock
from graphmem.server.optional import require
from graphmem.server.progress import progress
from graphmem.server.repositories import repositories
from graphmem.settings import Settings

_CONNECTIONS = 8
_LABELS = {Part.SERVER: "Neo4j", Part.PLUGINS: "GDS", Part.MODEL: "embedding model"}


def fetch(settings: Settings, *parts: Part, lock: Lock | None = None) -> list[Path]:
    """The files of these parts, verified by SHA-256 at every call, downloaded if need be.

    An interrupted download goes on at the next call. Raises ArtifactError when a file cannot be had or is not the
    locked one, ConfigurationError when the extra is not installed.
    """
    lock = lock or read_lock()
    wanted = {lock.path(artifact, settings.cache): artifact for part in parts for artifact in lock.part(part)}
    if missing(wanted):
        with _alone(settings.cache):
            # Another process may have fetched them while this one waited.
            _download(settings, missing(wanted), "downloading " + " and ".join(_LABELS[part] for part in parts))
    return list(wanted)


def missing(wanted: dict[Path, Artifact]) -> dict[Path, Artifact]:
    """Those files that are not there, or are not what the lock says."""
    with ThreadPoolExecutor(_CONNECTIONS) as pool:
        intact = pool.map(is_intact, wanted.keys(), wanted.values())
    return {path: artifact for (path, artifact), good in zip(wanted.items(), intact, strict=True) if not good}


@contextmanager
def _alone(cache: Path) -> Iterator[None]:
    filelock = require("filelock")
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with filelock.FileLock(cache / "download.lock"):
            yield
    except PermissionError as error:
        raise ArtifactError(f"the cache {cache} cannot be written; make it writable, or set GRAPHMEM_CACHE") from error


def _download(settings: Settings, wanted: dict[Path, Artifact], label: str) -> None:
    for folder in {path.parent for path in wanted}:
        folder.mkdir(parents=True, exist_ok=True)
    total = sum(artifact.size for artifact in wanted.values())
    with open_source(repositories(settings), _CONNECTIONS) as source, progress(label, total) as report:
        pool = ThreadPoolExecutor(_CONNECTIONS)
        try:
            # The largest first: no connection is left with a long last file.
            largest_first = sorted(wanted.items(), key=lambda item: -item[1].size)
            running = [pool.submit(download, source, artifact, path, report) for path, artifact in largest_first]
            for future in as_completed(running):
                future.result()
        finally:
            source.stop.set()
            pool.shutdown(cancel_futures=True)
