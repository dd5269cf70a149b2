"""Files that appear whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkstemp
from typing import IO

from graphmem.disk import synced
from graphmem.errors import InvalidInput
from graphmem.source import Source, named


@contextmanager
def written(target: Source) -> Iterator[IO[bytes]]:
    """Where to write a file: a draft beside it, readable by its owner alone, which takes its place at the end.

    Whatever goes wrong within leaves the file as it was, and no draft; a process that is killed leaves the draft, whose
    name begins with a dot. A binary stream is written to as it is. Raises InvalidInput when it cannot be written.
    """
    if not isinstance(target, str | os.PathLike):
        yield target
        target.flush()
        return
    path = Path(target)
    try:
        if path.exists() and not path.is_file():
            raise InvalidInput(f"{named(target)} is no file that can be replaced; give another path")
        handle, draft = mkstemp(prefix=f".{path.name[:100]}.", suffix=".part", dir=path.parent)
    except (OSError, ValueError) as error:
        if isinstance(error, InvalidInput):
            raise
        raise _refused(target, error) from error
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        Path(draft).replace(path)
    except OSError as error:
        raise _refused(target, error) from error
    finally:
        with suppress(OSError):
            Path(draft).unlink()  # there no more once it has taken the file's place
    synced(path.parent)


def _refused(target: Source, error: Exception) -> InvalidInput:
    reason = error.strerror if isinstance(error, OSError) else error
    return InvalidInput(f"{named(target)} cannot be written: {reason}")
