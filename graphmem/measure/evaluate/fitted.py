"""graphmem with weights that were fitted to judged recalls: always on others than those that it is measured on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from graphmem.measure.evaluate.judge import Judged
from graphmem.measure.evaluate.systems import DEPTH
from graphmem.measure.weights import Comparison, fit_weights, score
from graphmem.recall import Candidate
from graphmem.settings import Weights


def fitted(judged: Sequence[Judged], defaults: Weights, seed: int) -> list[Judged]:
    """The same answers, ordered by the weights that the other half of the questions accepted (the defaults if none)."""
    places = list(range(len(judged)))
    Random(seed).shuffle(places)  # noqa: S311 - a split that can be repeated, not a secret
    halves = places[::2], places[1::2]
    ordered: dict[int, Judged] = {}
    for training, held in (halves, halves[::-1]):
        comparisons = [found for place in training if (found := _comparison(judged[place])) is not None]
        trial = fit_weights(comparisons, defaults, defaults)
        ordered |= {place: reordered(judged[place], trial.weights or defaults) for place in held}
    return [ordered[place] for place in range(len(judged))]


def reordered(one: Judged, weights: Weights) -> Judged:
    """An answer whose candidates are ordered by S with these weights, equal ones by id."""
    scored = sorted((-score(candidate.components, weights), candidate.id) for candidate in candidates(one))
    return replace(one, ranked=replace(one.ranked, ids=tuple(id_ for _, id_ in scored)[:DEPTH]))


def candidates(one: Judged) -> list[Candidate]:
    """The candidates of an answer of graphmem, without those that the question excludes."""
    return (
        [found for found in one.ranked.recall.candidates if found.id not in one.ask.excluded]
        if one.ranked.recall
        else []
    )


def _comparison(one: Judged) -> Comparison | None:
    """The best that was found beside all that was less good."""
    graded = [(one.bar.grade(candidate.id), candidate.components) for candidate in candidates(one)]
    best = max((grade for grade, _ in graded), default=0.0)
    if best == 0:
        return None
    right = tuple(components for grade, components in graded if grade == best)
    wrong = tuple(components for grade, components in graded if grade < best)
    return Comparison(id=one.ask.id, right=right, wrong=wrong)
