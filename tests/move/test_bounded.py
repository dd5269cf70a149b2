"""What a file holds does not have to fit into memory."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from graphmem import Memory
from graphmem.move import arrive, compare, leave
from tests.angles import Angles
from tests.memories import won


def peak(work: Callable[[], object]) -> int:
    """The most bytes that Python held at once meanwhile."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def collected(doing: str, done: int, whole: int) -> None:
    """What nobody holds any more is not counted."""
    gc.collect()


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages of twenty, so that few memories are many pages."""
    monkeypatch.setattr(leave, "PAGE", 20)
    monkeypatch.setattr(leave, "FULL", [{}] * 20)
    monkeypatch.setattr(arrive, "BATCH", 20)
    monkeypatch.setattr(compare, "PAGE", 20)


@pytest.mark.parametrize("layout", ["graphmem", "flex"])
def test_five_times_as_much_takes_no_more_memory(
    connect: Callable[..., Memory], tmp_path: Path, small: None, layout: str
) -> None:
    few, many = tmp_path / "few", tmp_path / "many"
    client = connect(embedder=Angles("bge-small-en-v1.5"))
    peaks: dict[tuple[str, Path], int] = {}
    for file, count in ((few, 40), (many, 200)):
        client.record_many([won(f"n{n:04}", f"case {n}", summary="x " * 1000) for n in range(count)])
        peaks["export", file] = peak(lambda file=file: client.export(file, format=layout, progress=collected))
        client.erase(everything=True)
        peaks["load", file] = peak(lambda file=file: client.load(file, progress=collected))
        client.erase(everything=True)
    assert many.stat().st_size > 4 * few.stat().st_size
    for verb in ("export", "load"):
        assert peaks[verb, many] < 1.5 * peaks[verb, few], peaks
