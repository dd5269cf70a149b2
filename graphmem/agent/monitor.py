"""How a deployed agent does, over its latest problems: does it still get better, and does its memory mislead it?"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from threading import Lock

from graphmem.agent.cohort import Cohort, Observation, change, cohort_of, rate, verdicts_of
from graphmem.agent.curve import drawn
from graphmem.errors import InvalidInput
from graphmem.learn.evidence import wilson
from graphmem.models import Episode, Outcome, Stored
from graphmem.recall import Decision

START = 20  # validated problems that say how it was at the beginning
FLAT = 0.05  # a change from half to half of a full window that is no more than this is none
_KEPT = 10_000  # problems that a curve can show


@dataclass(frozen=True, slots=True)
class Report:
    """The window in figures; rates are in [0, 1], and None where there is nothing to count.

    `seen` problems of all that were `total` are in it, `validated` of them by somebody. `success_rate` is the share of
    the validated ones that succeeded, with its 95 % interval; what nobody validated counts for nothing. `improvement`
    is that rate less the rate of the first 20 validated problems of all. `plateau` says that a window full of validated
    problems did not get better from its first half to its second (by more than 0.05). `novelty_rate` is the share of
    problems for which nothing fitting was remembered, `false_hit_rate` that of the answered ones whose memory misled.
    `reflection_length` is the mean number of characters of what was learnt from a problem from which anything was.
    """

    total: int
    seen: int
    validated: int
    success_rate: float | None
    interval: tuple[float, float]
    improvement: float | None
    plateau: bool
    novelty_rate: float | None
    unique_domains: int
    reflection_length: float | None
    false_hit_rate: float | None
    cohorts: tuple[Cohort, ...]


class Monitor:
    """Counts problems over a sliding window of the latest `window`; may be shared by threads."""

    def __init__(self, window: int = 100) -> None:
        if type(window) is not int or not 2 <= window <= _KEPT:
            raise InvalidInput(f"window must be a whole number from 2 to {_KEPT}, and not {window!r}")
        self.window = window
        self._kept: deque[Observation] = deque(maxlen=_KEPT)
        self._start: list[bool] = []
        self._total = 0
        self._guard = Lock()

    def observe(self, seen: Observation) -> None:
        """Count one more problem."""
        with self._guard:
            self._kept.append(seen)
            self._total += 1
            if seen.success is not None and len(self._start) < START:
                self._start.append(seen.success)

    def replay(self, stored: Iterable[Stored]) -> None:
        """Count problems that were recorded before, the oldest first; how long their reflections are is not known."""
        for one in stored:
            if isinstance(one.memory, Episode):
                self.observe(_remembered(one.memory))

    def report(self) -> Report:
        """The figures of the window."""
        with self._guard:
            seen, start, total = list(self._kept)[-self.window :], tuple(self._start), self._total
        verdicts = verdicts_of(seen)
        now, before, grown = rate(verdicts), rate(start), change(verdicts)
        answered = [one.false_hit for one in seen if one.answered]
        lengths = [one.reflection for one in seen if one.reflection is not None]
        names = sorted({one.cohort for one in seen})
        return Report(
            total=total,
            seen=len(seen),
            validated=len(verdicts),
            success_rate=now,
            interval=wilson(sum(verdicts), len(verdicts)),
            improvement=now - before if now is not None and before is not None and total > len(start) else None,
            plateau=len(verdicts) >= self.window and grown is not None and grown <= FLAT,
            novelty_rate=rate([one.novel for one in seen]),
            unique_domains=len({one.domain for one in seen}),
            reflection_length=sum(lengths) / len(lengths) if lengths else None,
            false_hit_rate=rate(answered),
            cohorts=tuple(cohort_of(name, [one for one in seen if one.cohort == name]) for name in names),
        )

    def curve(self, path: str | PathLike[str], title: str = "") -> Path:
        """Write the learning curve as an SVG and give its path: the rates of the window, problem by problem.

        Raises OSError when the file cannot be written.
        """
        with self._guard:
            seen, total = tuple(self._kept), self._total
        target = Path(path)
        target.write_text(drawn(seen, self.window, total - len(seen), title), "utf-8")
        return target


def _remembered(episode: Episode) -> Observation:
    decision = episode.metadata.get("decision")
    followed = episode.metadata.get("followed")
    known = {Outcome.SUCCESS: True, Outcome.FAIL: False}
    answered = decision in (Decision.USE.value, Decision.VERIFY.value)
    return Observation(
        success=known.get(episode.outcome),
        novel=decision == Decision.NOVEL.value,
        answered=answered,
        false_hit=answered and episode.outcome is Outcome.FAIL and bool(followed),
        domain=episode.domain,
        cohort=str(episode.metadata.get("cohort", "")),
    )
