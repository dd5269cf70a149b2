"""The command behind ``scripts/bench``."""

from __future__ import annotations

import argparse
import gc
import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from graphmem.bench.clients import concurrent
from graphmem.bench.indexes import indexes
from graphmem.bench.load import Loaded, load, planned, start, stop
from graphmem.bench.machine import machine
from graphmem.bench.model import embedded
from graphmem.bench.recalls import batches, overhead, quality, recalls
from graphmem.bench.result import Result, read
from graphmem.bench.writes import loads, verbs
from graphmem.errors import GraphmemError
from graphmem.measure.evaluate.command import writable

if TYPE_CHECKING:
    from graphmem.memory import AsyncMemory, Memory

SIZES = (1_000, 10_000, 100_000)
LEAST = 100  # memories of a server: with fewer there is nothing to measure
PICTURES = (".svg", ".png")
ENOUGH = 10_000  # memories of the server on which settings of the index are tried


def main(client: type[Memory], asynchronous: type[AsyncMemory], arguments: Sequence[str] | None = None) -> int:
    """Measure the clients as the arguments say; 0 when all went well, 2 with the reason when not, 130 when stopped."""
    said = _parser().parse_args(arguments)
    console = Console(stderr=True, highlight=False)
    sizes = sorted(set(said.sizes))
    # Whoever ends it, its servers end with it.
    ended = signal.signal(signal.SIGTERM, signal.default_int_handler)
    scratch = Path(tempfile.mkdtemp(prefix="graphmem-bench-"))
    home = said.home or scratch
    servers: list[Loaded] = []
    result = Result()
    try:
        before = read(said.compare) if said.compare else None
        writable(said.json, said.plot)
        for size in sizes:
            console.print(f"{size}: starting a server")
            servers.append(planned(client, home, size, said.seed, said.heap))
            start(servers[-1])
            load(servers[-1], console.print)
        gc.collect()
        gc.freeze()  # the data are the benchmark's own: no client would walk them again and again
        recalls(servers, said.rounds, said.warm, result, console.print)
        quality(servers[-1], result)
        overhead(servers[-1], said.rounds, result)
        batches(servers[-1], max(10, said.rounds // 5), result, console.print)
        embedded(servers[-1], said.rounds, result, console.print)
        concurrent(servers[-1], asynchronous, max(5, said.rounds // 20), result, console.print)
        if said.indexes:  # before anything is recorded that the exact search does not know of
            indexes(
                next((one for one in servers if one.data.size >= ENOUGH), servers[-1]),
                said.rounds,
                result,
                console.print,
            )
        verbs(servers[-1], said.rounds, result, console.print)
        machine(servers[-1], result)
        servers.append(planned(client, scratch, 0, said.seed, said.heap))
        start(servers[-1])
        loads(servers[-1], said.turns, result, console.print)
        result.figures["load average"] = os.getloadavg()[0]
        for line in result.lines(before):
            console.print(line, soft_wrap=True)
        if said.json is not None:
            said.json.write_text(result.to_json(), "utf-8")
        if said.plot is not None:
            from graphmem.bench.plots import plot

            plot(result, before, said.plot)
    except GraphmemError as error:
        console.print(f"error: {error}", markup=False, soft_wrap=True)
        return 2
    except BaseException as error:
        if not _interrupted(error):
            raise
        console.print("stopped; nothing was written")
        return 130
    finally:
        signal.signal(signal.SIGTERM, ended)
        gc.unfreeze()
        for loaded in servers:
            stop(loaded)
        shutil.rmtree(scratch, ignore_errors=True)
    return 0


def _interrupted(error: BaseException | None) -> bool:
    """Whether an interrupt is at the bottom of it; what it interrupts, such as a connection, may fail in its stead."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return error is not None


def _from(least: int) -> Callable[[str], int]:
    """Reads a whole number that is at least so great."""

    def number(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text} is not a whole number from {least} on")
        return int(text)

    return number


def _picture(text: str) -> Path:
    path = Path(text)
    if path.suffix not in PICTURES:
        raise argparse.ArgumentTypeError(f"{text} does not end with {' or '.join(PICTURES)}")
    return path


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/bench",
        description="Measure graphmem as ratios to what the bare driver can do on the same server, in one run.",
    )
    parser.add_argument("--sizes", nargs="+", type=_from(LEAST), default=SIZES, help="memories of each server")
    parser.add_argument("--rounds", type=_from(1), default=200, help="counted rounds of each measurement (200)")
    parser.add_argument("--warm", type=_from(0), default=200, help="rounds before, until the server is warm (200)")
    parser.add_argument("--turns", type=_from(1), default=8, help="counted turns of 1,024 memories of the load (8)")
    parser.add_argument("--indexes", action="store_true", help="also try other settings of the vector index")
    parser.add_argument("--json", type=Path, help="where the figures go")
    parser.add_argument("--plot", type=_picture, help="where a picture of the ratios goes (.svg or .png)")
    parser.add_argument("--compare", type=Path, help="an earlier run's --json file, shown beside this one")
    parser.add_argument("--home", type=Path, help="keep the loaded servers' data here, and use what is there already")
    parser.add_argument("--heap", default="1g", help="Java heap of each server (1g)")
    parser.add_argument("--seed", type=_from(0), default=0, help="of the data (0)")
    return parser
