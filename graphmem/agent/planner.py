"""Planning by rules: what worked before, carried over to the task; else what sounds like it, without what failed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from graphmem.agent.follow import ready
from graphmem.agent.literal import Names, renamed, renames
from graphmem.agent.notes import failures, forbids, is_failed
from graphmem.agent.plan import Brief, Intent, Plan
from graphmem.agent.trace import BEGIN
from graphmem.agent.words import content, refuses, tokens
from graphmem.models import Episode, Outcome, Reflection, Skill
from graphmem.recall import Decision

_EXPECTED = 12  # words of a remembered answer that are looked for in the new one


class RulePlanner:
    """The planner that needs no model. It never fails, and the same brief gives the same plan."""

    @property
    def name(self) -> str:
        """The rules and their version."""
        return "rules-1"

    def plan(self, brief: Brief) -> Plan:
        """Where places are described, the demonstrations for the player; else the steps of the best fitting success
        or skill that is not known to fail; else the options that sound like the task.
        """
        if brief.spatial:
            return self._adapted(brief)
        known = None if brief.seen else self._known(brief)
        return known or self._tried_out(brief, _refused(brief))

    def _adapted(self, brief: Brief) -> Plan:
        failed = {name for tried in brief.tried for name in tried.sources}
        shown = [(name, episode) for name, episode in brief.episodes() if name not in failed]
        scripts = ready(brief.task, shown)
        if not scripts and (known := self._known(brief)):
            return known
        steps = tuple(Intent(scripts[0].substitution(one.action)) for one in scripts[0].moments) if scripts else ()
        sources = tuple(script.memory for script in scripts)
        why = f"as in {sources[0]}" if sources else "nothing is remembered: tried out"
        return Plan(self.name, steps, sources, tuple(shown), adaptive=True, why=why)

    def _known(self, brief: Brief) -> Plan | None:
        """The best fitting of what worked, if anything of it may be done and nothing of it failed in this run.

        Where nothing but the options is done, it has to begin with one of them.
        """
        refused = _refused(brief)
        fitting = (
            plan
            for plan in self._remembered(brief)
            if plan.steps and (not brief.place.strict or plan.steps[0].action in brief.options)
        )
        return next((plan for plan in fitting if refused.isdisjoint(one.action for one in plan.steps)), None)

    def _remembered(self, brief: Brief) -> Iterator[Plan]:
        """What worked, the best fitting first, then the skills; not what failed in this run already."""
        failed = {name for tried in brief.tried for name in tried.sources}
        episodes = dict(brief.episodes())
        known = (
            []
            if brief.spatial
            else [(one.memory, *_lived(episodes[one.memory], brief)) for one in ready(brief.task, episodes.items())]
        )
        skills = [(hit.id, *_practised(hit.memory, brief)) for hit in brief.hits if isinstance(hit.memory, Skill)]
        for memory, steps, names in (*known, *skills):
            if memory not in failed:
                why = f"as in {memory}" + "".join(f"; {new} for {old}" for old, new in names)
                kept = _unwarned(steps, brief)
                yield Plan(self.name, tuple(kept), (memory,), why=why)

    def _tried_out(self, brief: Brief, refused: set[str]) -> Plan:
        """Of the options with each tool or verb the one that sounds most like the task, in the order of its words."""
        done = {step.action for step in brief.seen}
        warned = _warned(brief)
        left = [one for one in dict.fromkeys(brief.options) if one not in refused | done]
        options = [one for one in left if one not in warned] or left
        wanted = content(brief.task)
        places = {word: place for place, word in reversed(list(enumerate(tokens(brief.task))))}
        best: dict[str, str] = {}
        for option in sorted(options, key=lambda one: -len(content(one) & wanted)):  # stable: the caller's order
            if content(option) & wanted:
                best.setdefault(_verb(option), option)
        chosen = list(best.values()) or options[:1]
        order = sorted(chosen, key=lambda one: min((places.get(word, len(places)) for word in tokens(one)), default=0))
        steps = tuple(map(Intent, order))
        return Plan(self.name, steps, open=brief.place.ends and bool(steps), why="tried out, by the task's words")


def _lived(episode: Episode, brief: Brief) -> tuple[list[Intent], Names]:
    """What an episode did, in the words of the present task, without what got it nowhere."""
    names = renames(episode.task, brief.task)
    expecting = brief.decision is Decision.VERIFY and not brief.gated
    steps = [
        Intent(renamed(step.action, names), renamed(_expected(step.observation), names) if expecting else "")
        for step in episode.trajectory
        if step.action not in ("", BEGIN) and not is_failed(step) and not refuses(step.observation)
    ]
    return steps, names


def _practised(skill: Skill, brief: Brief) -> tuple[list[Intent], Names]:
    names = renames(skill.name, brief.task)
    return [Intent(renamed(step, names)) for step in skill.steps], names


def _expected(observation: str) -> str:
    """The beginning of a remembered answer, as far as words of it may be expected again."""
    first = observation.strip().split("\n", 1)[0]
    return " ".join(first.split()[:_EXPECTED])


def _refused(brief: Brief) -> set[str]:
    """What failed in this run."""
    return {tried.failed for tried in brief.tried if tried.failed}


def _warned(brief: Brief) -> set[str]:
    """What failed in remembered episodes, in the words of the present task, unless it also worked; and the options that
    a lesson forbids.
    """
    bad: set[str] = set()
    good: set[str] = set()
    for _, episode in brief.episodes():
        names = renames(episode.task, brief.task)
        bad |= {renamed(action, names) for action in failures(episode)}
        if episode.outcome is Outcome.SUCCESS:
            good |= {renamed(step.action, names) for step in episode.trajectory}
    lessons = [hit.memory for hit in brief.hits if isinstance(hit.memory, Reflection)]
    return (bad - good) | {one for one in brief.options if any(forbids(lesson, one) for lesson in lessons)}


def _unwarned(steps: Sequence[Intent], brief: Brief) -> list[Intent]:
    warned = _warned(brief)
    lessons = [hit.memory for hit in brief.hits if isinstance(hit.memory, Reflection)]
    return [
        one for one in steps if one.action not in warned and not any(forbids(lesson, one.action) for lesson in lessons)
    ]


def _verb(option: str) -> str:
    name, colon, _ = option.partition(":")
    return name.strip().lower() if colon and " " not in name.strip() else (tokens(option) or ("",))[0]
