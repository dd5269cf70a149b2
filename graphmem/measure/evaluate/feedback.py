"""What one word of feedback does: the memory that misled does not come back there, and stays where it fits."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random
from statistics import fmean

from graphmem.measure.bootstrap import Estimate, interval, mean_interval
from graphmem.measure.evaluate.data import Ask, DataSet
from graphmem.measure.evaluate.judge import Judged
from graphmem.measure.evaluate.systems import Product

CASES = 150  # false hits that are tried, at most
TOP = 3


@dataclass(frozen=True, slots=True)
class Case:
    """One false hit: how often the memory was among the first three for paraphrases of the question, `before` and
    `after` it was blamed, and `both` times for the same one; for how many questions that it fits it was there before,
    and how many of these kept it. `seconds` is the time from the feedback to the first recall without it, None when it
    still came.
    """

    paraphrases: int
    before: int
    after: int
    both: int
    fitting: int
    kept: int
    seconds: float | None


def cases(
    data: DataSet, product: Product, judged: Sequence[Judged], seed: int, step: Callable[[], object]
) -> list[Case]:
    """Try feedback on false hits, one after the other; each word is taken back before the next.

    A false hit is a question in scope whose first memory is not relevant. Paraphrases are the other questions of its
    group, and the questions that the memory fits are those of its own group.
    """
    group = {one.id: one.group for stage in data.stages for one in stage.known}
    false = [one for one in judged if one.ask.groups and one.wrong and one.ranked.ids]
    chosen = Random(seed).sample(false, min(CASES, len(false)))  # noqa: S311 - a draw that can be repeated
    wanted = {group[one.ranked.ids[0]] for one in chosen}.union(*(one.ask.groups for one in chosen))
    asked = [ask for ask in data.paraphrases if ask.groups & wanted]
    before = {ask.id: one.ids[:TOP] for ask, one in zip(asked, product.rank(asked), strict=True)}
    tried = []
    for one in chosen:
        tried.append(_try(product, one, group[one.ranked.ids[0]], asked, before))
        step()
    return tried


def _try(product: Product, one: Judged, own: str, asked: Sequence[Ask], before: dict[str, tuple[str, ...]]) -> Case:
    blamed, recall = one.ranked.ids[0], one.ranked.recall
    others = [ask for ask in asked if ask.groups & one.ask.groups and ask.id != one.ask.id]
    fitting = [
        ask for ask in asked if own in ask.groups and not ask.groups & one.ask.groups and blamed in before[ask.id]
    ]
    if recall is None:
        return Case(0, 0, 0, 0, 0, 0, None)
    start = time.perf_counter()
    product.memory.feedback(recall, outcome="fail", misled=[blamed], reason="its first memory did not fit")
    try:
        gone = blamed not in product.rank([one.ask])[0].ids[:TOP]
        seconds = time.perf_counter() - start
        again = product.rank([*others, *fitting])
    finally:
        product.memory.feedback(recall, outcome="fail", misled=[], reason="taken back")
    there = [blamed in before[ask.id] for ask in others]
    after = [blamed in ranked.ids[:TOP] for ranked in again]
    return Case(
        paraphrases=len(others),
        before=sum(there),
        after=sum(after[: len(others)]),
        both=sum(was and still for was, still in zip(there, after, strict=False)),
        fitting=len(fitting),
        kept=sum(after[len(others) :]),
        seconds=seconds if gone else None,
    )


def estimates(tried: Sequence[Case], seed: int) -> dict[str, Estimate]:
    """What came of the false hits that were tried; they are resampled as wholes.

    repeat_before_feedback and repeat_after_feedback are shares of all paraphrases, repeat_where_before is the share of
    those that had the memory before and have it still; kept_after_feedback is the share of the questions that it fits.
    corrected_at_once is a share of false hits, time_to_correction in seconds.
    """
    if not tried:
        return {}
    seconds = [case.seconds for case in tried if case.seconds is not None]
    return {
        "repeat_before_feedback": _share(tried, lambda case: (case.before, case.paraphrases), seed),
        "repeat_after_feedback": _share(tried, lambda case: (case.after, case.paraphrases), seed),
        "repeat_where_before": _share(tried, lambda case: (case.both, case.before), seed),
        "kept_after_feedback": _share(tried, lambda case: (case.kept, case.fitting), seed),
        "corrected_at_once": mean_interval([float(case.seconds is not None) for case in tried], seed),
        "time_to_correction": interval(len(seconds), lambda drawn: fmean(seconds[place] for place in drawn), seed),
    }


def _share(tried: Sequence[Case], counts: Callable[[Case], tuple[int, int]], seed: int) -> Estimate:
    pairs = [counts(case) for case in tried]

    def ratio(drawn: Sequence[int]) -> float:
        whole = sum(pairs[place][1] for place in drawn)
        return sum(pairs[place][0] for place in drawn) / whole if whole else float("nan")

    return replace(interval(len(pairs), ratio, seed), n=sum(whole for _, whole in pairs))
