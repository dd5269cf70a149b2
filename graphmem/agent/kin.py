"""Kin: another thing for a part that different demonstrations gave to different things.

Demonstrations of one kind of task that took different things for the same step say that the step wants a kind of thing.
What they took is preferred, what they passed over is avoided, and what has to be done with it later must be possible.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from graphmem.agent.align import Pairs, align
from graphmem.agent.body import SEEN, Body, best_line
from graphmem.agent.ground import mutual
from graphmem.agent.script import Script
from graphmem.agent.trace import Moment
from graphmem.agent.words import FUNCTION_WORDS, content, coverage, parse, phrases, tokens

_DOUBT = 0.3  # how much what was taken for another kind of task weighs


@dataclass(frozen=True, slots=True)
class Choice:
    """What a demonstration took for a step, and the lines that it had in sight."""

    taken: frozenset[str]
    sight: frozenset[str]


def choices(intent: str, slot: int, scripts: Iterable[Script]) -> list[Choice]:
    """What demonstrations took for one phrase (`slot`) of a step: the same verb and, elsewhere, the same phrases.

    A demonstration that took the very same thing somewhere counts with that.
    """
    verb, wanted = parse(intent)
    found: list[Choice] = []
    for script in scripts:
        fitting: list[Choice] = []
        for other in script.moments:
            other_verb, given = parse(script.substitution(other.action))
            same = len(given) == len(wanted) and all(given[i] & wanted[i] for i in range(len(wanted)) if i != slot)
            if other_verb == verb and (same or (slot == 0 and given and 1 in (len(given), len(wanted)))):
                fitting.append(Choice(given[slot], other.seen))
        found += [choice for choice in fitting if choice.taken == wanted[slot]][:1] or fitting[:1]
    return found


def varies(taken: Sequence[Choice]) -> bool:
    """Whether the demonstrations took different things."""
    return any(not (one.taken & taken[0].taken) or one.taken - taken[0].taken for one in taken[1:])


def choose(
    body: Body,
    intent: str,
    slot: int,
    taken: Sequence[Choice],
    later: Sequence[str],
    bound: Collection[frozenset[str]],
    against: Sequence[Choice] = (),
) -> tuple[str, str] | None:
    """The valid action for `intent` with the best other thing in `slot`, and the name of that thing.

    Things that are `bound` to other parts of the demonstration already are taken last. `against` is what was taken for
    a task that differs in a word which no action says: it wants something else, so its choice speaks against a thing.
    """
    verb, wanted = parse(intent)
    later_verbs = {parse(action)[0] for action in later if wanted[slot] & content(action)}
    able: dict[frozenset[str], set[str]] = {}
    for action in body.valid_actions():
        other_verb, given = parse(action)
        if given and other_verb in later_verbs:
            able.setdefault(given[0], set()).add(other_verb)
    best: tuple[float, int, str, str] | None = None
    for action in body.valid_actions():
        other_verb, given = parse(action)
        at = slot if len(given) == len(wanted) else len(given) - 1 if slot == len(wanted) - 1 else slot
        if other_verb != verb or not 0 <= at < len(given) or not (at or slot == 0):
            continue
        thing, rest = given[at], given[:at] + given[at + 1 :]
        if not body.tells(thing) or not best_line(thing, body.view.lines, body.weight):
            continue
        others = [phrase for position, phrase in enumerate(wanted) if position != slot]
        if any(max((mutual(body, phrase, other) for other in rest), default=0.0) < SEEN for phrase in others[:1]):
            continue
        kept = coverage(frozenset[str]().union(*others), content(action), lambda word: body.weight(word) or 1.0)
        score = _record(body, thing, taken) - _DOUBT * _contrary(body, thing, against)
        score += mutual(body, wanted[slot], thing) + 2 * kept - (thing in bound)
        if later_verbs:
            score += len(able.get(thing, set())) / len(later_verbs)
        candidate = (-score, len(action), action, phrases(action)[at])
        if best is None or candidate < best:
            best = candidate
    return best[2:] if best else None


def _record(body: Body, thing: frozenset[str], taken: Sequence[Choice]) -> float:
    common = frozenset.intersection(*(choice.taken for choice in taken))
    score = 0.0 if common <= thing else -2.0 * len(taken)
    for choice in taken:
        alike = mutual(body, choice.taken, thing)
        score += 2 * alike
        if min(coverage(thing, choice.taken, body.weight), coverage(choice.taken, thing, body.weight)) >= SEEN:
            score += 2.0
        elif alike < SEEN and best_line(thing, tuple(choice.sight), body.weight):
            score -= 1.0
    return score / max(1, len(taken))


def _contrary(body: Body, thing: frozenset[str], against: Sequence[Choice]) -> float:
    score = 0.0
    for choice in against:
        if mutual(body, choice.taken, thing) >= SEEN:
            score += 2.0
        elif best_line(thing, tuple(choice.sight), body.weight):
            score -= 1.0
    return score / max(1, len(against))


def bind(body: Body, moment: Moment, old: str, name: str) -> Pairs:
    """What to say for the demonstration's thing from now on, and for what stood in the same line as it."""
    pairs: dict[str, str] = {}
    if content(old) & content(name):
        pairs.update(named(old, name))
    else:
        pairs[old] = name
        rarest = max(sorted(content(old)), key=body.weight, default="")
        if rarest not in body.vital:
            pairs.setdefault(rarest, name)
    before = best_line(content(old), tuple(sorted(moment.seen)), body.weight)
    after = body.line(content(name))
    if before and after:
        for pair in named(before, after):
            pairs.setdefault(*pair)
    return tuple(pairs.items())


def named(before: str, after: str) -> Pairs:
    """The short differences of two texts, each with the word beside it, so that a colour keeps its thing."""
    words = tokens(before)
    found: list[tuple[str, str]] = []
    for old, new in align(before, after).whole:
        parts = old.split()
        if len(parts) > 2 or len(new.split()) > 2 or set(parts) | set(new.split()) <= FUNCTION_WORDS:
            continue
        at = next((i for i in range(len(words)) if list(words[i : i + len(parts)]) == parts), 0)
        behind, ahead = words[at - 1 : at] if at else (), words[at + len(parts) : at + len(parts) + 1]
        if old[0].isdigit() and behind:
            found.append((f"{behind[0]} {old}", f"{behind[0]} {new}"))
        elif ahead and ahead[0] not in FUNCTION_WORDS and len(parts) == 1:
            found.append((f"{old} {ahead[0]}", f"{new} {ahead[0]}"))
        else:
            found.append((old, new))
    return tuple(found)
