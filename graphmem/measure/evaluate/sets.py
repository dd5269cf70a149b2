"""All data sets by name, and the folder of each below the data path."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from graphmem.errors import InvalidInput
from graphmem.measure.evaluate import clinc150, email_intent, hotpotqa, reflexion, runbooks, tau_bench
from graphmem.measure.evaluate.data import DataSet

Loader = Callable[[Path, int], DataSet]

SETS: dict[str, tuple[str, Loader]] = {
    "clinc150": ("clinc150", clinc150.load),
    "runbooks": ("runbooks", runbooks.load),
    "tau_bench": ("tau-bench", tau_bench.load),
    "reflexion_alfworld": ("reflexion", reflexion.load_alfworld),
    "reflexion_hotpotqa": ("reflexion", hotpotqa.load),
    "reflexion_webshop": ("reflexion", reflexion.load_webshop),
    "email_intent": ("email", email_intent.load),
}


def load(name: str, data: Path, seed: int) -> DataSet:
    """Read one data set from its folder below `data`.

    Raises InvalidInput for a name that is none, or when a file is missing or is another one.
    """
    if name not in SETS:
        raise InvalidInput(f"no data set is called '{name}'; the names are {', '.join(SETS)}")
    folder, loader = SETS[name]
    return loader(data / folder, seed)
