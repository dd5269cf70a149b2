"""Acting out scripts: check what happened after every step, repeat, branch, and take the next-best when stuck."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.agent.body import Body
from graphmem.agent.perform import Performer
from graphmem.agent.role import Role
from graphmem.agent.script import Part, Script, futile
from graphmem.agent.trace import Moment
from graphmem.agent.words import content, likeness, parse

_UNLIKE, _LIKE = 0.34, 0.7
_PATIENCE = 3  # how often as long a loop may take as it took the demonstration
_KINDRED = 0.1  # how much less a demonstration may fit than the best to be branched to
_LINGER = 12
_SCRIPTS = 3  # how many demonstrations are tried in one run


class Player:
    """Follows scripts in a world, the best first, until the run is over or none is left."""

    def __init__(self, body: Body, scripts: Sequence[Script]) -> None:
        self.body = body
        self.scripts = scripts
        self.used: list[str] = []
        self.stuck: list[str] = []  # those that something of the task could not be done by
        self.done: set[str] = set()
        self.performer = Performer(body, scripts)

    def play(self) -> None:
        """Follow the scripts one after the other, going on where the last one got stuck.

        What the task asks for and one cannot do, the next one may; if none can, the first goes on without it.
        """
        given_up: tuple[Role, int] | None = None
        for script in self.scripts:
            if self.body.over or len(self.used) >= _SCRIPTS:
                break
            if script.memory in self.used:
                continue
            role = Role(script, script.substitution)
            at = self.follow(role, self._undone(role))
            if not role.stalled and not role.failed:
                return self._linger(script)
            self.stuck.append(script.memory)
            if role.failed and not role.stalled and given_up is None:
                given_up = role, at + 1
        if given_up is not None:
            self.follow(*given_up, dauntless=True)
            self._linger(given_up[0].script)
        return None

    def follow(self, role: Role, start: int, dauntless: bool = False) -> int:
        """Act out the parts of a script from `start` on, and say where it ended; `dauntless` passes over what fails."""
        self.used.append(role.script.memory)
        parts = role.script.parts
        for index in range(start, len(parts)):
            part, after = parts[index], parts[index + 1 :]
            if self.body.over or role.stalled:
                return index
            if part.times > 1:
                self._repeat(role, part, after)
            elif not futile(part.first):
                moment = self._step(role, part.first, after)
                branch = self._branch(role, part.first, moment) if moment else None
                if branch:
                    return self.follow(*branch)
            if role.failed and not dauntless:
                return index
        return len(parts)

    def _step(self, role: Role, moment: Moment, after: Sequence[Part]) -> Moment | None:
        lived = self.performer.perform(role, moment, [later for part in after for later in part.body])
        if lived:
            self.done.add(role.words(moment.action))
        return lived

    def _repeat(self, role: Role, part: Part, after: Sequence[Part]) -> None:
        last = not after
        for turn in range(1, 100 if last else self._turns(part, after)):
            told = ""
            for moment in part.body:
                lived = self._step(role, moment, after)
                told += "\n" + lived.told if lived else ""
            if self.body.over or not told:
                return
            if last:
                continue
            if part.cue & content(told):
                return
            if turn >= part.times and (not part.cue or turn >= 2 * part.times) and self._ready(role, after[0].first):
                return

    def _turns(self, part: Part, after: Sequence[Part]) -> int:
        """How often a loop may be lived: it leaves what follows its share of the actions that are left."""
        ahead = sum(one.times * len(one.body) for one in (part, *after))
        if ahead <= self.body.left:
            return part.times * _PATIENCE
        return max(2, 1 + part.times * self.body.left // ahead)

    def _ready(self, role: Role, moment: Moment) -> bool:
        return all(self.body.sees(phrase) for phrase in parse(role.words(moment.action))[1])

    def _linger(self, script: Script) -> None:
        """Give what was begun some time: do what needs no object, as demonstrations did, or the last thing again."""
        waits = [moment.action for moment in script.moments if not parse(moment.action)[1]] + self.performer.waits
        for _ in range(_LINGER if waits else 0):
            if self.body.act(waits[0], "time may have to pass") is None:
                return

    def _undone(self, role: Role) -> int:
        """The first part that has not been done in this run."""
        parts = role.script.parts
        undone = (
            i
            for i, part in enumerate(parts)
            if not futile(part.first) and role.words(part.first.action) not in self.done
        )
        return next(undone, len(parts))

    def _branch(self, role: Role, expected: Moment, lived: Moment) -> tuple[Role, int] | None:
        """Where the answer is unlike the demonstration's, go on with one that got an answer like it."""
        if likeness(lived.told, role.words(expected.told)) >= _UNLIKE:
            return None
        for other in self.scripts:
            if other.memory in self.used or other.fit < self.scripts[0].fit - _KINDRED:
                continue
            words = other.substitution
            for index, part in enumerate(other.parts):
                for moment in part.body:
                    same = likeness(words(moment.action), lived.action) > _LIKE
                    if same and likeness(words(moment.told), lived.told) > _LIKE:
                        return Role(other, words), index + 1
        return None
