"""Trajectories as memories keep them: after each action the answer, and what was new to see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from graphmem.agent.world import View
from graphmem.models import Step

BEGIN = "begin"
_ARRIVED = "\n\nhere now:\n"  # all that is in sight at another place
_NEWS = "\n\nnew to see:\n"  # lines that were not in sight before
_TAKEN = "\n\nnewly at hand:\n"  # belongings that were not there before


@dataclass(frozen=True, slots=True)
class Moment:
    """One step: where it was taken (`place`) and led (`reached`), what answered, what was new to see there."""

    action: str
    place: str
    reached: str
    observation: str
    news: tuple[str, ...]
    seen: frozenset[str]  # all lines known to be in sight before the action
    taken: tuple[str, ...] = ()  # what the agent has with it since then

    @property
    def moved(self) -> bool:
        """Whether the step led to another place."""
        return self.place != self.reached

    @property
    def idle(self) -> bool:
        """Whether the step changed nothing and told nothing but what could be seen anyway."""
        told = (line.strip() for line in self.observation.splitlines())
        return not self.news and all(line in self.seen for line in told if line)

    @property
    def told(self) -> str:
        """The answer and the news as one text."""
        return "\n".join((self.observation, *self.news))


@dataclass(slots=True)
class Diary:
    """Writes a run down while it happens."""

    place: str = ""
    seen: frozenset[str] = frozenset()
    held: frozenset[str] = frozenset()
    steps: list[Step] = field(default_factory=list)

    def note(self, action: str, view: View, decision: str = "") -> Moment:
        """Add a step to the trajectory and say what it showed."""
        moved = view.place != self.place
        news = view.lines if moved else tuple(line for line in view.lines if line not in self.seen)
        taken = tuple(line for line in view.held if line not in self.held)
        below = (_ARRIVED if moved else _NEWS) + "\n".join(news) if news else ""
        below += _TAKEN + "\n".join(taken) if taken else ""
        self.steps.append(Step(action=action, observation=view.observation.strip() + below, decision=decision))
        moment = Moment(action, self.place or view.place, view.place, view.observation.strip(), news, self.seen, taken)
        self._look(view)
        return moment

    def go_on(self, steps: Iterable[Step], view: View) -> None:
        """Add steps that were written down elsewhere, from here on, and what is in sight after them."""
        self.steps += steps
        self._look(view)

    def _look(self, view: View) -> None:
        self.place, self.seen, self.held = view.place, frozenset(view.lines), frozenset(view.held)


def read(trajectory: Iterable[Step]) -> Iterator[Moment]:
    """Follow a written trajectory, keeping in mind what was in sight."""
    place, seen = "", frozenset[str]()
    for step in trajectory:
        rest, _, taken = step.observation.partition(_TAKEN)
        observation, arrived, below = rest.partition(_ARRIVED)
        if not arrived:
            observation, _, below = rest.partition(_NEWS)
        news = tuple(below.splitlines())
        reached = View("", below).place if arrived else place
        yield Moment(step.action, place or reached, reached, observation, news, seen, tuple(taken.splitlines()))
        seen = frozenset(news) if arrived else seen | frozenset(news)
        place = reached
