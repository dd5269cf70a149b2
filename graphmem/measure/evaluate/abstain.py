"""Knowing when not to answer: novelty, and false hits held at a target, on other questions than calibrated on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from random import Random
from statistics import fmean

from graphmem.errors import InvalidInput
from graphmem.measure.bootstrap import Estimate, interval
from graphmem.measure.conformal import Labelled, fit, threshold
from graphmem.measure.evaluate.judge import Judged
from graphmem.measure.ranking import Point, auroc, risk_coverage
from graphmem.recall import Evidence

TARGETS = (0.05, 0.10)
SPLITS = 20

Places = Sequence[int]


@dataclass(frozen=True, slots=True)
class Calibrated:
    """What a calibration gave: a confidence for every question, and from which one on a question is answered."""

    confidences: Sequence[float]
    threshold: float


Calibrator = Callable[[Places, float], Calibrated]
"""Calibrates on the questions at these places for a target; it may look at the answers of these places alone."""


def by_confidence(judged: Sequence[Judged]) -> Calibrator:
    """The calibration of a system that has one score: conformal risk control on its confidence as it is.

    The rule of graphmem on a scale of its own: what is less confident than all of the calibration is not answered.
    """
    confidences = [one.ranked.confidence for one in judged]

    def calibrate(places: Places, target: float) -> Calibrated:
        scored = [(confidences[place], not judged[place].wrong) for place in places]
        return Calibrated(confidences, threshold(scored, target))

    return calibrate


def by_parameters(judged: Sequence[Judged]) -> Calibrator:
    """The calibration of graphmem: what `calibrate` fits to labelled recalls, applied to all of them.

    Where it refuses, because there are too few, nothing is answered.
    """
    labelled = [_labelled(one) for one in judged]
    plain = [one.best for one in labelled]

    def calibrate(places: Places, target: float) -> Calibrated:
        try:
            made = fit([labelled[place] for place in places], target)
        except InvalidInput:
            return Calibrated(plain, inf)
        parts = made.agreement, made.contrast, made.reference
        return Calibrated([one.confidence(*parts) for one in labelled], made.threshold)

    return calibrate


def abstention(judged: Sequence[Judged], calibrator: Calibrator, seed: int) -> dict[str, Estimate]:
    """novelty_auroc, and coverage@t and false_hit@t for each target t.

    Over 20 random halvings: calibrated on one half, measured on the other. coverage is right answers per question that
    is in scope, false_hit false hits per question of all. A value is the mean over the splits; its interval comes from
    resampling questions, each with its mean over the splits in which it was measured.
    """
    halves = [_halves(len(judged), seed + split) for split in range(SPLITS)]
    inside = [bool(one.ask.groups) for one in judged]
    found = {}
    for target in TARGETS:
        made = [calibrator(fitted, target) for fitted, _ in halves]
        runs = [
            (held, [_answered(judged[p], given, p) for p in held])
            for given, (_, held) in zip(made, halves, strict=True)
        ]
        right = [
            (_only(held, inside), [a and not judged[p].wrong for p, a in zip(held, said, strict=True) if inside[p]])
            for held, said in runs
        ]
        false = [(held, [a and judged[p].wrong for p, a in zip(held, said, strict=True)]) for held, said in runs]
        found[f"coverage@{target:.2f}"] = _mean_over_splits(right, seed)
        found[f"false_hit@{target:.2f}"] = _mean_over_splits(false, seed)
        if target == TARGETS[0]:
            found["novelty_auroc"] = _novelty(made, halves, inside, seed)
    return found


def curve(judged: Sequence[Judged]) -> tuple[Point, ...]:
    """The risk-coverage curve of the confidence as it is: an answer out of scope is wrong."""
    return risk_coverage([one.ranked.confidence for one in judged], [one.wrong for one in judged])


def _labelled(one: Judged) -> Labelled:
    evidence = one.ranked.recall.evidence if one.ranked.recall else Evidence()
    return Labelled(
        id=one.ask.id,
        best=evidence.best,
        agreed=evidence.agreed,
        surroundings=evidence.surroundings,
        right=not one.wrong,
    )


def _halves(n: int, seed: int) -> tuple[Places, Places]:
    places = list(range(n))
    Random(seed).shuffle(places)  # noqa: S311 - a split that can be repeated, not a secret
    return places[: n // 2], places[n // 2 :]


def _answered(one: Judged, given: Calibrated, place: int) -> bool:
    return bool(one.ranked.ids) and given.confidences[place] >= given.threshold


def _only(held: Places, inside: Sequence[bool]) -> Places:
    return [p for p in held if inside[p]]


def _mean_over_splits(runs: Sequence[tuple[Places, Sequence[bool]]], seed: int) -> Estimate:
    seen: dict[int, list[float]] = {}
    for held, said in runs:
        for place, flag in zip(held, said, strict=True):
            seen.setdefault(place, []).append(float(flag))
    each = [fmean(flags) for flags in seen.values()]
    of = interval(len(each), lambda drawn: fmean(each[place] for place in drawn), seed)
    return Estimate(fmean(fmean(said) for _, said in runs), of.low, of.high, of.n)


def _novelty(
    made: Sequence[Calibrated], halves: Sequence[tuple[Places, Places]], inside: Sequence[bool], seed: int
) -> Estimate:
    """AUROC on each held half; the interval from resampled questions, with their mean confidence where held."""
    seen: dict[int, list[float]] = {}
    areas = []
    for given, (_, held) in zip(made, halves, strict=True):
        areas.append(_area(dict(enumerate(given.confidences)), held, inside))
        for place in held:
            seen.setdefault(place, []).append(given.confidences[place])
    mean = {place: fmean(scores) for place, scores in seen.items()}
    places = sorted(mean)
    of = interval(len(places), lambda drawn: _area(mean, [places[d] for d in drawn], inside), seed)
    return Estimate(fmean(areas), of.low, of.high, of.n)


def _area(confidence: Mapping[int, float], places: Places, inside: Sequence[bool]) -> float:
    return auroc([confidence[p] for p in places if inside[p]], [confidence[p] for p in places if not inside[p]])
