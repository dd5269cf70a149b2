"""Reflexion on ALFWorld and WebShop: attempts at environments, and the lessons between them (Shinn et al. 2023)."""

from __future__ import annotations

from pathlib import Path

from graphmem.errors import InvalidInput
from graphmem.measure.evaluate.data import Ask, DataSet, Evidence, Known, Stage, neutral_id
from graphmem.measure.evaluate.read import Line, json_lines
from graphmem.models import Reflection
from graphmem.text import has_words

_FIELDS = ("run", "env", "trial", "success", "memory_in", "new_reflection")


def load_alfworld(folder: Path, seed: int) -> DataSet:
    """Read ``alfworld.jsonl`` of `folder`, as `attempts` says."""
    return attempts("reflexion_alfworld", folder / "alfworld.jsonl")


def load_webshop(folder: Path, seed: int) -> DataSet:
    """Read ``webshop.jsonl`` of `folder`, as `attempts` says. Few of its lessons were followed by a success."""
    return attempts("reflexion_webshop", folder / "webshop.jsonl")


def attempts(name: str, path: Path) -> DataSet:
    """All runs of one file side by side, in the order of trial; nothing is drawn.

    Each lesson is a Reflection, recorded once its trial is over. An attempt asks before it begins. The data describe an
    environment nowhere but in the lessons, so the newest lesson that the attempt holds is its question, and that lesson
    itself is left out of the ranking. Lessons of the same environment are relevant, whichever run wrote them; they are
    better once an attempt that directly followed one has succeeded. How it ended is told to the memory as feedback,
    after every question of that trial was asked. Raises InvalidInput when the file is missing or is another one.
    """
    lines = json_lines(path, _FIELDS)
    written: dict[tuple[str, str, str], tuple[str, int]] = {}  # lesson of a run and environment: its id and trial
    known: dict[int, list[Known]] = {}
    for line in lines:
        for text in filter(has_words, line["new_reflection"]):
            new = neutral_id(name, line["run"], line["env"], line["trial"], text)
            written.setdefault((line["run"], line["env"], text), (new, line["trial"]))
            item = Reflection(id=new, insight=text, source_ref=f"{line['run']}, trial {line['trial']}")
            known.setdefault(line["trial"], []).append(Known(item, line["env"]))
    stages = []
    for trial in sorted({line["trial"] for line in lines}):
        asks = [_ask(line, written, path) for line in lines if line["trial"] == trial and line["memory_in"]]
        stages.append(Stage(tuple(known.get(trial - 1, ())), tuple(asks)))
    return DataSet(name, tuple(stages), graded=True)


def _ask(line: Line, written: dict[tuple[str, str, str], tuple[str, int]], path: Path) -> Ask:
    text = line["memory_in"][-1]
    try:
        newest, trial = written[line["run"], line["env"], text]
    except KeyError as error:
        where = f"{path}: {line['run']}, {line['env']}, trial {line['trial']}"
        raise InvalidInput(f"{where} holds a lesson that no trial wrote; take all lines of a run") from error
    followed = trial == line["trial"] - 1
    return Ask(
        neutral_id(line["run"], line["env"], line["trial"]),
        text,
        frozenset({line["env"]}),
        excluded=frozenset({newest}),
        evidence=Evidence(newest, bool(line["success"])) if followed else None,
    )
