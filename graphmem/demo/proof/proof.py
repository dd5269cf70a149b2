"""All conditions, one after the other, in one run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from graphmem.demo.play import Job
from graphmem.demo.proof import draws
from graphmem.demo.proof.bench import Bench
from graphmem.demo.proof.life import Round, live
from graphmem.demo.proof.played import Hits, Played, hits, kinds
from graphmem.demo.proof.players import Listed, remembering
from graphmem.demo.teacher import nearest
from graphmem.embed import Embedder
from graphmem.models import Episode


@dataclass(frozen=True, slots=True)
class Proof:
    """What came out: the runs of every condition, in order, the rounds lived, and how recall did in each."""

    runs: tuple[Played, ...]
    rounds: tuple[Round, ...]
    recalled: tuple[tuple[str, Hits], ...]
    episodes: tuple[tuple[str, int], ...]

    def of(self, condition: str) -> list[Played]:
        """The runs of a condition."""
        return [run for run in self.runs if run.condition == condition]

    def conditions(self) -> list[str]:
        """The conditions that were played, in their order."""
        return list(dict.fromkeys(run.condition for run in self.runs))


def prove(bench: Bench, embedder: Embedder) -> Proof:
    """Record the demonstrations, then play every condition, with the rounds of its own life between."""
    shown = bench.shown([(one.task, v) for one in bench.draws for v in one.demonstrations], "shown")
    for episode in shown:
        bench.memory.record(episode)
    bench.known += shown
    runs = bench.play(draws.EMPTY, remembering(bench.agent(bench.nothing)))
    runs += replays(bench, shown)
    listed = Listed(shown, embedder, bench.size.actions)
    runs += bench.play(draws.LIST, listed.solve)
    runs += bench.play(draws.GRAPHMEM, remembering(bench.agent()))
    rounds, episodes = [], [(draws.EMPTY, 0), (draws.GRAPHMEM, len(shown))]
    for number in range(1, bench.size.rounds + 1):
        rounds.append(live(bench, number, again=number == 1))
        runs += bench.play(draws.after(number), remembering(bench.agent()))
        episodes.append((draws.after(number), len(bench.known)))
    of = kinds(bench.known)
    empty = [run for run in runs if run.condition == draws.EMPTY]
    recalled = [(name, hits([run for run in runs if run.condition == name], empty, of)) for name, _ in episodes]
    return Proof(tuple(runs), tuple(rounds), tuple(recalled), tuple(episodes))


def replays(bench: Bench, shown: Sequence[Episode]) -> list[Played]:
    """Play the tests by demonstrations as they are: those of the same task, the nearest one, any of them."""

    def any_of(job: Job, _: str) -> list[Episode]:
        return [Random(f"{bench.size.seed}:{job}").choice(shown)]  # noqa: S311 - a reproducible draw

    def near(_: Job, task: str) -> list[Episode]:
        return [nearest(bench.memory, task)]

    def same(job: Job, _: str) -> list[Episode]:
        return [one for one in shown if one.metadata["task"] == job[0]]

    return [
        *bench.replay(draws.ORACLE, same),
        *bench.replay(draws.NEAREST, near),
        *bench.replay(draws.RANDOM, any_of),
    ]
