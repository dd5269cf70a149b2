"""What a client and a server take: memory, bytes on disk, seconds to start."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from graphmem.bench.load import Loaded
from graphmem.bench.result import Result
from graphmem.server.halt import down
from graphmem.server.optional import require
from graphmem.server.start import up


def machine(loaded: Loaded, result: Result) -> None:
    """Bytes on disk per memory (store, indexes, log), the client's memory now, seconds of an import and of a start."""
    folder = loaded.settings.instance_home
    result.figures["bytes on disk per memory"] = size(folder / "data" / "databases") / loaded.data.size
    result.figures["client memory MB"] = require("psutil").Process().memory_info().rss / 1e6
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", "from graphmem import Memory"], check=True)
    result.figures["import s"] = time.perf_counter() - start
    down(loaded.settings)
    start = time.perf_counter()
    up(loaded.settings)
    result.figures["server start s"] = time.perf_counter() - start


def size(folder: Path) -> int:
    """Bytes of all files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
