"""Every condition, played by the product on the same messages."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random

from graphmem.agent.triage import By, Judged, Message, Policy, Route, Triage
from graphmem.agent.triage.examples import agreed, vote
from graphmem.agent.triage.trace import Example
from graphmem.demo.mail.data import ASKING, Mail
from graphmem.errors import GraphmemError
from graphmem.fields import DEFAULT_LIMIT
from graphmem.memory import Memory

DOMAIN, EMPTY = "email", "email-without-examples"
POLICY, RULES = "policy", "rules"
RANDOM, RECALLED = "random", "recalled"
RULES_RANDOM, RULES_RECALLED = "rules_random", "rules_recalled"
MEANING = {
    POLICY: "the default of the policy: ignore",
    RANDOM: "that policy, and random reviewed examples, as many",
    RECALLED: "that policy, and recalled reviewed examples",
    RULES: "that policy, and a rule of keywords as a person would write it",
    RULES_RANDOM: "policy and rule, and random reviewed examples where the rule does not decide",
    RULES_RECALLED: "policy and rule, and recalled reviewed examples where the rule does not decide",
}
LIMITS = (1, 2, DEFAULT_LIMIT, 5)
_DEFAULT = Policy(default=Route.IGNORE)

Tell = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Choice:
    """One decision: the route, by what, how many examples were shown, and how long it took."""

    route: Route
    by: By
    examples: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Played:
    """The decisions of every condition and of every limit, in the order of the messages; and from other senders."""

    conditions: dict[str, tuple[Choice, ...]]
    limits: dict[int, tuple[Choice, ...]]
    others: tuple[Choice, ...]
    learnt: int


def play(memory: Memory, mail: Mail, seed: int, tell: Tell) -> Played:
    """Play all conditions; no message is recorded. Raises GraphmemError where the memory fails."""
    messages = [one.message for one in mail.test]
    learnt = _learnt(memory, mail.train, tell)
    limits = _by_limit(memory, messages, tell)
    others = _decided(memory, DOMAIN, mail.others)
    random = _at_random(mail.train, len(messages), seed)
    memory.set_rule(
        "asking", "What asks for something is answered", by="a person", mentions=ASKING, decision=Route.RESPOND.value
    )
    rules = _decided(memory, EMPTY, messages)
    tell("every message decided by policy and rule")
    default = Choice(_DEFAULT.default, By.POLICY, 0, 0.0)
    conditions = {
        POLICY: (default,) * len(messages),
        RANDOM: random,
        RECALLED: limits[DEFAULT_LIMIT],
        RULES: rules,
        RULES_RANDOM: tuple(
            first if first.by is By.RULE else other for first, other in zip(rules, random, strict=True)
        ),
        RULES_RECALLED: _decided(memory, DOMAIN, messages),
    }
    tell("every condition is played")
    return Played(conditions, limits, others, learnt)


def _learnt(memory: Memory, train: Sequence[Judged], tell: Tell) -> int:
    def progress(done: int) -> None:
        if done % 500 == 0:
            tell(f"{done} of {len(train)} reviewed messages learnt")

    told = Triage(memory, domain=DOMAIN).learn(train, by="annotator", progress=progress)
    failed = [one for one in told if one.problem]
    if failed:
        raise GraphmemError(f"{len(failed)} messages were not learnt; the first: {failed[0].problem}")
    return sum(one.changed for one in told)


def _by_limit(memory: Memory, messages: Sequence[Message], tell: Tell) -> dict[int, tuple[Choice, ...]]:
    """Every message with every limit by turns, so that what slows the computer down slows all limits alike."""
    made: dict[int, list[Choice]] = {limit: [] for limit in LIMITS}
    triages = {limit: _triage(memory, DOMAIN, limit) for limit in LIMITS}
    for number, message in enumerate(messages):
        turn = number % len(LIMITS)
        for limit in (*LIMITS[turn:], *LIMITS[:turn]):
            made[limit].append(_decision(triages[limit], message))
        if (number + 1) % 200 == 0:
            tell(f"{number + 1} of {len(messages)} messages decided with {LIMITS} recalled examples")
    return {limit: tuple(choices) for limit, choices in made.items()}


def _decided(memory: Memory, domain: str, messages: Iterable[Message]) -> tuple[Choice, ...]:
    triage = _triage(memory, domain, DEFAULT_LIMIT)
    return tuple(_decision(triage, message) for message in messages)


def _triage(memory: Memory, domain: str, limit: int) -> Triage:
    return Triage(memory, domain=domain, policy=_DEFAULT, limit=limit)


def _decision(triage: Triage, message: Message) -> Choice:
    start = time.perf_counter()
    decided = triage.decide(message, record=False)
    seconds = time.perf_counter() - start
    if decided.policy_only:
        raise GraphmemError(f"message {message.id} was decided without the memory: {decided.trace.why}")
    return Choice(decided.route, decided.by, len(decided.examples), seconds)


def _at_random(train: Sequence[Judged], count: int, seed: int) -> tuple[Choice, ...]:
    """Decisions by as many examples as are recalled, but random ones; each has the same weight."""
    random = Random(seed)  # noqa: S311 - a draw that can be repeated
    made = []
    for _ in range(count):
        start = time.perf_counter()
        drawn = random.sample(train, DEFAULT_LIMIT)
        route = agreed(vote(Example(id=one.message.id, route=one.route, relevance=1.0) for one in drawn))
        by = By.POLICY if route is None else By.EXAMPLES
        made.append(Choice(route or _DEFAULT.default, by, DEFAULT_LIMIT, time.perf_counter() - start))
    return tuple(made)
