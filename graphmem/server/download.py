"""One artifact over HTTP: resumed where it stopped, retried when that may help, kept only if it is the locked one."""

from __future__ import annotations

import hashlib
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any

from graphmem.errors import ArtifactError
from graphmem.server.lock import Artifact
from graphmem.server.optional import require
from graphmem.server.progress import Report
from graphmem.server.repositories import without_credentials

_ATTEMPTS = 6
_LONGEST_PAUSE = 30.0
_TIMEOUTS = (15.0, 30.0)
_CHUNK = 1 << 16
_TRANSIENT = {408, 425, 429, 500, 502, 503, 504}


class Stopped(Exception):  # noqa: N818 - no error: another download failed, or the user interrupted
    """The download was told to stop; what arrived is kept for the next time."""


class _Again(Exception):  # noqa: N818
    """It failed, but may work at the next attempt, after at least `pause` seconds."""

    def __init__(self, reason: str, pause: float = 0.0) -> None:
        super().__init__(reason)
        self.pause = pause


class _Elsewhere(Exception):  # noqa: N818
    """This repository will not give it; another one might."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where artifacts come from, and the switch that stops all downloads."""

    session: Any
    repositories: tuple[str, ...]
    stop: Event
    pause: float = 0.5


@contextmanager
def open_source(repositories: tuple[str, ...], connections: int) -> Iterator[Source]:
    """A source that honours the proxy and certificate variables of the environment."""
    requests = require("requests")
    with requests.Session() as session:
        paths = ssl.get_default_verify_paths()
        # This is SSL_CERT_FILE, which requests ignores; the variables that it knows outrank it.
        if paths.cafile and paths.cafile != paths.openssl_cafile:
            session.verify = paths.cafile
        session.headers["Accept-Encoding"] = "identity"
        for scheme in ("https://", "http://"):
            session.mount(scheme, requests.adapters.HTTPAdapter(pool_maxsize=connections))
        yield Source(session, repositories, Event())


def download(source: Source, artifact: Artifact, target: Path, report: Report) -> None:
    """Fetch the artifact to `target`. Raises ArtifactError when it cannot be had or is not what the lock says."""
    reason, pause = "", 0.0
    for attempt in range(_ATTEMPTS):
        if source.stop.wait(pause):
            raise Stopped
        try:
            return _from_any(source, artifact, target, report)
        except _Again as again:
            reason, pause = str(again), min(_LONGEST_PAUSE, max(again.pause, source.pause * 2**attempt))
    raise ArtifactError(
        f"{artifact.coordinates} could not be downloaded in {_ATTEMPTS} attempts (the last: {reason}); check the "
        "network, the proxy and GRAPHMEM_SERVER__REPOSITORY, then run the command again: it goes on where it stopped"
    )


def _from_any(source: Source, artifact: Artifact, target: Path, report: Report) -> None:
    reasons = []
    for repository in source.repositories:
        try:
            return _from(source, repository, artifact, target, report)
        except _Elsewhere as refusal:
            reasons.append(f"{without_credentials(repository)}: {refusal}")
    raise ArtifactError(
        f"{artifact.coordinates} is refused by every repository ({'; '.join(reasons)}); set "
        "GRAPHMEM_SERVER__REPOSITORY to one that has it"
    )


def _from(source: Source, repository: str, artifact: Artifact, target: Path, report: Report) -> None:
    requests = require("requests")
    part = target.with_name(target.name + ".part")
    have = part.stat().st_size if part.exists() else 0
    have = have if have < artifact.size else 0
    headers = {"Range": f"bytes={have}-"} if have else {}
    try:
        url = f"{repository}/{artifact.repository_path}"
        with source.session.get(url, headers=headers, stream=True, timeout=_TIMEOUTS) as response:
            start = _start(response, artifact, part, have)
            _receive(source, response, artifact, part, start, report)
    except (requests.ConnectionError, requests.Timeout, requests.exceptions.ChunkedEncodingError) as error:
        raise _Again(type(error).__name__) from error
    except requests.RequestException as error:
        raise _Elsewhere(type(error).__name__) from error
    except OSError as error:
        raise ArtifactError(f"{part} cannot be written ({error}); free disk space, or set GRAPHMEM_CACHE") from error
    _keep(artifact, part, target, resumed=start > 0)


def _start(response: Any, artifact: Artifact, part: Path, have: int) -> int:
    """At which byte of the file the answer starts."""
    status, headers = response.status_code, response.headers
    if status in _TRANSIENT:
        after = headers.get("Retry-After", "")
        raise _Again(f"status {status}", float(after) if after.isdigit() else 0.0)
    if status == 416 or (status == 206 and not headers.get("Content-Range", "").startswith(f"bytes {have}-")):
        part.unlink(missing_ok=True)
        raise _Again("the rest of a begun file was refused")
    if status not in (200, 206):
        raise _Elsewhere(f"status {status}")
    start = have if status == 206 else 0
    length = headers.get("Content-Length")
    if length is not None and start + int(length) != artifact.size:
        part.unlink(missing_ok=True)
        raise _wrong(artifact, f"the repository's file has {start + int(length)} bytes, the locked one {artifact.size}")
    return start


def _receive(source: Source, response: Any, artifact: Artifact, part: Path, start: int, report: Report) -> None:
    position = start
    with part.open("ab" if start else "wb") as file:
        for chunk in response.iter_content(_CHUNK):
            if source.stop.is_set():
                raise Stopped
            file.write(chunk)
            position += len(chunk)
            report(artifact.filename, position)
            if position > artifact.size:
                break
    if position < artifact.size:
        raise _Again("the answer ended early")


def _keep(artifact: Artifact, part: Path, target: Path, *, resumed: bool) -> None:
    if is_intact(part, artifact):
        part.replace(target)
        return
    part.unlink()
    if resumed:
        raise _Again("what an earlier run had left was damaged")
    raise _wrong(artifact, "its content does not have the locked SHA-256")


def is_intact(path: Path, artifact: Artifact) -> bool:
    """Whether the file is there with the locked size and SHA-256."""
    try:
        if path.stat().st_size != artifact.size:
            return False
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == artifact.sha256
    except FileNotFoundError:
        return False


def _wrong(artifact: Artifact, what: str) -> ArtifactError:
    return ArtifactError(
        f"{artifact.coordinates} is not the locked file: {what}; nothing of it was kept; check what the proxy or "
        "the mirror (GRAPHMEM_SERVER__REPOSITORY) delivers, and run the command again"
    )
