"""The command behind ``scripts/evaluate``."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from graphmem.embed import Embedder, make_embedder
from graphmem.errors import ConfigurationError, GraphmemError, InvalidInput
from graphmem.measure.evaluate.data import DataSet
from graphmem.measure.evaluate.guards import ISOLATION, isolation
from graphmem.measure.evaluate.page import page
from graphmem.measure.evaluate.report import Report, to_json
from graphmem.measure.evaluate.run import Bench, evaluate
from graphmem.measure.evaluate.sets import SETS, load
from graphmem.measure.evaluate.trials import TRIALS, read_trials, trials
from graphmem.server.halt import down
from graphmem.server.start import up
from graphmem.settings import Settings, load_settings

if TYPE_CHECKING:
    from graphmem.memory import Memory


def main(client: type[Memory], arguments: Sequence[str] | None = None) -> int:
    """Evaluate `client` on the data sets that the arguments name; 0 when all went well, 2 with the reason when not."""
    said = _parser().parse_args(arguments)
    console = Console(stderr=True, highlight=False)
    try:
        writable(said.json, said.page)
        sets = read([name for name in said.only or SETS if name not in (ISOLATION, TRIALS)], said.data, said.seed)
        plays = read_trials(said.data) if TRIALS in (said.only or [TRIALS]) else []
        reports = []
        for data in sets:
            with server(data.name) as settings:
                bench = Bench(client, settings, embedding(settings), said.seed)
                console.print(f"{data.name} …")
                report = evaluate(data, bench, lambda words, name=data.name: console.print(f"{name}: {words}"))  # type: ignore[misc]
            reports.append(report)
            console.print(f"{data.name}: done in {report.seconds:.0f} s")
            _write(reports, said)
        for play in plays:
            with server(play.name) as settings:
                bench = Bench(client, settings, embedding(settings), said.seed)
                console.print(f"{play.name} …")
                reports.append(trials(play, bench, lambda words, name=play.name: console.print(f"{name}: {words}")))  # type: ignore[misc]
            _write(reports, said)
        if ISOLATION in (said.only or [ISOLATION]):
            with server(ISOLATION) as settings:
                console.print(f"{ISOLATION} …")
                reports.append(isolation(client, settings, lambda words: console.print(f"{ISOLATION}: {words}")))
            _write(reports, said)
    except GraphmemError as error:
        console.print(f"error: {error}", markup=False, soft_wrap=True)
        return 2
    return 0


def read(names: Sequence[str], data: Path, seed: int) -> list[DataSet]:
    """Read data sets before anything is started. Raises InvalidInput that tells of each that cannot be read."""
    found, faults = [], []
    for name in dict.fromkeys(names):
        try:
            found.append(load(name, data, seed))
        except InvalidInput as error:
            faults.append(f"{name}: {error}")
    if faults:
        raise InvalidInput("\n".join([*faults, "complete the folder, or name the sets that are there with --only"]))
    return found


@contextmanager
def server(name: str) -> Iterator[Settings]:
    """A private server of one data set, so that no set's words weigh in another's; it is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="graphmem-", ignore_cleanup_errors=True) as home:
        settings = load_settings(
            home=Path(home),
            instance=name.replace("_", "-"),
            server={"heap": "768m", "page_cache": "256m", "bolt_port": 0, "http_port": 0},
            neo4j={"uri": None, "database": None},
        )
        try:
            up(settings)
            yield settings
        finally:
            down(settings)


def embedding(settings: Settings) -> Embedder:
    """The embedding model that an evaluation measures with. Raises ConfigurationError where none is in use."""
    model = make_embedder(settings)
    if model is None:
        raise ConfigurationError("an evaluation needs an embedding model; unset GRAPHMEM_EMBEDDING__MODEL")
    return model


def writable(*paths: Path | None) -> None:
    """Raises InvalidInput for a file that could not be written after all the work."""
    for path in filter(None, paths):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            known = path.exists()
            path.open("a").close()
            if not known:
                path.unlink()
        except OSError as error:
            raise InvalidInput(f"{path} cannot be written ({error.strerror}); give another path") from error


def _write(reports: Sequence[Report], said: argparse.Namespace) -> None:
    """After every set, so that nothing is lost when a later one fails."""
    said.json.write_text(to_json(reports), "utf-8")
    if said.page is not None:
        said.page.write_text(page(reports, said.seed), "utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/evaluate",
        description="Measure graphmem beside vector, full-text, fused and random search, on data of your own copy.",
    )
    parser.add_argument("--data", type=Path, required=True, help="the folder of the data sets' folders")
    parser.add_argument("--json", type=Path, required=True, help="where the figures go")
    parser.add_argument("--page", type=Path, help="where a readable page goes")
    parser.add_argument("--only", nargs="+", metavar="NAME", help=f"of {', '.join((*SETS, TRIALS, ISOLATION))}")
    parser.add_argument("--seed", type=int, default=0, help="of every draw (0)")
    return parser
