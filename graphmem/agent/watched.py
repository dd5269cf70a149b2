"""A world under watch: every action is counted, written into the trace and checked; whatever fails is a value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from graphmem.agent.bounds import bounded, cut, kept
from graphmem.agent.calls import Call
from graphmem.agent.events import Acted, Checked, Event, Wrong, wrong
from graphmem.agent.task import UnendedError, listed
from graphmem.agent.words import content
from graphmem.agent.world import View, World
from graphmem.models import Step
from graphmem.redact import Redactor
from graphmem.text import shown

Gate = Callable[[Acted], Any]
"""Given an action with what was seen, says whether to go on: a bool, or a bool and the reason."""

SHOWN = 0.5  # the share of the expected words that an observation has to have
_PATIENCE = 50  # calls of a world for each action that is left: those it does not understand cost nothing else


class Watched:
    """A world in which at most `actions` are done in a run, over all its attempts.

    It ends (its views are `done`) at the first check that fails, when anything of the caller's raises, and when no
    action is left; so whoever acts in it needs to know nothing of checks. What raised is an action that was done, too.
    A `strict` one does nothing but its valid actions. What is cut is redacted first.
    """

    def __init__(
        self, world: World, call: Call, gate: Gate | None, actions: int, redactor: Redactor | None, strict: bool = False
    ) -> None:
        self._world = world
        self._call = call
        self._gate = gate
        self.redactor = redactor
        self._strict = strict
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
            self.view = bounded(self._call(self._world.reset), self.redactor)
        except Exception as error:
            return self.went_wrong("reset", error)
        self.ended = self.view.done
        return self._shown()

    def act(self, action: str, expects: str = "") -> View:
        """Do something, and have it checked. Once it is over nothing is done, and so nothing understood."""
        if self._strict and not self.over and action not in self.valid_actions():
            return View("it is not among the options", "", understood=False, done=self.over)
        if self.over:
            return replace(self._shown(), understood=False)
        self._calls -= 1
        view, fault = self._done(action)
        if not view.understood:
            return replace(view, done=self.over)
        self.view = view
        self.left -= 1
        self.ended = view.done
        self.last = Acted(self.attempt, self.last.number + 1 if self.last else 1, action, view.observation, expects)
        self.events.append(self.last)
        if fault is not None:
            self._noted(fault)
        elif self.every:
            self._check(self.last)
        return self._shown()

    def _done(self, action: str) -> tuple[View, Wrong | None]:
        """What an action showed, and what went wrong; one that raised shows what it raised."""
        try:
            try:
                return bounded(self._call(self._world.act, action), self.redactor), None
            except UnendedError as error:
                fault = wrong("done", error.__cause__ or error, self.redactor)
                return bounded(error.view, self.redactor), fault
        except Exception as error:
            fault = wrong("act", error, self.redactor)
            self.refused = action
            return replace(self.view, observation=fault.what, understood=True, done=False), fault

    def lived(self) -> tuple[Step, ...]:
        """What was done in this attempt, as steps."""
        acted = (one for one in self.events if isinstance(one, Acted) and one.attempt == self.attempt)
        return tuple(Step(action=one.action, observation=one.observation) for one in acted)

    def valid_actions(self) -> Sequence[str]:
        """What can be done now."""
        try:
            return listed(self._call(self._world.valid_actions))
        except Exception as error:
            self.went_wrong("options", error)
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
            seen = cut(acted.observation, 300, self.redactor)
            said = "as expected" if met else f"expected {shown(acted.expects, 300)}, and saw {seen!r}"
            self._said("expectation", acted, met, said)
        if self._gate is None or self.failed:
            return
        try:
            passed, reason = _verdict(self._call(self._gate, acted), self.redactor)
        except Exception as error:
            self.went_wrong("gate", error)
            return
        self._said("gate", acted, passed, reason)

    def _said(self, by: str, acted: Acted, passed: bool, reason: str) -> None:
        checked = Checked(acted.attempt, acted.number, by, passed, reason)
        self.events.append(checked)
        if not passed:
            self.refuse(acted.action, reason or f"the {by} refused {shown(acted.action, 200)}")
        elif by == "gate":
            self.passed = checked

    def went_wrong(self, where: str, error: Exception) -> View:
        """End the attempt, because something raised."""
        self._noted(wrong(where, error, self.redactor))
        return self._shown()

    def _noted(self, fault: Wrong) -> None:
        self.wrong = fault
        self.events.append(fault)

    def _shown(self) -> View:
        return replace(self.view, done=True) if self.over else self.view


def shows(observation: str, expects: str) -> bool:
    """Whether an observation has most of the words that were expected, numbers apart."""
    wanted = {word for word in content(expects) if not word[0].isdigit()}
    return not wanted or len(wanted & content(observation)) / len(wanted) >= SHOWN


def _verdict(said: object, redactor: Redactor | None) -> tuple[bool, str]:
    reason: object = None
    if isinstance(said, tuple) and len(said) == 2:
        said, reason = said
    if not isinstance(said, bool):
        raise TypeError(f"the gate gave {shown(said)}; it has to give True or False, or one of them and the reason")
    return said, "" if reason is None else kept(str(reason), redactor)
