"""Several simulators side by side, each with a thread of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from queue import SimpleQueue
from types import TracebackType
from typing import Self, TypeVar

from graphmem.demo.scienceworld import Simulator
from graphmem.errors import InvalidInput

J = TypeVar("J")
R = TypeVar("R")


class Pool:
    """Runs jobs on `size` simulators; a context manager that ends their processes."""

    def __init__(self, java: Path, size: int) -> None:
        """Start the simulators. Raises InvalidInput for fewer than one."""
        if size < 1:
            raise InvalidInput(f"at least 1 simulator has to run, and not {size}")
        self._simulators = [Simulator(java) for _ in range(size)]
        self._free: SimpleQueue[Simulator] = SimpleQueue()
        for simulator in self._simulators:
            self._free.put(simulator)
        self._threads = ThreadPoolExecutor(size)

    def tasks(self) -> tuple[str, ...]:
        """The names of all kinds of tasks."""
        return tuple(self._simulators[0].tasks())

    def map(self, function: Callable[[Simulator, J], R], jobs: Iterable[J]) -> Iterator[tuple[J, R]]:
        """Each job with its result, as they are done."""
        futures: dict[Future[R], J] = {self._threads.submit(self._run, function, job): job for job in jobs}
        waiting = set(futures)
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                yield futures[future], future.result()

    def _run(self, function: Callable[[Simulator, J], R], job: J) -> R:
        simulator = self._free.get()
        try:
            return function(simulator, job)
        finally:
            self._free.put(simulator)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._threads.shutdown(wait=kind is None, cancel_futures=True)
        for simulator in self._simulators:
            simulator.close()
        self._threads.shutdown(wait=True)
