"""The agent in a world: it counts what it does, writes it down and keeps what it sees in view."""

from __future__ import annotations

from graphmem.agent.atlas import Atlas
from graphmem.agent.trace import BEGIN, Diary, Moment
from graphmem.agent.words import Weight, content, coverage, tokens
from graphmem.agent.world import World

SEEN = 0.6
_NEW = 8.0  # the weight of a word of the task that was never seen in any place


class Body:
    """One run in a world, of at most `budget` actions; what it sees is added to its own copy of the facts."""

    def __init__(self, world: World, atlas: Atlas, budget: int) -> None:
        self.world = world
        self.atlas = atlas
        self.left = budget
        self.diary = Diary()
        self.view = world.reset()
        self.visited = {self.view.place}
        self.vital = content(world.task)
        self.met: set[str] = set()  # the words of all lines seen in this run
        self.spots: dict[str, str] = {}  # lines seen in this run, and where
        self.walked: set[tuple[str, str]] = set()  # places, and what was tried there to find a way
        self.missed: set[frozenset[str]] = set()  # what was looked for in vain
        self._valid: list[str] | None = None
        self._note(BEGIN, "")

    @property
    def over(self) -> bool:
        """Whether the run has ended: by the world, or because no action is left."""
        return self.view.done or self.left <= 0

    def act(self, action: str, decision: str = "") -> Moment | None:
        """Do it; None when the world did not understand, which costs nothing."""
        if self.over:
            return None
        view = self.world.act(action)
        if not view.understood:
            return None
        self.left -= 1
        self.view, self._valid = view, None
        self.visited.add(view.place)
        return self._note(action, decision)

    def valid_actions(self) -> list[str]:
        """What the world offers now; asked once a moment."""
        if self._valid is None:
            self._valid = list(self.world.valid_actions())
        return self._valid

    def weight(self, word: str) -> float:
        """How much a word tells; a word of the task that was never seen anywhere tells most."""
        known = self.atlas.weight(word)
        return known if known or word not in self.vital else _NEW

    def line(self, phrase: frozenset[str]) -> str:
        """The line in sight that shows such a thing best; empty when none does."""
        return best_line(phrase, self.view.sight, self.weight) if phrase else ""

    def sees(self, phrase: frozenset[str]) -> bool:
        """Whether such a thing is in sight, or is the place itself."""
        return bool(self.line(phrase)) or coverage(phrase, content(self.view.place), self.weight) >= SEEN

    def spotted(self, phrase: frozenset[str]) -> str:
        """The place where such a thing was seen in this run; empty when it was not."""
        return self.spots.get(best_line(phrase, tuple(self.spots), self.weight), "") if self.tells(phrase) else ""

    def tells(self, phrase: frozenset[str]) -> bool:
        """Whether any of its words was ever seen in a place, so that it can be told to be in sight."""
        return any(self.weight(word) for word in phrase)

    def holds(self, phrase: frozenset[str]) -> bool:
        """Whether such a thing is among the belongings."""
        return bool(best_line(phrase, self.view.held, self.weight))

    def choices(self) -> list[str]:
        """The answers that the world waits for when an action was ambiguous: all of them are numbers."""
        valid = self.valid_actions() if "\n0" in self.view.observation else []
        return valid if valid and all(len(tokens(one)) == 1 and one.strip().isdigit() for one in valid) else []

    def _note(self, action: str, decision: str) -> Moment:
        moment = self.diary.note(action, self.view, decision)
        self.atlas.add([moment])
        self.spots |= dict.fromkeys(self.view.lines, self.view.place)
        self.met.update(word for line in self.view.sight for word in content(line))
        return moment


def best_line(phrase: frozenset[str], lines: tuple[str, ...], weight: Weight) -> str:
    """The line that covers a phrase best, if it covers it well enough; a heading is no thing."""
    best, found = SEEN, ""
    for line in lines:
        covered = 0.0 if line.endswith(":") else coverage(phrase, content(line), weight)
        if covered > best or (covered == best and not found):
            best, found = covered, line
    return found
