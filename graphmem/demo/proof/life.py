"""A round of the agent's own life: training episodes lived, recorded, corrected where they failed, consolidated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphmem.agent.agent import Attempt
from graphmem.demo.play import Job
from graphmem.demo.proof.bench import Bench
from graphmem.demo.proof.played import Played, judged
from graphmem.demo.proof.players import of
from graphmem.demo.scienceworld import ScienceWorld, Simulator
from graphmem.demo.teacher import recorded_life
from graphmem.models import Episode, Outcome

FIRST, OWN, CORRECTED = "first try", "with its own experience", "and the correction"


@dataclass(frozen=True, slots=True)
class Life:
    """A training episode: the attempt, and the episode that is recorded of it."""

    attempt: Attempt
    lived: Episode
    played: Played


@dataclass(frozen=True, slots=True)
class Round:
    """What a round brought: its episodes, how often they were corrected, and what consolidation made of it.

    `retries` are the same variations played again, once with the own experience and once with the corrections, too.
    """

    number: int
    lives: tuple[Played, ...]
    corrected: int
    lessons: int
    skills: int
    retries: tuple[Played, ...] = ()


def live(bench: Bench, number: int, again: bool) -> Round:
    """Live the round of that number (from 1 on); `again` plays its variations once more, for a table of their own."""
    jobs = [(one.task, variation) for one in bench.draws for variation in one.rounds[number - 1]]
    lives = _lived(bench, jobs, FIRST)
    agent = bench.agent()
    # Learnt afterwards and in order, so that no life depends on which other one ended first.
    for one in lives:
        agent.learn(one.attempt, one.lived)
        bench.known.append(one.lived)
    retries = [one.played for one in _lived(bench, jobs, OWN)] if again else []
    failed = [one for one in lives if one.lived.outcome is not Outcome.SUCCESS]
    golds = bench.shown([one.played.job for one in failed], "correction")
    for one, gold in zip(failed, golds, strict=True):
        bench.memory.record(gold)
        reason = f"the same task done right: {gold.outcome_evidence}"
        bench.memory.correct(wrong=str(one.lived.id), right=str(gold.id), reason=reason, context=one.attempt.task)
        bench.known.append(gold)
    retries += [one.played for one in _lived(bench, jobs, CORRECTED)] if again else []
    made = bench.memory.consolidate()
    return Round(number, tuple(one.played for one in lives), len(failed), made.lessons, made.skills, tuple(retries))


def _lived(bench: Bench, jobs: Sequence[Job], name: str) -> list[Life]:
    agent = bench.agent()

    def run(simulator: Simulator, job: Job) -> Life:
        world = ScienceWorld(simulator, *job, bench.size.actions)
        attempt = agent.solve(world)
        return Life(attempt, recorded_life(*job, attempt, world), judged(name, job, world, of(attempt)))

    found: dict[Job, Life] = {}
    for job, life in bench.pool.map(run, jobs):
        found[job] = life
        bench.tell(f"{name}: {job[0]} {job[1]}: {life.played.best}, {life.lived.outcome}")
    return [found[job] for job in jobs]
