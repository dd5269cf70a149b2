"""What a loop is given to do: a world, or a plain task with functions to act by."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from graphmem.agent.calls import Call
from graphmem.agent.world import View, World
from graphmem.errors import InvalidInput
from graphmem.text import has_words

LONGEST = 8000  # characters of an observation that are kept: its beginning and its end


@dataclass(frozen=True, slots=True)
class Task:
    """A task in words, and what may be done about it.

    `act` takes an action and answers what was seen; `tools` are functions of one text each, called by actions like
    "name: argument". `options` are the actions possible now, as far as the caller knows them (others may be tried too),
    `reset` brings everything back to the beginning, before each attempt, and `done` says by the latest observation that
    nothing is left to do. An answer may also be a `View`. For an AsyncLoop all of them may be coroutines.
    Raises InvalidInput without words, and without anything to act by.
    """

    text: str
    act: Callable[[str], Any] | None = None
    tools: Mapping[str, Callable[[str], Any]] = field(default_factory=dict)
    options: Sequence[str] | Callable[[], Any] = ()
    reset: Callable[[], Any] | None = None
    done: Callable[[str], Any] | None = None

    def __post_init__(self) -> None:
        if not has_words(self.text):
            raise InvalidInput("a task needs words")
        if self.act is None and not self.tools:
            raise InvalidInput("a task needs something to act by: give act or tools")
        odd = [name for name in self.tools if ":" in name or not name.strip()]
        if odd:
            raise InvalidInput(f"{odd[0]!r} is no name for a tool: it is what stands before the colon of an action")


@dataclass(frozen=True, slots=True)
class Context:
    """Where a task belongs.

    `task_type` and `toolchain` filter what is recalled; `where` says what holds now ("os": "linux") and excludes what
    contradicts it. All of it is recorded, with `tags`, `techniques`, `difficulty` in [0, 1], the `subject` (the person
    it is about) and whether it is `secure`. That binds the memory: what is planned by a language model is shown to it,
    since the caller chose it.
    """

    task_type: str = ""
    toolchain: str = ""
    where: Mapping[str, str] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    techniques: tuple[str, ...] = ()
    difficulty: float | None = None
    subject: str = ""
    secure: bool = False


class TaskWorld:
    """A plain task as a world without places."""

    def __init__(self, given: Task, call: Call) -> None:
        self._given = given
        self._call = call

    @property
    def task(self) -> str:
        """What is to be done."""
        return self._given.text

    def reset(self) -> View:
        """Begin anew, if the caller has a way to."""
        said = None if self._given.reset is None else self._call(self._given.reset)
        return View("", "") if said is None else _view(said)

    def act(self, action: str) -> View:
        """Call the tool that the action names, or else `act`."""
        name, _, argument = action.partition(":")
        tool = self._given.tools.get(name.strip())
        if tool is not None:
            view = _view(self._call(tool, argument.strip()))
        elif self._given.act is not None:
            view = _view(self._call(self._given.act, action))
        else:
            listed = ", ".join(self._given.tools)
            return View(f"no tool is called {name.strip()!r}; there are: {listed}", "", understood=False)
        if self._given.done is not None and view.understood and not view.done:
            view = replace(view, done=bool(self._call(self._given.done, view.observation)))
        return view

    def valid_actions(self) -> Sequence[str]:
        """The options that the caller knows."""
        options = self._given.options
        return [str(one) for one in (self._call(options) if callable(options) else options)]


@dataclass(frozen=True, slots=True)
class Place:
    """What a planner may know of where it acts: the `tools` with what they say of themselves, whether the world has a
    way to begin anew (`renews`) and one to say that all is done (`ends`).
    """

    tools: tuple[str, ...] = ()
    renews: bool = True
    ends: bool = True


def placed(given: World | Task, call: Call) -> tuple[World, Place]:
    """The world of a task, and what is to be known of it."""
    if not isinstance(given, Task):
        return given, Place()
    tools = tuple(f"{name}: {_help(tool)}".rstrip(": ") for name, tool in given.tools.items())
    return TaskWorld(given, call), Place(tools, given.reset is not None, given.done is not None)


def bounded(view: View) -> View:
    """The view as it can be kept: an endless observation without its middle, no characters that no text can hold."""
    return replace(
        view,
        observation=kept(view.observation),
        surroundings=kept(view.surroundings),
        belongings=kept(view.belongings),
    )


def kept(text: str) -> str:
    """A text as it can be kept."""
    plain = text.encode("utf-8", "replace").decode()
    left = len(plain) - LONGEST
    if left <= 0:
        return plain
    return f"{plain[: LONGEST // 2]}\n[{left} characters left out]\n{plain[-LONGEST // 2 :]}"


def _view(said: object) -> View:
    return said if isinstance(said, View) else View(str(said), "")


def _help(tool: Callable[[str], Any]) -> str:
    return (inspect.getdoc(tool) or "").split("\n", 1)[0] if not isinstance(tool, type) else ""
