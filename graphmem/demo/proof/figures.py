"""The figures of a proof, with bootstrap intervals, and their JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from graphmem.demo.proof.draws import GRAPHMEM, LIST, Size, after, meaning
from graphmem.demo.proof.life import CORRECTED, FIRST, OWN, Round
from graphmem.demo.proof.played import Played
from graphmem.demo.proof.proof import Proof
from graphmem.measure.bootstrap import Estimate, mean_interval


@dataclass(frozen=True, slots=True)
class Scores:
    """Of some runs, in points: the mean best and the mean final score with their intervals, and how many were lost."""

    best: Estimate
    final: Estimate
    lost: int


@dataclass(frozen=True, slots=True)
class Paired:
    """How much better one condition was than another on the same variations: the mean difference of best scores."""

    condition: str
    than: str
    best: Estimate


def scores(runs: Sequence[Played], seed: int) -> Scores:
    """The scores of runs; the same seed gives the same intervals."""
    best = mean_interval([float(run.best) for run in runs], seed)
    return Scores(best, mean_interval([float(run.final) for run in runs], seed), sum(run.lost for run in runs))


def steps(proof: Proof, rounds: int, seed: int) -> list[Paired]:
    """graphmem against the list, and each round against the one before it and against none."""
    names = [GRAPHMEM, *(after(number) for number in range(1, rounds + 1))]
    pairs = [(GRAPHMEM, LIST), *zip(names[1:], names, strict=False)]
    if rounds > 1:
        pairs.append((names[-1], GRAPHMEM))
    return [Paired(one, other, _difference(proof.of(one), proof.of(other), seed)) for one, other in pairs]


def retries(proof: Proof, seed: int) -> Mapping[str, Scores]:
    """The same training variations, again and again with more of the agent's own experience."""
    first = next((one for one in proof.rounds if one.retries), None)
    if first is None:
        return {}
    tried = {FIRST: first.lives} | {
        name: tuple(run for run in first.retries if run.condition == name) for name in (OWN, CORRECTED)
    }
    return {name: scores(runs, seed) for name, runs in tried.items()}


def by_task(proof: Proof, value: Callable[[Played], int]) -> Mapping[str, Mapping[str, float]]:
    """The mean of a value for each task under each condition."""
    names = list(dict.fromkeys(run.task for run in proof.runs))
    return {
        task: {
            condition: sum(value(run) for run in runs) / len(runs)
            for condition in proof.conditions()
            if (runs := [run for run in proof.of(condition) if run.task == task])
        }
        for task in names
    }


def to_json(proof: Proof, size: Size, seconds: float, agent: str) -> str:
    """Everything that was measured, down to each run."""
    content = {
        "protocol": {**asdict(size), "agent": agent, "seconds": round(seconds)},
        "conditions": {
            name: {"meaning": meaning(name), **asdict(scores(proof.of(name), size.seed))} for name in proof.conditions()
        },
        "paired": [asdict(one) for one in steps(proof, size.rounds, size.seed)],
        "recall": {name: asdict(found) for name, found in proof.recalled},
        "episodes": dict(proof.episodes),
        "rounds": [
            {
                "number": one.number,
                "lived": len(one.lives),
                "corrected": one.corrected,
                "lessons": one.lessons,
                "skills": one.skills,
                **asdict(scores(one.lives, size.seed)),
            }
            for one in proof.rounds
            if one.lives
        ],
        "retries": {name: asdict(found) for name, found in retries(proof, size.seed).items()},
        "tasks": {
            "best": by_task(proof, lambda run: run.best),
            "final": by_task(proof, lambda run: run.final),
        },
        "runs": [asdict(run) for run in (*proof.runs, *_own(proof.rounds))],
    }
    return json.dumps(content, indent=1, allow_nan=False) + "\n"


def _own(rounds: Sequence[Round]) -> Iterator[Played]:
    """What was played in training: the lives of each round, then their retries."""
    for one in rounds:
        yield from (*one.lives, *one.retries)


def _difference(one: Sequence[Played], other: Sequence[Played], seed: int) -> Estimate:
    before = {run.job: run.best for run in other}
    return mean_interval([float(run.best - before[run.job]) for run in one if run.job in before], seed)
