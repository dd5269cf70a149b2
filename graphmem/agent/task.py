"""What a loop is given to do: a world, or a plain task with functions to act by."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from graphmem.agent.bounds import kept, plain
from graphmem.agent.calls import Call
from graphmem.agent.world import View, World
from graphmem.errors import InvalidInput
from graphmem.text import has_words

__all__ = ["RESERVED", "Context", "Place", "Task", "TaskWorld", "UnendedError", "kept", "listed", "placed"]

RESERVED = ("decision", "planner", "followed", "attempts", "actions")  # what a run says of itself in its metadata


@dataclass(frozen=True, slots=True)
class Task:
    """A task in words, and what may be done about it.

    `act` takes an action and answers what was seen; `tools` are functions of one text each, called by actions like
    "name: argument". `options` are the actions possible now, as far as the caller knows them (others may be tried too),
    `reset` brings everything back to the beginning, before each attempt, and `done` says by the latest observation that
    nothing is left to do. An answer may also be a `View`. For an AsyncLoop all of them may be coroutines. `strict`
    binds whoever plans to the options: any other action is refused and not done.
    Raises InvalidInput without words, without anything to act by, for options that are one text, and for a strict task
    without options.
    """

    text: str
    act: Callable[[str], Any] | None = None
    tools: Mapping[str, Callable[[str], Any]] = field(default_factory=dict)
    options: Sequence[str] | Callable[[], Any] = ()
    reset: Callable[[], Any] | None = None
    done: Callable[[str], Any] | None = None
    strict: bool = False

    def __post_init__(self) -> None:
        if not has_words(self.text):
            raise InvalidInput("a task needs words")
        if self.act is None and not self.tools:
            raise InvalidInput("a task needs something to act by: give act or tools")
        if isinstance(self.options, str | bytes):
            raise InvalidInput("options are a sequence of actions, or a function that gives one, and not one text")
        if self.strict and not callable(self.options) and not self.options:
            raise InvalidInput("a strict task needs options: nothing else is done")
        odd = [name for name in self.tools if ":" in name or not name.strip()]
        if odd:
            raise InvalidInput(f"{odd[0]!r} is no name for a tool: it is what stands before the colon of an action")


@dataclass(frozen=True, slots=True)
class Context:
    """Where a task belongs.

    `task_type` and `toolchain` filter what is recalled; `where` says what holds now ("os": "linux") and excludes what
    contradicts it. All of it is recorded, with `tags`, `techniques`, `difficulty` in [0, 1], the `subject` (the person
    it is about) and whether it is `secure`. That binds the memory: what is planned by a language model is shown to it,
    since the caller chose it. Raises InvalidInput where `where` is no mapping, or has a name that a run uses in the
    metadata of its episode: decision, planner, followed, attempts, actions.
    """

    task_type: str = ""
    toolchain: str = ""
    where: Mapping[str, str] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    techniques: tuple[str, ...] = ()
    difficulty: float | None = None
    subject: str = ""
    secure: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.where, Mapping):
            raise InvalidInput(f"where is a mapping of names to what holds, and not a {type(self.where).__name__}")
        taken = [name for name in RESERVED if name in self.where]
        if taken:
            raise InvalidInput(f"where[{taken[0]!r}]: a run says this of itself; give it another name")


class UnendedError(Exception):
    """An action was done (its `view`), and the caller's `done` then raised what is the cause of this."""

    def __init__(self, view: View) -> None:
        super().__init__("done")
        self.view = view


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
            try:
                view = replace(view, done=bool(self._call(self._given.done, view.observation)))
            except Exception as error:
                raise UnendedError(view) from error
        return view

    def valid_actions(self) -> Sequence[str]:
        """The options that the caller knows."""
        options = self._given.options
        return listed(self._call(options) if callable(options) else options)


@dataclass(frozen=True, slots=True)
class Place:
    """What a planner may know of where it acts: the `tools` with what they say of themselves, whether the world has a
    way to begin anew (`renews`) and one to say that all is done (`ends`), and whether nothing but its options is done
    (`strict`).
    """

    tools: tuple[str, ...] = ()
    renews: bool = True
    ends: bool = True
    strict: bool = False


def placed(given: World | Task, call: Call) -> tuple[World, Place]:
    """The world of a task, and what is to be known of it."""
    if not isinstance(given, Task):
        return given, Place()
    tools = tuple(f"{name}: {_help(tool)}".rstrip(": ") for name, tool in given.tools.items())
    return TaskWorld(given, call), Place(tools, given.reset is not None, given.done is not None, given.strict)


def listed(said: Any) -> list[str]:
    """Options as actions that can be kept, without those that have no words. Raises TypeError for what is no list."""
    if isinstance(said, str | bytes):
        raise TypeError("options are a list of actions, and not one text")
    return [one for one in (plain(str(each)) for each in said) if has_words(one)]


def _view(said: object) -> View:
    return said if isinstance(said, View) else View(str(said), "")


def _help(tool: Callable[[str], Any]) -> str:
    return (inspect.getdoc(tool) or "").split("\n", 1)[0] if not isinstance(tool, type) else ""
