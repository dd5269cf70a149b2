"""What each component of the score is worth, and what another limit would bring."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from graphmem.fields import DEFAULT_LIMIT
from graphmem.measure.bootstrap import Estimate, interval, mean_interval
from graphmem.measure.evaluate.data import Ask, DataSet
from graphmem.measure.evaluate.fitted import candidates, reordered
from graphmem.measure.evaluate.judge import Judged, difference, values
from graphmem.measure.evaluate.systems import LIMIT
from graphmem.recall import Request
from graphmem.settings import Weights

if TYPE_CHECKING:
    from graphmem.memory import Memory

LIMITS = (1, 3, 5, 10)
TIMED = 50
VARIED = 0.001  # less is the clock while the memories were recorded, which recency sees


@dataclass(frozen=True, slots=True)
class Ablated:
    """What a metric loses when the weight of one component is 0: mean of (with − without), above 0 when it helps.

    None when the component was not exercised: it was the same for all candidates of each question.
    """

    component: str
    metric: str
    loss: Estimate | None


@dataclass(frozen=True, slots=True)
class Limited:
    """What a limit brings: the share of relevant memories among the hits, the share of the hits that is wrong, and the
    paired gains of both over the default limit. `better` says that recall gains and false hits do not.
    """

    limit: int
    recall: Estimate
    wrong: Estimate
    recall_gain: Estimate
    wrong_gain: Estimate

    @property
    def better(self) -> bool:
        """Whether recall is surely higher than at the default limit, and the share of wrong hits is not."""
        return self.recall_gain.low > 0 and self.wrong_gain.value <= 0


def ablate(data: DataSet, judged: Sequence[Judged], weights: Weights, seed: int) -> list[Ablated]:
    """Order the candidates of every recall again without each component that differs among them, and measure both."""
    full = values(data, [reordered(one, weights) for one in judged])
    found = []
    for component in Weights.model_fields:
        if not any(_varies(one, component) for one in judged):
            found += [Ablated(component, name, None) for name in data.metrics]
            continue
        lighter = weights.model_copy(update={component: 0.0})
        without = values(data, [reordered(one, lighter) for one in judged])
        found += [Ablated(component, name, difference(full[name], without[name], seed)) for name in data.metrics]
    return found


def limits(judged: Sequence[Judged], seed: int) -> list[Limited]:
    """Cut the hits of every recall at each limit from 1 to 10; questions without a relevant memory count as wrong."""
    found = {limit: _at(judged, limit) for limit in range(1, LIMIT + 1)}
    recalls, wrongs = found[DEFAULT_LIMIT]
    return [
        Limited(
            limit,
            mean_interval(recall, seed),
            mean_interval(wrong, seed),
            difference(recall, recalls, seed),
            difference(wrong, wrongs, seed),
        )
        for limit, (recall, wrong) in found.items()
    ]


def latencies(memory: Memory, asks: Sequence[Ask], seed: int) -> dict[str, Estimate]:
    """latency_ms@limit for each of the limits: the median of single recalls in milliseconds, embedding included."""
    taken: Mapping[int, list[float]] = {limit: [] for limit in LIMITS}
    for number, ask in enumerate(asks[: TIMED + 5]):
        for limit in LIMITS:
            start = time.perf_counter()
            memory.recall_many([Request(text=ask.text, limit=limit)])
            if number >= 5:  # the first ones warm up
                taken[limit].append((time.perf_counter() - start) * 1000)
    return {
        f"latency_ms@{limit}": interval(len(ms), lambda drawn, ms=ms: median(ms[place] for place in drawn), seed)  # type: ignore[misc]
        for limit, ms in taken.items()
    }


def _varies(one: Judged, component: str) -> bool:
    seen = [float(getattr(candidate.components, component)) for candidate in candidates(one)]
    return bool(seen) and max(seen) - min(seen) > VARIED


def _at(judged: Sequence[Judged], limit: int) -> tuple[list[float], list[float]]:
    recalls, wrongs = [], []
    for one in judged:
        hits = one.ranked.recall.hits if one.ranked.recall else ()
        grades = [one.bar.grade(hit.id) for hit in hits if hit.id not in one.ask.excluded][:limit]
        if one.bar.relevant:
            recalls.append(sum(grade > 0 for grade in grades) / len(one.bar.relevant))
        wrongs.append(sum(grade == 0 for grade in grades) / len(grades) if grades else 0.0)
    return recalls, wrongs
