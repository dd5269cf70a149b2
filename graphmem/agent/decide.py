"""Decisions: which of the cases that a task names has come about.

"If the lamp is lit, press the left button; if it is dark, the right one": a demonstration ended in one of the cases,
and the present run may be in the other. Cases that compare a number are decided by the number seen
last; the others by the demonstration whose surroundings were most like the present ones when it decided.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from graphmem.agent.align import align
from graphmem.agent.matching import matching
from graphmem.agent.words import NUMBER, content, tokens

_MORE = frozenset(["above", "more", "greater", "over", "higher", "exceeds", "larger", "longer"])
_LESS = frozenset(["below", "less", "lower", "under", "smaller", "shorter", "fewer"])


@dataclass(frozen=True, slots=True)
class Case:
    """ "If `condition`, `consequence`." in the words of a task."""

    condition: str
    consequence: str

    @property
    def threshold(self) -> tuple[int, float] | None:
        """(1, x) for "above x", (-1, x) for "below x"; None for a condition without a number to compare."""
        words, numbers = frozenset(tokens(self.condition)), NUMBER.findall(self.condition)
        sign = 1 if words & _MORE else -1 if words & _LESS else 0
        return (sign, float(numbers[-1])) if sign and numbers else None


def cases(task: str) -> tuple[Case, ...]:
    """The cases that a task tells apart; none when it names fewer than two."""
    found = re.findall(r"\bif ([^,]+), ([^,]*?)(?=\.\s|\.$|;|$)", task, flags=re.IGNORECASE)
    return tuple(Case(condition, consequence) for condition, consequence in found) if len(found) > 1 else ()


def case_of(action: str, among: Sequence[Case]) -> Case | None:
    """The only case whose consequence an action carries out."""
    scores = [len(content(action) & _particular(case, among)) for case in among]
    best = max(scores, default=0)
    return among[scores.index(best)] if best and scores.count(best) == 1 else None


def _particular(case: Case, among: Sequence[Case]) -> frozenset[str]:
    others = (content(other.consequence) for other in among if other is not case)
    return content(case.consequence).difference(*others)


def by_number(among: Sequence[Case], number: float | None) -> Case | None:
    """The case that a measured number makes true."""
    for case in among:
        if case.threshold and number is not None:
            sign, limit = case.threshold
            if (number - limit) * sign > 0:
                return case
    return None


def corresponding(case: Case, among: Sequence[Case]) -> Case:
    """The case whose condition reads most like another's."""
    wanted = tokens(case.condition)
    return max(among, key=lambda one: matching(wanted, tokens(one.condition)).ratio)


def by_evidence(
    among: Sequence[Case], past: Iterable[tuple[Case, frozenset[str]]], present: frozenset[str]
) -> Case | None:
    """The case of those past decisions whose evidence tells them from the other cases and is there now.

    Evidence is a set of lines; only lines that speak for one case are weighed. None when nothing tells the cases apart.
    """
    seen: dict[Case, list[frozenset[str]]] = {}
    for case, lines in past:
        seen.setdefault(corresponding(case, among), []).append(lines)
    scores: dict[Case, float] = {}
    for case, evidence in seen.items():
        elsewhere = frozenset[str]().union(
            *(lines for other, many in seen.items() if other is not case for lines in many)
        )
        telling = [line for lines in evidence for line in lines if line not in elsewhere]
        if telling:
            scores[case] = sum(line in present for line in telling) / len(telling)
    best = max(scores, key=lambda case: scores[case], default=None)
    return best if best and scores[best] > 0 else None


def redirect(action: str, done: Case, now: Case) -> str:
    """The action that carries out `now`, made from one that carried out `done`."""
    return align(done.consequence, now.consequence)(action)
