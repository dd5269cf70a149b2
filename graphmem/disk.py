"""What makes files survive a loss of power."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def synced(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk, where the system can say so."""
    with suppress(OSError):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
