"""Facts of the world, over all remembered trajectories: what was seen where, and how one gets from place to place."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import log

from graphmem.agent.trace import Moment
from graphmem.agent.words import content, coverage, phrases

_SEEN = 0.75  # the share of a phrase that a line has to cover to count as the thing


@dataclass(frozen=True, slots=True)
class Sighting:
    """A place where a thing was seen, and the action that showed it if it was not in plain sight."""

    place: str
    reveal: str


@dataclass(slots=True)
class Atlas:
    """Grows with every moment that is added."""

    _sightings: dict[str, Counter[Sighting]] = field(default_factory=dict)
    _ways: defaultdict[str, Counter[tuple[str, str]]] = field(default_factory=lambda: defaultdict(Counter))
    _lines_with: Counter[str] = field(default_factory=Counter)
    _takes: Counter[str] = field(default_factory=Counter)
    _pauses: Counter[str] = field(default_factory=Counter)

    def add(self, moments: Iterable[Moment]) -> None:
        """Learn from a trajectory, or from the latest moment of a running one."""
        for moment in moments:
            if moment.moved:
                self._ways[moment.place][moment.reached, moment.action] += 1
            named = phrases(moment.action)
            if len(named) == 1 and any(content(named[0]) & content(line) for line in moment.taken):
                self._takes[start_of(moment.action)] += 1
            reveal = "" if moment.moved or not moment.seen else moment.action
            if not named and moment.seen and not moment.idle and not moment.moved:
                self._pauses[moment.action] += 1
            for line in moment.news if not reveal or _shows(moment) else ():
                if line not in self._sightings:
                    self._sightings[line] = Counter()
                    self._lines_with.update(content(line))
                self._sightings[line][Sighting(moment.reached, reveal)] += 1

    def weight(self, word: str) -> float:
        """How much a word tells: rare ones more; 0 for words that were never seen in any place."""
        lines = self._lines_with[word]
        return log(1 + len(self._sightings) / lines) if lines else 0.0

    def where(self, phrase: frozenset[str]) -> list[Sighting]:
        """Where such a thing was seen, the most frequent first."""
        found: Counter[Sighting] = Counter()
        if not any(self.weight(word) for word in phrase):
            return []
        for line, sightings in self._sightings.items():
            if coverage(phrase, content(line), self.weight) >= _SEEN:
                found.update(sightings)
        return [sighting for sighting, _ in sorted(found.items(), key=lambda entry: (-entry[1], repr(entry[0])))]

    def reveals(self, place: str) -> list[str]:
        """The actions that showed more at a place, the most frequent first."""
        found: Counter[str] = Counter()
        for sightings in self._sightings.values():
            for sighting, times in sightings.items():
                if sighting.place == place and sighting.reveal:
                    found[sighting.reveal] += times
        return [action for action, _ in sorted(found.items(), key=lambda entry: (-entry[1], entry[0]))]

    def walks(self) -> set[str]:
        """How actions begin that led from place to place, up to the name of where to."""
        moves = (action for ways in self._ways.values() for _, action in ways)
        return {start_of(action) for action in moves if phrases(action)}

    def take(self, thing: str) -> str | None:
        """How a thing is taken along; None when no way of taking was ever seen."""
        best = min(self._takes, key=lambda start: (-self._takes[start], start), default="")
        return best + thing if best.strip() else None

    def pause(self) -> str | None:
        """What was done most often that needs no thing: a way to let time pass; None when there was none."""
        return min(self._pauses, key=lambda action: (-self._pauses[action], action), default=None)

    def places(self) -> list[str]:
        """All known places."""
        return sorted({*self._ways, *(reached for ways in self._ways.values() for reached, _ in ways)})

    def route(self, start: str, end: str) -> list[str] | None:
        """The actions of a shortest way; None when no way is known."""
        before: dict[str, tuple[str, str]] = {}
        queue, met = deque([start]), {start}
        while queue:
            place = queue.popleft()
            if place == end:
                actions: list[str] = []
                while place != start:
                    place, action = before[place]
                    actions.append(action)
                return actions[::-1]
            for (reached, action), _ in self._ways[place].most_common() if place in self._ways else ():
                if reached not in met:
                    met.add(reached)
                    before[reached] = (place, action)
                    queue.append(reached)
        return None


def _shows(moment: Moment) -> bool:
    """Whether an action showed what was there: it named one thing, whose line now tells of others."""
    named = phrases(moment.action)
    if len(named) != 1 or moment.taken:
        return False
    told = frozenset(word for line in moment.seen for word in content(line)) | content(named[0])
    return any(content(named[0]) & content(line) and content(line) - told for line in moment.news)


def start_of(action: str) -> str:
    """An action up to its last phrase: "put the cup on the shelf" begins "put the cup on the"."""
    return action[: action.lower().rfind(phrases(action)[-1])]
