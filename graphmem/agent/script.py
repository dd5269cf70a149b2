"""A remembered trajectory, read as instructions: what to do where, what to repeat, and what it looked like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from graphmem.agent.align import Substitution, align
from graphmem.agent.trace import BEGIN, Moment, read
from graphmem.agent.words import content, refuses, tokens
from graphmem.models import Episode

_LONGEST_LOOP = 4


@dataclass(frozen=True, slots=True)
class Part:
    """Moments to be lived in order, `times` over; a loop ends early at an answer with the words of its `cue`."""

    body: tuple[Moment, ...]
    times: int = 1
    cue: frozenset[str] = frozenset()

    @property
    def first(self) -> Moment:
        """The first moment."""
        return self.body[0]


@dataclass(frozen=True, slots=True)
class Script:
    """A memory made ready for the present task: without moves, looks and what had no effect."""

    memory: str
    task: str
    parts: tuple[Part, ...]
    substitution: Substitution
    lived: tuple[Moment, ...] = ()  # all of it, as it was

    @property
    def moments(self) -> tuple[Moment, ...]:
        """All moments, each once."""
        return tuple(moment for part in self.parts for moment in part.body)

    @property
    def fit(self) -> float:
        """How well it can be carried over: how alike the tasks are, less what differs and its actions ignore.

        A name that was acted on can be replaced by another; a word that never occurs in the actions asks for something
        else.
        """
        acted = " ".join(" ".join(tokens(moment.action)) for moment in self.moments)
        heard = " ".join(" ".join(tokens(moment.told)) for moment in self.moments)
        ignored = sum(
            0.0 if old in acted else 0.5 if old in heard else 1.0 for old in dict(self.substitution.whole) if old
        )
        return self.substitution.likeness - 0.1 * (ignored + len(self.substitution.odd))


def compile_script(memory: str, episode: Episode, task: str) -> Script:
    """Read an episode as instructions for `task`."""
    lived = tuple(read(episode.trajectory))
    return Script(memory, episode.task, tuple(_loops(_essential(lived))), align(episode.task, task), lived)


def _essential(moments: Sequence[Moment]) -> list[Moment]:
    """Without moves (the way is found anew) and looks; an answer to "which one?" stands for the question before it."""
    kept: list[Moment] = []
    question: Moment | None = None
    for moment in moments:
        if moment.action == BEGIN or moment.moved or moment.idle:
            question = None
        elif moment.action.strip().isdigit() and question is not None:
            kept[-1] = replace(moment, action=question.action)
        else:
            kept.append(moment)
            question = moment
    return kept


def futile(moment: Moment) -> bool:
    """Whether the demonstration itself got nowhere with it."""
    return refuses(moment.observation)


def _loops(moments: Sequence[Moment]) -> list[Part]:
    """Find what is repeated at once, shortest first."""
    parts: list[Part] = []
    actions = [moment.action for moment in moments]
    at = 0
    while at < len(moments):
        for period in range(1, _LONGEST_LOOP + 1):
            body = actions[at : at + period]
            times = 1
            while actions[at + times * period : at + (times + 1) * period] == body:
                times += 1
            if times > 1:
                parts.append(_loop(moments[at : at + times * period], period))
                at += times * period
                break
        else:
            parts.append(Part((moments[at],)))
            at += 1
    return parts


def _loop(moments: Sequence[Moment], period: int) -> Part:
    last, earlier = moments[-period:], moments[:-period]
    usual = frozenset(word for moment in earlier for word in content(moment.told))
    cue = frozenset(word for moment in last for word in content(moment.told) if not word[0].isdigit()) - usual
    return Part(tuple(last), len(moments) // period, cue)
