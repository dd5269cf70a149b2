"""A world under watch: every action is counted, written into the trace and checked; whatever fails is a value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from graphmem.agent.calls import Call
from graphmem.agent.events import Acted, Checked, Event, Wrong, wrong
from graphmem.agent.task import bounded, kept
from graphmem.agent.words import content
from graphmem.agent.world import View, World

Gate = Callable[[Acted], Any]
"""Given an action with what was seen, says whether to go on: a bool, or a bool and the reason."""

SHOWN = 0.5  # the share of the expected words that an observation has to have
_PATIENCE = 50  # calls of a world for each action that is left: those it does not understand cost nothing else


class Watched:
    """A world in which at most `actions` are done in a run, over all its attempts.

    It ends (its views are `done`) at the first check that fails, when anything of the caller's raises, and when no
    action is left; so whoever acts in it needs to know nothing of checks.
    """

    def __init__(self, world: World, call: Call, gate: Gate | None, actions: int) -> None:
        self._world = world
        self._call = call
        self._gate = gate
        self.left = actions
        self._calls = actions * _PATIENCE
        self.events: list[Event] = []
        self.task = world.task
        self.begin(1, True)

    def begin(self, attempt: int, every: bool) -> None:
        """Begin an attempt, in which `every` action is checked, or the last one alone."""
        self.attempt, self.every = attempt, every
        self.view = View("", "")
        self._begun = False
        self.last: Acted | None = None
        self.failed = ""  # why a check failed
        self.refused = ""  # the action at which it did
        self.wrong: Wrong | None = None
        self.ended = False  # by the world itself
        self.passed: Checked | None = None  # the latest word of the gate, if it passed

    @property
    def gated(self) -> bool:
        """Whether the caller checks what is done."""
        return self._gate is not None

    @property
    def over(self) -> bool:
        """Whether nothing more can be done in this attempt."""
        return self.ended or bool(self.failed) or self.wrong is not None or self.left <= 0 or self._calls <= 0

    def reset(self) -> View:
        """Begin anew, as far as the world can; once in an attempt."""
        if self._begun:
            return self._shown()
        self._begun = True
        try:
            self.view = bounded(self._call(self._world.reset))
        except Exception as error:
            return self._went_wrong("reset", error)
        self.ended = self.view.done
        return self._shown()

    def act(self, action: str, expects: str = "") -> View:
        """Do something, and have it checked."""
        if self.over:
            return self._shown()
        self._calls -= 1
        try:
            view = bounded(self._call(self._world.act, action))
        except Exception as error:
            return self._went_wrong("act", error)
        if not view.understood:
            return replace(view, done=self.over)
        self.view = view
        self.left -= 1
        self.ended = view.done
        self.last = Acted(self.attempt, self.last.number + 1 if self.last else 1, action, view.observation, expects)
        self.events.append(self.last)
        if self.every:
            self._check(self.last)
        return self._shown()

    def valid_actions(self) -> Sequence[str]:
        """What can be done now."""
        try:
            return [str(one) for one in self._call(self._world.valid_actions)]
        except Exception as error:
            self._went_wrong("options", error)
            return ()

    def refuse(self, action: str, reason: str) -> None:
        """End the attempt at an action that could not be done at all."""
        self.failed, self.refused = reason, action

    def finish(self) -> None:
        """Check the last action, unless all of them were."""
        if not self.every and self.last is not None and not self.failed and self.wrong is None:
            self._check(self.last)

    def _check(self, acted: Acted) -> None:
        if acted.expects:
            met = shows(acted.observation, acted.expects)
            said = "as expected" if met else f"expected {acted.expects!r:.300}, and saw {acted.observation!r:.300}"
            self._said("expectation", acted, met, said)
        if self._gate is None or self.failed:
            return
        try:
            passed, reason = _verdict(self._call(self._gate, acted))
        except Exception as error:
            self._went_wrong("gate", error)
            return
        self._said("gate", acted, passed, reason)

    def _said(self, by: str, acted: Acted, passed: bool, reason: str) -> None:
        checked = Checked(acted.attempt, acted.number, by, passed, reason)
        self.events.append(checked)
        if not passed:
            self.refuse(acted.action, reason or f"the {by} refused {acted.action!r:.200}")
        elif by == "gate":
            self.passed = checked

    def _went_wrong(self, where: str, error: Exception) -> View:
        self.wrong = wrong(where, error)
        self.events.append(self.wrong)
        return self._shown()

    def _shown(self) -> View:
        return replace(self.view, done=True) if self.over else self.view


def shows(observation: str, expects: str) -> bool:
    """Whether an observation has most of the words that were expected, numbers apart."""
    wanted = {word for word in content(expects) if not word[0].isdigit()}
    return not wanted or len(wanted & content(observation)) / len(wanted) >= SHOWN


def _verdict(said: object) -> tuple[bool, str]:
    if isinstance(said, tuple) and len(said) == 2:
        return _verdict(said[0])[0], kept(str(said[1]))
    if said is None:
        raise TypeError("the gate said nothing; it has to answer True or False")
    return bool(said), ""
