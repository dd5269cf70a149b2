"""Reflexion on HotpotQA: attempts at a hundred questions, by agents with and without lessons (Shinn et al. 2023)."""

from __future__ import annotations

import re
from pathlib import Path

from graphmem.measure.evaluate.data import Ask, DataSet, Known, Stage, neutral_id
from graphmem.measure.evaluate.read import Line, json_lines
from graphmem.models import Episode, Outcome

_FIELDS = ("source", "trial", "outcome", "question", "trajectory")
_LAST = re.compile(r"Thought \d+:\s*(.*?)\n(?:Observation \d+:|Correct answer:|\Z)", re.DOTALL)
_CORRECT = "CORRECT"


def load(folder: Path, seed: int) -> DataSet:
    """Read ``hotpotqa.jsonl`` of `folder`: both agents side by side, in the order of trial; nothing is drawn.

    Each attempt is an Episode: the question is its task, its last thought and action are its summary, CORRECT is
    success and INCORRECT or HALTED failure. A question that an agent has solved is listed again in its later trials,
    and is not attempted again; an attempt that repeats an earlier one of the same agent word for word is the same.
    Before each trial every question that an agent still has to solve is asked, once: attempts at the same question are
    relevant, better when they were correct. Raises InvalidInput when the file is missing or is another one.
    """
    lines = json_lines(folder / "hotpotqa.jsonl", _FIELDS)
    solved: set[tuple[str, str]] = set()
    seen: set[tuple[str, str, str]] = set()
    new: list[Known] = []
    stages: list[Stage] = []
    for trial in sorted({line["trial"] for line in lines}):
        attempted = [line for line in lines if line["trial"] == trial]
        open_now = [line for line in attempted if (line["source"], line["question"]) not in solved]
        questions = dict.fromkeys(line["question"] for line in open_now) if stages else {}
        asks = tuple(Ask(neutral_id(trial, text), text, frozenset({text})) for text in questions)
        stages.append(Stage(tuple(new), asks))
        new = []
        for line in open_now:
            words = (line["source"], line["question"], line["trajectory"])
            if words not in seen:
                seen.add(words)
                new.append(Known(_episode(line), line["question"], better=line["outcome"] == _CORRECT))
            if line["outcome"] == _CORRECT:
                solved.add((line["source"], line["question"]))
    return DataSet("reflexion_hotpotqa", tuple(stages), graded=True)


def _episode(line: Line) -> Episode:
    thoughts = _LAST.findall(line["trajectory"])
    return Episode(
        id=neutral_id("hotpotqa", line["source"], line["question"], line["trial"]),
        source_ref=f"{line['source']}, trial {line['trial']}",
        task=line["question"],
        summary=thoughts[-1] if thoughts else "",
        outcome=Outcome.SUCCESS if line["outcome"] == _CORRECT else Outcome.FAIL,
        outcome_evidence=f"the benchmark judged it {line['outcome']}",
    )
