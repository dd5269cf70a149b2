"""tau-bench, airline: runs of a customer-service agent, each task tried several times (Yao et al. 2024)."""

from __future__ import annotations

from pathlib import Path

from graphmem.measure.evaluate.data import Ask, DataSet, Known, Stage, neutral_id
from graphmem.measure.evaluate.read import json_lines
from graphmem.models import Episode, Outcome, Step


def load(folder: Path, seed: int) -> DataSet:
    """Read ``airline_index.jsonl`` of `folder`; nothing is drawn, so the seed plays no part.

    Each run is an Episode: the customer's opening line is its task, the tools are its trajectory, reward 1 is success
    and anything less is failure. The hidden instruction of the simulated customer is not shown. Each opening line is
    asked with its own run left out: a run of the same task is relevant, and better when it was rewarded. Paraphrases
    are the openings of the same task. Raises InvalidInput when the file is missing or is another one.
    """
    lines = json_lines(folder / "airline_index.jsonl", ("task_id", "trial", "reward", "first_user", "tools"))
    known, asks = [], []
    for line in lines:
        run, task = neutral_id("tau", line["task_id"], line["trial"]), str(line["task_id"])
        rewarded = line["reward"] >= 1
        item = Episode(
            id=run,
            task=line["first_user"],
            source_ref=f"trial {line['trial']}",
            trajectory=tuple(Step(action=tool) for tool in line["tools"]),
            outcome=Outcome.SUCCESS if rewarded else Outcome.FAIL,
            outcome_evidence=f"reward {line['reward']} of the benchmark",
        )
        known.append(Known(item, task, better=rewarded))
        asks.append(Ask(run, line["first_user"], frozenset({task}), excluded=frozenset({run})))
    return DataSet("tau_bench", (Stage(tuple(known), tuple(asks)),), graded=True, paraphrases=tuple(asks))
