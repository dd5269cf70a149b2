"""EmailIntentDataSet: sentences of mail, of which a person judged whether they ask for action (ParakweetLabs)."""

from __future__ import annotations

from pathlib import Path

from graphmem.measure.evaluate.data import Ask, DataSet, Known, Stage, neutral_id
from graphmem.measure.evaluate.read import Line, json_lines
from graphmem.models import Episode, Outcome
from graphmem.text import has_words


def load(folder: Path, seed: int) -> DataSet:
    """Read ``ask_train.jsonl`` and ``ask_test.jsonl`` of `folder`; nothing is drawn, so the seed plays no part.

    Each training sentence is an Episode that succeeded (a person reviewed it), each test sentence a question; a memory
    of the same judged class is relevant. Equal training sentences are one, and sentences without a word are left out.
    recall@10 is not measured: thousands are relevant. Raises InvalidInput when a file is missing or is another one.
    """
    train, test = (json_lines(folder / f"ask_{part}.jsonl", ("text", "asks_for_action")) for part in ("train", "test"))
    known: dict[str | None, Known] = {}
    for line in train:
        if has_words(line["text"]):
            item = Episode(id=neutral_id("mail", line["text"]), task=line["text"], outcome=Outcome.SUCCESS)
            known.setdefault(item.id, Known(item, _judged(line)))
    asks = tuple(
        Ask(neutral_id("asked", number), line["text"], frozenset({_judged(line)}))
        for number, line in enumerate(test)
        if has_words(line["text"])
    )
    metrics = ("ndcg@10", "mrr", "precision@3", "success@1")
    return DataSet("email_intent", (Stage(tuple(known.values()), asks),), metrics=metrics)


def _judged(line: Line) -> str:
    return "asks" if line["asks_for_action"] else "tells"
