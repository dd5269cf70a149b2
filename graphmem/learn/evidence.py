"""Whether what is known of a skill is enough to trust it: pure counting, no opinion of a model.

A call that was retried and an episode that was copied are one piece of evidence, however often they were written.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from enum import StrEnum

from pydantic import Field

from graphmem.errors import InvalidInput
from graphmem.models import Outcome, Value

Z = 1.96  # 95 %, two-sided


class Tried(Value):
    """An attempt behind a skill: the episode's id, its trace and content, and how it ended."""

    id: str
    trace_id: str = ""
    content_hash: str = ""
    outcome: Outcome


class Used(Value):
    """A use of a skill whose outcome is known: the receipt of the recall that returned it, the trace, how it ended."""

    recall: str
    trace_id: str = ""
    success: bool


class Evidence(Value):
    """All that counts for or against a skill.

    `contradictions` is how many open ones there are, `demoted` whether it ever was demoted, `approved_by` who vouches
    for it: an approval that was given before a demotion does not count any more, and is empty here.
    """

    attempts: tuple[Tried, ...] = ()
    uses: tuple[Used, ...] = ()
    contradictions: int = Field(0, ge=0)
    approved_by: str = ""
    demoted: bool = False


class Policy(Value):
    """How much evidence is enough.

    A skill is promoted with at least `support_min` distinct successful attempts, when the lower Wilson bound of its
    success rate is at least `rate_min`; it is demoted with at least `demote_uses` failed uses, when the upper Wilson
    bound of its success rate in use is below `demote_below`. Rates are in [0, 1].
    """

    support_min: int = Field(3, ge=1)
    rate_min: float = Field(0.4, ge=0, le=1)
    demote_uses: int = Field(3, ge=1)
    demote_below: float = Field(0.6, ge=0, le=1)


class Tally(Value):
    """Distinct evidence, each call and each content once.

    `support` counts the successes that have an episode, `successes` of `trials` are over attempts and uses together,
    `use_failures` of `uses` over what was used. Retries that ended differently are mixed, which is no success.
    """

    support: int
    successes: int
    trials: int
    use_failures: int
    uses: int


class Ruling(StrEnum):
    """What evidence says: make it active, leave it as it is, or take it out of use."""

    PROMOTE = "promote"
    KEEP = "keep"
    DEMOTE = "demote"


class Verdict(Value):
    """A ruling with its reason, what was counted, and the Wilson bounds of the success rate (in [0, 1])."""

    ruling: Ruling
    reason: str
    tally: Tally
    lower: float
    upper: float


def wilson(successes: int, trials: int, z: float = Z) -> tuple[float, float]:
    """The score interval of a rate, lower and upper bound in [0, 1]; (0, 1) of no trials.

    `z` is the quantile of the normal distribution, 1.96 for 95 %. Raises InvalidInput unless 0 ≤ successes ≤ trials
    and z > 0. After Wilson 1927, "Probable inference, the law of succession, and statistical inference".
    """
    if not (0 <= successes <= trials and z > 0):
        raise InvalidInput(f"no interval of {successes} successes in {trials} trials at z = {z}")
    if trials == 0:
        return 0.0, 1.0
    rate, square = successes / trials, z * z
    middle = rate + square / (2 * trials)
    half = z * math.sqrt(rate * (1 - rate) / trials + square / (4 * trials * trials))
    scale = 1 + square / trials
    lower = 0.0 if successes == 0 else max(0.0, (middle - half) / scale)
    upper = 1.0 if successes == trials else min(1.0, (middle + half) / scale)
    return lower, upper


def tally(evidence: Evidence) -> Tally:
    """Count what is distinct: what shares a trace, a content, an episode or a recall is one; unknown never counts."""
    attempts = [one for one in evidence.attempts if one.outcome is not Outcome.UNKNOWN]
    names = [
        *(_names(episode=one.id, trace=one.trace_id, content=one.content_hash) for one in attempts),
        *(_names(recall=one.recall, trace=one.trace_id) for one in evidence.uses),
    ]
    good = [*(one.outcome is Outcome.SUCCESS for one in attempts), *(one.success for one in evidence.uses)]
    trials = _united(names)
    won = [trial for trial in trials if all(good[place] for place in trial)]
    used = [[place for place in trial if place >= len(attempts)] for trial in trials]
    uses = [trial for trial in used if trial]
    return Tally(
        support=sum(min(trial) < len(attempts) for trial in won),
        successes=len(won),
        trials=len(trials),
        use_failures=sum(not all(good[place] for place in trial) for trial in uses),
        uses=len(uses),
    )


def decide(evidence: Evidence, policy: Policy) -> Verdict:
    """What is to become of a skill, with the numbers that say so; the order of the evidence does not matter.

    A person's approval promotes, in spite of contradictions and of an earlier demotion. Failures in use demote, once.
    An open contradiction, and a demotion that nobody has overruled, hold back everything else.
    """
    counted = tally(evidence)
    lower, upper = wilson(counted.successes, counted.trials)

    def verdict(ruling: Ruling, reason: str) -> Verdict:
        return Verdict(ruling=ruling, reason=reason, tally=counted, lower=lower, upper=upper)

    in_use = wilson(counted.uses - counted.use_failures, counted.uses)[1]
    failing = counted.use_failures >= policy.demote_uses and in_use < policy.demote_below
    if failing and not evidence.demoted:
        return verdict(
            Ruling.DEMOTE,
            f"{counted.use_failures} of {counted.uses} distinct uses failed: its success rate in use is at most "
            f"{in_use:.2f}, below {policy.demote_below:.2f}",
        )
    if evidence.approved_by:
        return verdict(Ruling.PROMOTE, f"approved by {evidence.approved_by}")
    if evidence.demoted:
        return verdict(Ruling.KEEP, "it was demoted; a person's approval is needed")
    if evidence.contradictions:
        plural = "s" if evidence.contradictions > 1 else ""
        return verdict(Ruling.KEEP, f"{evidence.contradictions} open contradiction{plural}; review is needed")
    if counted.support < policy.support_min:
        return verdict(Ruling.KEEP, f"{counted.support} distinct successful attempts, {policy.support_min} are needed")
    numbers = (
        f"{counted.successes} of {counted.trials} distinct trials succeeded: the success rate is at least {lower:.2f}"
    )
    if lower < policy.rate_min:
        return verdict(Ruling.KEEP, f"{numbers}, {policy.rate_min:.2f} is needed")
    return verdict(
        Ruling.PROMOTE, f"{counted.support} distinct successful attempts; {numbers}, {policy.rate_min:.2f} is needed"
    )


def _names(**names: str) -> list[Hashable]:
    return [(kind, name) for kind, name in names.items() if name.strip()]


def _united(names: Sequence[Iterable[Hashable]]) -> list[list[int]]:
    """The places that share a name, directly or through others, together (union-find, Tarjan 1975)."""
    parent = list(range(len(names)))

    def root(place: int) -> int:
        while parent[place] != place:
            parent[place] = parent[parent[place]]
            place = parent[place]
        return place

    first: dict[Hashable, int] = {}
    for place, own in enumerate(names):
        for name in own:
            parent[root(place)] = root(first.setdefault(name, place))
    found: dict[int, list[int]] = {}
    for place in range(len(names)):
        found.setdefault(root(place), []).append(place)
    return list(found.values())
