"""The figures of triage, with bootstrap intervals, and their JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from graphmem.agent.triage import Route
from graphmem.demo.mail import played
from graphmem.demo.mail.data import Mail
from graphmem.demo.mail.guards import Guarded
from graphmem.demo.mail.played import Choice, Played
from graphmem.measure.bootstrap import Estimate, interval, mean_interval

PAIRS = (
    (played.RECALLED, played.POLICY),
    (played.RECALLED, played.RANDOM),
    (played.RECALLED, played.RULES),
    (played.RULES_RECALLED, played.RULES),
    (played.RULES_RECALLED, played.RULES_RANDOM),
)


@dataclass(frozen=True, slots=True)
class Scored:
    """A condition: macro-F1 and the F1 of each route, by what its decisions were made, and how long one took (ms)."""

    macro_f1: Estimate
    f1: dict[str, float]
    by: dict[str, int]
    median_ms: float
    p95_ms: float


@dataclass(frozen=True, slots=True)
class Paired:
    """How much more macro-F1 one condition has than another on the same messages."""

    condition: str
    than: str
    gain: Estimate

    @property
    def clear(self) -> bool:
        """Whether the whole interval lies above 0."""
        return self.gain.low > 0


def f1(truth: Sequence[Route], made: Sequence[Route], route: Route) -> float:
    """F1 of one route, in [0, 1]; 0 where it is neither right nor chosen anywhere."""
    both = sum(right is route and chosen is route for right, chosen in zip(truth, made, strict=True))
    total = sum(one is route for one in truth) + sum(one is route for one in made)
    return 2 * both / total if total else 0.0


def macro_f1(truth: Sequence[Route], made: Sequence[Route]) -> float:
    """The mean F1 over the routes that are right somewhere, in [0, 1]."""
    routes = sorted(set(truth))
    return sum(f1(truth, made, route) for route in routes) / len(routes) if routes else 0.0


def scored(truth: Sequence[Route], choices: Sequence[Choice], seed: int) -> Scored:
    """The figures of one condition; the same seed gives the same interval."""
    made = [one.route for one in choices]
    times = sorted(1000 * one.seconds for one in choices)
    return Scored(
        interval(len(made), lambda at: macro_f1([truth[n] for n in at], [made[n] for n in at]), seed),
        {route.value: f1(truth, made, route) for route in sorted(set(truth))},
        dict(Counter(one.by.value for one in choices)),
        times[len(times) // 2] if times else 0.0,
        times[int(0.95 * (len(times) - 1))] if times else 0.0,
    )


def paired(truth: Sequence[Route], found: Played, seed: int) -> list[Paired]:
    """The differences that say whether recalled examples help."""
    return [Paired(one, other, _gain(truth, found, one, other, seed)) for one, other in PAIRS]


def by_sender(found: Played, seed: int) -> Estimate:
    """The share of decisions that are others when the same message comes from another sender."""
    pairs = zip(found.conditions[played.RECALLED], found.others, strict=True)
    return mean_interval([float(one.route is not other.route) for one, other in pairs], seed)


def to_json(mail: Mail, found: Played, guarded: Guarded, seed: int, seconds: float) -> str:
    """Everything that was measured, down to each decision."""
    content = {
        "protocol": {
            "reviewed": len(mail.train),
            "messages": len(mail.test),
            "seed": seed,
            "seconds": round(seconds),
        },
        "conditions": {
            name: {"meaning": played.MEANING[name], **asdict(scored(mail.truth, choices, seed))}
            for name, choices in found.conditions.items()
        },
        "paired": [{**asdict(one), "clear": one.clear} for one in paired(mail.truth, found, seed)],
        "limits": {str(limit): asdict(scored(mail.truth, choices, seed)) for limit, choices in found.limits.items()},
        "changed_by_sender": asdict(by_sender(found, seed)),
        "guards": {**asdict(guarded), "holds": guarded.holds},
        "decisions": [
            {
                "message": one.message.id,
                "right": one.route.value,
                **{name: choices[place].route.value for name, choices in found.conditions.items()},
            }
            for place, one in enumerate(mail.test)
        ],
    }
    return json.dumps(content, indent=1, allow_nan=False) + "\n"


def _gain(truth: Sequence[Route], found: Played, one: str, other: str, seed: int) -> Estimate:
    first, second = ([choice.route for choice in found.conditions[name]] for name in (one, other))

    def difference(at: Sequence[int]) -> float:
        right = [truth[n] for n in at]
        return macro_f1(right, [first[n] for n in at]) - macro_f1(right, [second[n] for n in at])

    return interval(len(truth), difference, seed)
