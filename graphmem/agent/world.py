"""What the agent can ask of a world: act, look, and hear which actions there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class View:
    """What is seen after an action.

    `observation` answers the action, `surroundings` describes the place (its first sentence names it), `belongings`
    what the agent has with it; `understood` is false when the world did not know the action (nothing happened then),
    `done` ends the run. There is no reward in it: the agent cannot read one.
    """

    observation: str
    surroundings: str
    belongings: str = ""
    understood: bool = True
    done: bool = False

    @property
    def place(self) -> str:
        """The first sentence of the surroundings: it names the place."""
        return self.surroundings.strip().split("\n", 1)[0].split(".", 1)[0].strip()

    @property
    def lines(self) -> tuple[str, ...]:
        """The surroundings, line by line."""
        return _lines(self.surroundings)

    @property
    def sight(self) -> tuple[str, ...]:
        """All that is in sight: the surroundings and the belongings, line by line."""
        return self.lines + self.held

    @property
    def held(self) -> tuple[str, ...]:
        """The belongings, line by line."""
        return _lines(self.belongings)


class World(Protocol):
    """One task to be done by actions in English."""

    @property
    def task(self) -> str:
        """What is to be done, in English."""

    def reset(self) -> View:
        """Begin anew."""

    def act(self, action: str) -> View:
        """Do something; an action that is not understood costs nothing and changes nothing."""

    def valid_actions(self) -> Sequence[str]:
        """What can be done now, as far as the world tells; other wordings may be understood too."""


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.splitlines() if line.strip())
