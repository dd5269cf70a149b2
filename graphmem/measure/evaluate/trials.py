"""Whether S knows which lessons help: the runs of Reflexion are lived through again, each outcome told as feedback.

The primary figure was chosen for what it means, not for what it came to: an attempt has one outcome, so it counts once,
and the first lesson is what an agent reads first. ``attempts_auroc`` is how well the score of the best lesson recalled
for an attempt predicts that it succeeds. ``pairs_auroc`` takes every recalled lesson with the outcome of its
attempt, which repeats that outcome up to ten times. S, the cosine alone and the outcome component alone score the same
recalled lessons. Intervals are over environments or questions, which are resampled as wholes with all their attempts
(the cluster bootstrap: Davison and Hinkley 1997, section 3.8). ``…_gain`` is S less cosine on the same resamples.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from graphmem.measure.bootstrap import Estimate, interval, mean_interval
from graphmem.measure.evaluate.attempts import Attempt, Play, environments, questions
from graphmem.measure.evaluate.data import Known
from graphmem.measure.evaluate.report import FITTED, PRODUCT, Report
from graphmem.measure.evaluate.run import Bench, Say
from graphmem.measure.evaluate.systems import BATCH, LIMIT, Once, Product
from graphmem.measure.ranking import auroc
from graphmem.measure.weights import DEEP, Comparison, fit_weights, score
from graphmem.models import Kind, Reflection, Status
from graphmem.recall import Components, Recall, Request
from graphmem.settings import Weights

if TYPE_CHECKING:
    from graphmem.memory import Memory

TRIALS = "reflexion_trials"
COSINE, OUTCOME = "cosine", "outcome"
EARLIER = 2 / 3  # the share of the successes that weights are fitted on

Score = Callable[[Components], float]


@dataclass(frozen=True, slots=True)
class Asked:
    """An attempt, and the components of the lessons that were recalled for it (at least one), the best S first."""

    attempt: Attempt
    recalled: tuple[Components, ...]


def read_trials(data: Path) -> list[Play]:
    """The runs of all three benchmarks, below `data`. Raises InvalidInput when a file is missing or is another one."""
    folder = data / "reflexion"
    return [
        environments(f"{TRIALS}_alfworld", folder / "alfworld.jsonl"),
        questions(f"{TRIALS}_hotpotqa", folder / "hotpotqa.jsonl"),
        environments(f"{TRIALS}_webshop", folder / "webshop.jsonl"),
    ]


def trials(play: Play, bench: Bench, say: Say) -> Report:
    """Live through the runs in a tenant of their name, then measure, consolidate, and say what was promoted."""
    start = time.perf_counter()
    with bench.client(play.name, settings=bench.settings, embedder=Once(bench.model)) as memory:
        asked = live(play, memory, say)
        say("consolidating")
        promotion, told = promoted(memory)
    weights = bench.settings.recall.weights
    systems = {name: dict(found) for name, found in predicted(asked, weights, bench.seed).items()}
    later, reason = refitted(asked, weights, bench.seed)
    for name, found in later.items():
        systems.setdefault(name, {}).update(found)
    systems[PRODUCT] |= promotion
    for name, reflecting in (("runs_with_lessons", True), ("runs_without_lessons", False)):
        ends = [run for run in play.runs if run.reflecting is reflecting]
        solved = [float(place < run.solved) for run in ends for place in range(run.tasks)]
        systems[name] = {"solved": mean_interval(solved, bench.seed)}
    runs = [f"{run.name}: {run.solved} of {run.tasks} solved" for run in play.runs]
    notes = (*runs, f"weights fitted to the earlier trials: {reason}", *told)
    for note in notes:
        say(note)
    known = len({lesson.id for one in play.attempts for lesson in one.written})
    episodes = len({one.episode.id for one in play.attempts})
    return Report(play.name, known + episodes, len(asked), time.perf_counter() - start, systems, notes=notes)


def live(play: Play, memory: Memory, say: Say) -> list[Asked]:
    """Live through the trials, and return what was recalled before each attempt that held lessons.

    All questions of a trial come first; then each outcome is told as feedback on all lessons that its attempt held, and
    the attempts and the lessons written after them are recorded. A lesson that is written again later is known already.
    The best ten by S are recalled. Where the question is itself a lesson it is not among them, as it would be an
    answer to itself with cosine 1, whatever it is worth; it is credited like the others.
    """
    product, known, asked = Product(memory), set[str](), list[Asked]()
    for trial in sorted({one.trial for one in play.attempts}):
        now = [one for one in play.attempts if one.trial == trial]
        asking = [one for one in now if one.question]
        say(f"trial {trial}: {len(now)} attempts, {len(asking)} of them hold lessons")
        answers = _recall(memory, asking)
        for one, answer in zip(asking, answers, strict=True):
            found = tuple(c.components for c in answer.candidates if c.id != one.itself)[:LIMIT]
            if found:
                asked.append(Asked(one, found))
        for one, answer in zip(asking, answers, strict=True):
            outcome = one.episode.outcome.value
            memory.feedback(answer, outcome=outcome, used=[lesson.id for lesson in one.held])
        episodes = {one.episode.id: one for one in now}
        product.learn([Known(one.episode, one.task) for one in episodes.values()])
        product.learn([Known(lesson, "") for lesson in _new(episodes.values(), known)])
    return asked


def predicted(asked: Sequence[Asked], weights: Weights, seed: int) -> Mapping[str, Mapping[str, Estimate]]:
    """AUROC of S, of cosine and of outcome, over attempts and over pairs, and what S gains on cosine."""
    scores = _scores(weights)
    found: dict[str, dict[str, Estimate]] = {
        name: {f"{unit}_auroc": _auroc(asked, seed, unit, own) for unit in ("attempts", "pairs")}
        for name, own in scores.items()
    }
    for unit in ("attempts", "pairs"):
        found[PRODUCT][f"{unit}_auroc_gain"] = _auroc(asked, seed, unit, scores[PRODUCT], scores[COSINE])
    return found


def refitted(asked: Sequence[Asked], defaults: Weights, seed: int) -> tuple[Mapping[str, Mapping[str, Estimate]], str]:
    """``later_attempts_auroc`` of every system on the last trials, and what came of fitting weights to the others.

    The earlier trials are the first ones with two thirds of the successes. Each success is compared with three failures
    among them, drawn, by the best lesson recalled for each. graphmem_fitted is there when the weights are accepted.
    """
    won = sorted(one.attempt.trial for one in asked if one.attempt.succeeded)
    if len(won) < 2:
        return {}, f"{len(won)} attempts succeeded"
    border = won[int(EARLIER * (len(won) - 1))]
    earlier = [one for one in asked if one.attempt.trial <= border]
    later = [one for one in asked if one.attempt.trial > border]
    lost = [one.recalled[0] for one in earlier if not one.attempt.succeeded]
    random = Random(seed)  # noqa: S311 - a draw that can be repeated
    comparisons = [
        Comparison(
            id=one.attempt.episode.id, right=one.recalled[:1], wrong=tuple(random.sample(lost, min(DEEP, len(lost))))
        )
        for one in earlier
        if one.attempt.succeeded
    ]
    trial = fit_weights(comparisons, defaults, defaults)
    scores = _scores(defaults)
    if trial.weights is not None:
        fitted = trial.weights
        scores[FITTED] = lambda components: score(components, fitted)
    return {
        name: {"later_attempts_auroc": _auroc(later, seed, "attempts", own)} for name, own in scores.items()
    }, trial.reason


def promoted(memory: Memory) -> tuple[Mapping[str, Estimate], tuple[str, ...]]:
    """Consolidate, and count the skills that came of it and those promoted; in words, why each was."""
    done = memory.consolidate()
    skills = memory.list(kind=Kind.SKILL, limit=1000)
    active = sum(one.status is Status.ACTIVE for one in skills)
    told = [f"{one.change}: {one.reason}" for one in done.decided]
    summary = (
        f"consolidated {done.episodes} attempts: {done.lessons} new lessons, {done.grouped} grouped, {done.skills} "
        f"skills, {active} promoted"
    )
    counts = {"skills": len(skills), "skills_promoted": active}
    return {name: Estimate(float(n), float(n), float(n), done.episodes) for name, n in counts.items()}, (summary, *told)


def _recall(memory: Memory, asking: Sequence[Attempt]) -> list[Recall]:
    requests = [Request(text=one.question, kind=Kind.REFLECTION, limit=LIMIT + 1) for one in asking]
    return [
        answer
        for start in range(0, len(requests), BATCH)
        for answer in memory.recall_many(requests[start : start + BATCH])
    ]


def _new(attempts: Iterable[Attempt], known: set[str]) -> list[Reflection]:
    """The lessons that no trial wrote before, each with the attempts after which it was written."""
    sources, texts = defaultdict[str, list[str]](list), dict[str, str]()
    for one in attempts:
        for lesson in one.written:
            if lesson.id not in known:
                texts[lesson.id] = lesson.text
                sources[lesson.id].append(str(one.episode.id))
    known.update(texts)
    return [Reflection(id=id_, insight=text, sources=tuple(sources[id_])) for id_, text in texts.items()]


def _scores(weights: Weights) -> dict[str, Score]:
    return {
        PRODUCT: lambda components: score(components, weights),
        COSINE: lambda components: components.semantic,
        OUTCOME: lambda components: components.outcome,
    }


def _auroc(asked: Sequence[Asked], seed: int, unit: str, own: Score, less: Score | None = None) -> Estimate:
    """AUROC of a score, less that of another; `unit` is "attempts" (the best recalled) or "pairs" (each recalled)."""
    tasks = defaultdict[str, list[tuple[bool, tuple[float, ...], tuple[float, ...]]]](list)
    for one in asked:
        columns = [tuple(map(by, one.recalled)) for by in (own, less or own)]
        mine, other = [(max(column),) for column in columns] if unit == "attempts" else columns
        tasks[one.attempt.task].append((one.attempt.succeeded, mine, other))
    clusters = list(tasks.values())

    def statistic(drawn: Sequence[int]) -> float:
        rows = [row for place in drawn for row in clusters[place]]
        value = _of((good, mine) for good, mine, _ in rows)
        return value if less is None else value - _of((good, other) for good, _, other in rows)

    n = sum(len(mine) for cluster in clusters for _, mine, _ in cluster)
    return replace(interval(len(clusters), statistic, seed), n=n)


def _of(rows: Iterable[tuple[bool, tuple[float, ...]]]) -> float:
    sides: tuple[list[float], list[float]] = ([], [])
    for good, scores in rows:
        sides[not good].extend(scores)
    return auroc(*sides)
