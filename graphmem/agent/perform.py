"""Doing one step of a demonstration in the present world."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphmem.agent import decide, ground, kin, travel
from graphmem.agent.align import Substitution, align
from graphmem.agent.body import Body
from graphmem.agent.script import Script
from graphmem.agent.trace import Moment
from graphmem.agent.words import NUMBER, content, likeness, parse, phrases, tokens

_AWAITED, _SLACK = 12, 0.05


@dataclass(slots=True)
class Role:
    """A script being played: its words for the present run, which grow as things are found to stand for others."""

    script: Script
    words: Substitution
    stalled: bool = False  # something of the task itself could not be done: no use to go on
    failed: bool = False  # an action that the task asks for could not be done


def _thing_line(wanted: Sequence[frozenset[str]], lines: Sequence[str]) -> tuple[str, float]:
    """The line that shows the first thing of an action, and the share of all names in the action that it shows."""
    names = frozenset(word for phrase in wanted for word in phrase if not word[0].isdigit())
    showing = [line for line in lines if wanted and wanted[0] <= content(line)]
    best = max(showing, key=lambda line: len(names & content(line)), default="")
    return best, len(names & content(best)) / max(1, len(names))


def _beside(role: Role, phrase: str) -> bool:
    """Whether the words to replace only happen to stand in a phrase: it lacks the head that they have in the task."""
    words = phrase.split()
    return any(
        head and set(old.split()) <= set(words) and head not in words for old, head in role.script.substitution.heads
    )


class Performer:
    """Carries out single steps for a player."""

    def __init__(self, body: Body, scripts: Sequence[Script]) -> None:
        self.body = body
        self.scripts = scripts
        self.cases = decide.cases(body.world.task)
        self.verbs = frozenset(tokens(body.world.task))
        paused = body.atlas.pause()
        self.waits = [m.action for one in scripts[:1] for m in one.moments if not parse(m.action)[1]]
        self.waits += [paused] if paused else []
        self.reached: dict[str, str] = {}  # what the task asks for and was done, and after which memory

    def perform(self, role: Role, moment: Moment, later: Sequence[Moment]) -> Moment | None:
        """Do what the demonstration did at `moment`; None when it could not be done."""
        body, words = self.body, role.words
        particular = role.script.substitution.new
        action = self._decided(role, moment) or self._wording(role, moment)
        verb, wanted = parse(action)
        goal = verb in self.verbs  # the task itself asks for such an action: a wrong one may not be undone
        required = particular & content(action)
        if goal:
            required = (particular | body.vital) & (content(action) | (particular & content(words(moment.observation))))
        self._approach(role, moment, action, particular)
        if goal and required:
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
        """The substituted action; a phrase that is in sight only as the demonstration said it stays as it was."""
        action = role.words(moment.action)
        for old, new in zip(phrases(moment.action), phrases(action), strict=False):
            if old != new and not self.body.sees(content(new)) and self.body.sees(content(old)) and _beside(role, old):
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
        for slot, phrase in enumerate(wanted):
            if not body.sees(phrase) and (phrase & particular or not self._taken(action, slot)):
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
            if phrase & self.body.vital or not self.body.tells(phrase) or self._taken(action, slot):
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

    def _taken(self, action: str, slot: int) -> list[kin.Choice]:
        taken = kin.choices(action, slot, self.scripts)
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
            taken = [] if given else self._taken(action, slot)
            if not taken or slot >= len(phrases(moment.action)):
                continue
            chosen = kin.choose(self.body, action, slot, taken, [role.words(one.action) for one in later], bound)
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
            role.words = role.words.extended(
                (old, new)
                for old, new in differing
                if len((old + " " + new).split()) <= 4
                and new
                and content(old)
                and not any(c.isdigit() for c in old + new)
            )

    def _decided(self, role: Role, moment: Moment) -> str | None:
        """The action of the case that has come about here, where the demonstration acted on one of several cases."""
        past = decide.cases(role.script.task)
        done = decide.case_of(moment.action, past) if past and self.cases else None
        if done is None:
            return None
        now = decide.by_number(self.cases, self._last_number()) or decide.by_evidence(
            self.cases, self._evidence(), frozenset(self.body.view.sight)
        )
        return decide.redirect(moment.action, done, now) if now else None

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
