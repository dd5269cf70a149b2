"""The runs of Reflexion as attempts in order of trial, with the lessons held and written (Shinn et al. 2023)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from graphmem.errors import InvalidInput
from graphmem.measure.evaluate.data import neutral_id
from graphmem.measure.evaluate.read import Line, json_lines
from graphmem.models import Episode, Outcome, Step
from graphmem.text import has_words

_ENVIRONMENTS = ("run", "env", "trial", "success", "memory_in", "new_reflection")
_QUESTIONS = ("source", "trial", "outcome", "question", "reflections", "trajectory")
_ACTION = re.compile(r"^Action \d+:\s*(\S.*)$", re.MULTILINE)
_BASE = re.compile(r"(^|/)base([_/]|$)")  # runs whose agents were not shown the lessons that the files may list
_CORRECT = "CORRECT"


@dataclass(frozen=True, slots=True)
class Lesson:
    """A reflection: the same words are the same lesson, whoever writes them."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt at a `task` (environment or question), with the lessons `held` (oldest first) and `written` after it.

    `question` is what is known of the task before: what to recall for it, empty when no lesson is held. `itself` is the
    id of the lesson that is this question, if one is.
    """

    task: str
    trial: int
    episode: Episode
    held: tuple[Lesson, ...]
    written: tuple[Lesson, ...]
    question: str = ""
    itself: str = ""

    @property
    def succeeded(self) -> bool:
        """Whether it succeeded."""
        return self.episode.outcome is Outcome.SUCCESS


@dataclass(frozen=True, slots=True)
class Run:
    """How many of its tasks a run had solved in the end, `reflecting` on failures or only trying again."""

    name: str
    reflecting: bool
    solved: int
    tasks: int


@dataclass(frozen=True, slots=True)
class Play:
    """The attempts of agents that were shown lessons, in order of trial, and all runs that tried more than once."""

    name: str
    attempts: tuple[Attempt, ...]
    runs: tuple[Run, ...]


def environments(name: str, path: Path) -> Play:
    """Read ``alfworld.jsonl`` or ``webshop.jsonl``.

    The files describe an environment nowhere but in the lessons, so the newest lesson that an attempt holds is its
    question. First attempts that two runs list alike, with the same lesson written, are one: the authors began several
    runs with the same first trial. Runs called base list lessons too, but their agents were not shown them: they are
    not played. Raises InvalidInput when the file is missing or is another one.
    """
    lines = sorted(json_lines(path, _ENVIRONMENTS), key=lambda line: int(line["trial"]))
    attempts, written = [], defaultdict[tuple[str, str], set[str]](set)
    for line in lines:
        if _BASE.search(line["run"]):
            continue
        known = written[line["run"], line["env"]]
        held = lessons(name, line["memory_in"])
        where = f"{line['run']}, {line['env']}, trial {line['trial']}"
        if not {one.text for one in held} <= known:
            raise InvalidInput(f"{path}: {where} holds a lesson that no trial wrote; take all lines of a run")
        new = lessons(name, line["new_reflection"])
        known.update(one.text for one in new)
        shared = [line["success"], *(one.text for one in new)]
        own = [line["run"]] if held else shared
        episode = Episode(
            id=neutral_id(name, line["env"], line["trial"], *own),
            task=f"environment {line['env']}",
            outcome=Outcome.SUCCESS if line["success"] else Outcome.FAIL,
            outcome_evidence="the environment said so",
            source_ref=where,
        )
        newest = held[-1] if held else Lesson("", "")
        attempts.append(Attempt(line["env"], line["trial"], episode, held, new, newest.text, newest.id))
    ends = ((line["run"], line["env"], line["trial"], bool(line["success"])) for line in lines)
    return Play(name, tuple(attempts), _runs(ends))


def questions(name: str, path: Path) -> Play:
    """Read ``hotpotqa.jsonl``; an attempt is asked for by its question.

    A question that an agent has solved is listed again in its later trials and is not attempted again; an attempt that
    repeats an earlier one of the same agent word for word is the same. A lesson was written after the attempt before
    the one that holds it first. Raises InvalidInput when the file is missing or is another one.
    """
    lines = sorted(json_lines(path, _QUESTIONS), key=lambda line: int(line["trial"]))
    tasks = defaultdict[tuple[str, str], list[Line]](list)
    for line in lines:
        if _BASE.search(line["source"]):
            continue
        earlier = tasks[line["source"], line["question"]]
        if not any(one["outcome"] == _CORRECT or one["trajectory"] == line["trajectory"] for one in earlier):
            earlier.append(line)
    attempts = []
    for (_, question), own in tasks.items():
        for line, after in zip(own, [*own[1:], None], strict=True):
            held = lessons(name, line["reflections"])
            later = lessons(name, after["reflections"]) if after else ()
            new = tuple(one for one in later if one not in held)
            asked = question if held else ""
            attempts.append(Attempt(question, line["trial"], _answered(name, line), held, new, asked))
    ends = ((line["source"], line["question"], line["trial"], line["outcome"] == _CORRECT) for line in lines)
    return Play(name, tuple(sorted(attempts, key=lambda one: one.trial)), _runs(ends))


def lessons(name: str, texts: Sequence[str]) -> tuple[Lesson, ...]:
    """The distinct lessons with words, in the order in which each was told last."""
    latest = dict.fromkeys(text.strip() for text in reversed(texts) if has_words(text))
    return tuple(Lesson(neutral_id(name, text), text) for text in reversed(latest))


def _answered(name: str, line: Line) -> Episode:
    return Episode(
        id=neutral_id(name, line["source"], line["question"], line["trial"]),
        task=line["question"],
        trajectory=tuple(Step(action=action) for action in _ACTION.findall(line["trajectory"])),
        outcome=Outcome.SUCCESS if line["outcome"] == _CORRECT else Outcome.FAIL,
        outcome_evidence=f"the benchmark judged it {line['outcome']}",
        source_ref=f"{line['source']}, trial {line['trial']}",
    )


def _runs(ends: Iterable[tuple[str, str, int, bool]]) -> tuple[Run, ...]:
    """Of runs with more than one trial: others had no second attempt to do better."""
    solved = defaultdict[str, dict[str, bool]](dict)
    trials = defaultdict[str, set[int]](set)
    for run, task, trial, success in ends:
        solved[run][task] = solved[run].get(task, False) or success
        trials[run].add(trial)
    return tuple(
        Run(run, not _BASE.search(run), sum(tasks.values()), len(tasks))
        for run, tasks in sorted(solved.items())
        if len(trials[run]) > 1
    )
