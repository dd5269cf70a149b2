"""Doing one step of a demonstration in the present world."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.agent import ground, kin, travel
from graphmem.agent.align import Substitution, align
from graphmem.agent.body import Body
from graphmem.agent.choose import Chooser
from graphmem.agent.role import Role
from graphmem.agent.script import Script
from graphmem.agent.trace import Moment
from graphmem.agent.twins import twin
from graphmem.agent.words import content, likeness, parse, phrases, tokens

_AWAITED, _SLACK = 12, 0.05
_CONTRARY = 0.8  # how alike the words of another kind of task are at least to be the contrary of this one
_KINDRED = 0.15  # how much less than the best a demonstration may fit to be one of the same kind of task


def _thing_line(wanted: Sequence[frozenset[str]], lines: Sequence[str]) -> tuple[str, float]:
    """The line that shows the first thing of an action, and the share of all names in the action that it shows."""
    names = frozenset(word for phrase in wanted for word in phrase if not word[0].isdigit())
    showing = [line for line in lines if wanted and wanted[0] <= content(line)]
    best = max(showing, key=lambda line: len(names & content(line)), default="")
    return best, len(names & content(best)) / max(1, len(names))


class Performer:
    """Carries out single steps for a player."""

    def __init__(self, body: Body, scripts: Sequence[Script]) -> None:
        self.body = body
        self.scripts = scripts
        self.kindred = [script for script in scripts if script.fit >= scripts[0].fit - _KINDRED]
        self.contrary = [
            script for script in scripts if script not in self.kindred and script.substitution.likeness >= _CONTRARY
        ]
        self.verbs = frozenset(tokens(body.world.task))
        self.chooser = Chooser(body, scripts, self.kindred)
        paused = body.atlas.pause()
        self.waits = [m.action for one in scripts[:1] for m in one.moments if not parse(m.action)[1]]
        self.waits += [paused] if paused else []
        self.reached: dict[str, str] = {}  # what the task asks for and was done, and after which memory

    def perform(self, role: Role, moment: Moment, later: Sequence[Moment]) -> Moment | None:
        """Do what the demonstration did at `moment`; None when it could not be done."""
        body, words = self.body, role.words
        action = self.chooser.decided(role.script.task, moment.action) or self._wording(role, moment)
        goal = parse(action)[0] in self.verbs  # the task itself asks for such an action: a wrong one may not be undone
        if goal:
            action = self.chooser.compared(action)
        wanted = parse(action)[1]
        particular = role.script.substitution.new if goal else role.particular(phrases(moment.action))
        required = particular & content(action)
        if goal:
            required = (particular | body.vital) & (content(action) | (particular & content(words(moment.observation))))
        self._approach(role, moment, action, particular)
        if self._twinned(role, moment):
            action = self._wording(role, moment)
            wanted = parse(action)[1]
        self._seek(wanted, action, particular)
        if goal and required - content(parse(action)[0]):
            self._await(moment, wanted)
        if body.over or (goal and self._repeats(role, action)):
            return None
        done, why = None, f"as in {role.script.memory}"
        if self._shown(wanted, content(action)) >= required and (not goal or self._in_sight(wanted)):
            done = body.act(action, why)
        if done is None:
            chosen = (
                self._renumbered(moment, action)
                or self._other(role, moment, action, later, required, missing=True)
                or ground.closest(body, action, required, ground.SURE if goal else ground.ENOUGH)
                or self._other(role, moment, action, later, required, missing=False)
            )
            if goal and self._repeats(role, chosen):
                return None
            done = body.act(chosen, f"{why}: {action}") if chosen else None
        if done is None:
            role.stalled |= bool(required & particular)
            role.failed |= goal
            return None
        if goal:
            self.reached[done.action] = role.script.memory
        if options := body.choices():
            done = body.act(options[0], "any of them")
        if done:
            self._told(role, moment, done)
        return done

    def _wording(self, role: Role, moment: Moment) -> str:
        """The substituted action; a phrase that only happens to hold replaced words may stay as it was."""
        action = role.words(moment.action)
        for old, new in zip(phrases(moment.action), phrases(action), strict=False):
            if old != new and not self.body.sees(content(new)) and role.beside(old):
                action = action.replace(new, old)
        return action

    def _shown(self, wanted: Sequence[frozenset[str]], named: frozenset[str]) -> frozenset[str]:
        """The words of an action and of the lines that show its things."""
        return named.union(*(content(self.body.line(phrase)) for phrase in wanted))

    def _approach(self, role: Role, moment: Moment, action: str, particular: frozenset[str]) -> None:
        body = self.body
        wanted = parse(action)[1]
        bound_to = role.words(moment.place) == moment.place and not any(particular & phrase for phrase in wanted)
        if not wanted or (self._in_sight(wanted) and not bound_to):
            return
        place = self._place(role, moment, action)
        if place != body.view.place:
            for name, phrase in zip(phrases(action), wanted, strict=True):
                here = body.tells(phrase) and body.line(phrase) and not body.holds(phrase)
                if len(wanted) > 1 and here and phrase != wanted[-1]:
                    travel.take(body, name)
            travel.go(body, place)

    def _twinned(self, role: Role, moment: Moment) -> bool:
        """Let what is here stand for what the demonstration had at this place and is not to be seen."""
        body = self.body
        if body.view.place not in (moment.place, role.words(moment.place)):
            return False
        before = role.words
        used = [phrase for one in role.script.moments for phrase in phrases(one.action)]
        for phrase in phrases(moment.action):
            wanted = content(phrase if role.beside(phrase) else role.words(phrase))
            if role.particular((phrase,)) or any(old in phrase for old in role.twins):
                continue
            if body.sees(wanted) or body.spotted(wanted):
                continue
            role.twins |= dict(twin(phrase, sorted(moment.seen), body.view.sight, role.twins.values(), used))
            role.words = role.words.extended(role.twins.items())
        return role.words != before

    def _seek(self, wanted: Sequence[frozenset[str]], action: str, particular: frozenset[str]) -> None:
        """Look for what is missing, unless another thing may serve."""
        body = self.body
        for slot, phrase in enumerate(wanted):
            if body.sees(phrase):
                continue
            if phrase & particular or body.spotted(phrase) or not self._taken(action, slot, self.scripts):
                travel.find(body, phrase, bool(phrase & particular))

    def _place(self, role: Role, moment: Moment, action: str) -> str:
        """Where to do it: where what is missing was seen in this run, else where the task has it.

        The demonstration's own place is taken if such things were only seen there.
        """
        place = role.words(moment.place)
        told, seen = 0, 0
        here = self.body.view.place == moment.place
        if here and any(self.body.tells(phrase) and self.body.sees(phrase) for phrase in parse(action)[1]):
            return moment.place
        for slot, phrase in enumerate(parse(action)[1]):
            spotted = "" if self.body.sees(phrase) else self.body.spotted(phrase)
            if spotted:
                return spotted
            if phrase & self.body.vital or not self.body.tells(phrase) or self._taken(action, slot, self.kindred):
                continue
            places = {sighting.place for sighting in self.body.atlas.where(phrase)} if place != moment.place else set()
            told += place in places
            seen += moment.place in places
        return moment.place if seen > told else place

    def _await(self, moment: Moment, wanted: Sequence[frozenset[str]]) -> None:
        """Let time pass until what the task asks for is in sight as far as it was for the demonstration."""
        body = self.body
        enough = _thing_line(parse(moment.action)[1], sorted(moment.seen))[1]
        for _ in range(_AWAITED if self.waits and enough else 0):
            if body.over or _thing_line(wanted, body.view.sight)[1] >= enough - _SLACK:
                return
            body.act(self.waits[0], "what is asked for has to come about")

    def _in_sight(self, wanted: Sequence[frozenset[str]]) -> bool:
        return all(self.body.sees(phrase) for phrase in wanted)

    def _taken(self, action: str, slot: int, scripts: Sequence[Script]) -> list[kin.Choice]:
        taken = kin.choices(action, slot, scripts)
        return taken if kin.varies(taken) else []

    def _repeats(self, role: Role, action: str | None) -> bool:
        """Whether another demonstration already led to it: it was done for the task, and once is enough."""
        return action is not None and self.reached.get(action, role.script.memory) != role.script.memory

    def _other(
        self, role: Role, moment: Moment, action: str, later: Sequence[Moment], required: frozenset[str], missing: bool
    ) -> str | None:
        """The action with another thing in place of one (that is `missing`, or any), if demonstrations vary in it.

        Only at the place itself, whose things are the choice that the demonstrations had.
        """
        if self.body.view.place not in (moment.place, role.words(moment.place)):
            return None
        bound = {phrase for one in role.script.moments for phrase in parse(role.words(one.action))[1]}
        for slot, phrase in enumerate(parse(action)[1]):
            given = phrase & required or (not missing and required) or (missing and self.body.sees(phrase))
            taken = [] if given else self._taken(action, slot, self.kindred) or self._taken(action, slot, self.scripts)
            if not taken or slot >= len(phrases(moment.action)):
                continue
            against = kin.choices(action, slot, self.contrary)
            ahead = [role.words(one.action) for one in later]
            chosen = kin.choose(self.body, action, slot, taken, ahead, bound, against)
            if chosen:
                role.words = role.words.extended(kin.bind(self.body, moment, phrases(moment.action)[slot], chosen[1]))
                return chosen[0]
        return None

    def _renumbered(self, moment: Moment, action: str) -> str | None:
        """The action with the numbers that the thing's line has here, where only they differ."""
        if not any(word[0].isdigit() for word in content(action)):
            return None
        before, enough = _thing_line(parse(moment.action)[1], sorted(moment.seen))
        after, found = _thing_line(parse(action)[1], self.body.view.sight)
        if not before or not after or found < enough - _SLACK:
            return None
        digits = [pair for pair in kin.named(before, after) if pair[0][-1].isdigit()]
        renumbered = Substitution(tuple(digits))(action)
        return renumbered if renumbered != action else None

    def _told(self, role: Role, moment: Moment, done: Moment) -> None:
        """Where the answer differs from the demonstration's in a few words, so will what follows from it."""
        expected = role.words(moment.observation)
        if 0.4 <= likeness(expected, done.observation) < 1.0:
            differing = align(expected, done.observation).whole
            places = frozenset[str]().union(*(content(one.place) for one in role.script.moments))
            role.words = role.words.extended(
                (old, new)
                for old, new in differing
                if len((old + " " + new).split()) <= 4
                and new
                and content(old)
                and not content(old) & places  # where to is said anew each time
                and not any(c.isdigit() for c in old + new)
            )
