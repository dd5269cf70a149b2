"""A tiny world that is a program: an office with rooms, a locked drawer, a kettle, and papers to file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from graphmem.agent.world import View

ROOMS = ("hall", "archive", "attic", "study")
DOORS = {"hall": ("archive", "study"), "archive": ("hall", "attic"), "attic": ("archive",), "study": ("hall",)}


@dataclass
class Office:
    """File a paper in a tray of the study, or boil a kettle that takes its time and pour it."""

    task: str
    paper: str = "invoice"
    room: str = "archive"
    hidden: bool = False
    heat: int = 3
    position: str = "hall"
    held: set[str] = field(default_factory=set)
    filed: dict[str, str] = field(default_factory=dict)
    opened: bool = False
    warmth: int = 0
    poured: bool = False
    calls: int = 0

    def reset(self) -> View:
        self.position, self.opened, self.warmth, self.poured = "hall", False, 0, False
        self.held, self.filed = set(), {}
        return self._view("You enter.")

    def valid_actions(self) -> Sequence[str]:
        walks = [f"walk to {room}" for room in DOORS[self.position]]
        return [*walks, *(action for action in self._actions() if self._do(action, dry=True))]

    def act(self, action: str) -> View:
        self.calls += 1
        answer = self._do(action, dry=False)
        return self._view(answer) if answer else View("What?", "", understood=False)

    @property
    def done(self) -> bool:
        return self.poured or bool(self.filed)

    def _actions(self) -> list[str]:
        things = ["unseal cabinet", "heat kettle", "pour kettle", "rest"]
        return things + [f"grab {self.paper}"] + [f"file {self.paper} in {tray}" for tray in ("red tray", "blue tray")]

    def _do(self, action: str, dry: bool) -> str:
        verb, _, rest = action.partition(" ")
        if verb == "walk" and rest.removeprefix("to ") in DOORS[self.position]:
            return self._walk(rest.removeprefix("to "), dry)
        if action == "rest":
            return "Time goes by."
        if action == "unseal cabinet" and self.position == "archive":
            return self._set("opened", True, "The cabinet is open.", dry)
        if action == f"grab {self.paper}" and self._here():
            if not dry:
                self.held.add(self.paper)
            return f"You hold the {self.paper}."
        if action == "heat kettle" and self.position == "study":
            hot = self.warmth + 1 >= self.heat
            return self._set("warmth", self.warmth + 1, "Steam rises." if hot else "The water is warm.", dry)
        if action == "pour kettle" and self.position == "study":
            return self._set("poured", self.warmth >= self.heat, "You pour.", dry)
        return self._file(action, dry)

    def _file(self, action: str, dry: bool) -> str:
        for tray in ("red tray", "blue tray"):
            if action == f"file {self.paper} in {tray}" and self.paper in self.held and self.position == "study":
                if not dry:
                    self.filed[self.paper] = tray
                return f"The {self.paper} lies in the {tray}."
        return ""

    def _walk(self, room: str, dry: bool) -> str:
        return self._set("position", room, f"You walk to the {room}.", dry)

    def _set(self, name: str, value: object, answer: str, dry: bool) -> str:
        if not dry:
            setattr(self, name, value)
        return answer

    def _here(self) -> bool:
        return self.position == self.room and self.paper not in self.held and (self.opened or not self.hidden)

    def _view(self, observation: str) -> View:
        lines = [f"This is the {self.position}. You see:"]
        if self.position == "archive":
            lines.append(f"a cabinet, {'open' if self.opened else 'sealed'}")
        if self._here():
            lines.append(f"a paper: {self.paper}")
        if self.position == "study":
            lines += ["a red tray", "a blue tray", "a kettle"]
        lines += [f"a passage to the {room}" for room in DOORS[self.position]]
        belongings = "\n".join(["You carry:", *(f"a paper: {paper}" for paper in sorted(self.held))])
        return View(observation, "\n".join(lines), belongings, done=self.done)


def filing(paper: str, tray: str, **given: object) -> Office:
    """The task to file a paper."""
    return Office(f"Please find the {paper} and file it in the {tray} of the study.", paper, **given)  # type: ignore[arg-type]


def tea(heat: int) -> Office:
    """The task to make tea."""
    return Office("Please make tea: heat the kettle until steam rises, then pour it.", heat=heat)
