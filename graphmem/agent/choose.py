"""Choosing between what a task names: by its cases, or by comparing what was read in this run."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.agent import compare, decide
from graphmem.agent.align import Substitution
from graphmem.agent.body import Body
from graphmem.agent.script import Script
from graphmem.agent.words import NUMBER, tokens


class Chooser:
    """Chooses for one run; `scripts` are all that is remembered, `kindred` those of the same kind of task."""

    def __init__(self, body: Body, scripts: Sequence[Script], kindred: Sequence[Script]) -> None:
        self.body = body
        self.scripts = scripts
        self.kindred = kindred
        self.cases = decide.cases(body.world.task)
        self.listed = compare.listed(body.world.task)

    def decided(self, task: str, action: str) -> str | None:
        """The action of the case that has come about, where a demonstration of `task` acted on one of several cases."""
        past = decide.cases(task)
        done = decide.case_of(action, past) if past and self.cases else None
        if done is None:
            return None
        now = decide.by_number(self.cases, self._last_number()) or decide.by_evidence(
            self.cases, self._evidence(), frozenset(self.body.view.sight)
        )
        return decide.redirect(action, done, now) if now else None

    def compared(self, action: str) -> str:
        """The action with the thing that comparing says, where it names one of those that the task lists."""
        said = compare.named(action, self.listed)
        if not said:
            return action
        task = self.body.world.task
        steps = ((step.action, step.observation) for step in self.body.diary.steps)
        chosen = compare.choice(task, steps, self.kindred, frozenset(tokens(task)))
        return Substitution(((said, chosen),))(action) if chosen else action

    def _last_number(self) -> float | None:
        for step in reversed(self.body.diary.steps):
            numbers = NUMBER.findall(step.observation.split("\n", 1)[0])
            if numbers:
                return float(numbers[-1])
        return None

    def _evidence(self) -> list[tuple[decide.Case, frozenset[str]]]:
        found: list[tuple[decide.Case, frozenset[str]]] = []
        for script in self.scripts:
            past = decide.cases(script.task)
            for moment in script.moments:
                case = decide.case_of(moment.action, past) if past else None
                if case:
                    found.append((case, frozenset(script.substitution(line) for line in moment.seen)))
        return found
