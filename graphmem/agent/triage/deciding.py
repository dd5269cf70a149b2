"""The course of a decision: scope, rules, recall, route, record; and the audit of what the recall kept out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphmem.agent.calls import Ask, Course, Do
from graphmem.agent.triage.episode import TASK_TYPE, decision, routed
from graphmem.agent.triage.examples import POOL, agreed, diverse, usable, vote
from graphmem.agent.triage.message import Message, Policy, Route
from graphmem.agent.triage.model import Matter, Said, said_by
from graphmem.agent.triage.trace import By, Decided, Denied, Example, Ruling, Trace
from graphmem.errors import Conflict, OutboxError, StoreError, StoreUnavailable
from graphmem.govern import StoredRule
from graphmem.llm import Llm
from graphmem.models import Episode, Kind, Outcome
from graphmem.recall import Decision, Hit, Recall, Request
from graphmem.redact import Redactor
from graphmem.scope import Scope

Shown = Sequence[tuple[Example, Episode]]


@dataclass(frozen=True, slots=True)
class Means:
    """What is decided with; `Triage` says what each is."""

    scope: Scope
    domain: str
    policy: Policy
    limit: int
    llm: Llm | None
    redactor: Redactor | None


def decide(message: Message, means: Means, record: bool, audited: bool) -> Course[Decided]:
    """Decide what becomes of a message; see `Triage.decide`."""
    message.within(means.scope)
    decision(
        message, _blank(message, means), means.redactor
    )  # what could not be recorded is refused before anything is asked
    try:
        rules: tuple[StoredRule, ...] = yield Ask(lambda memory: memory.rules(domain=means.domain))
        (found,) = yield Ask(lambda memory: memory.recall_many([_request(message, means, reviewed=True)]))
        trace, shown = _seen(_blank(message, means), found, message, means)
    except StoreUnavailable as error:
        rules, found, shown = (), None, ()
        trace = _away(_blank(message, means), str(error), means)
    if trace.recall is not Decision.POLICY_ONLY:
        trace = _without_model(trace, message, rules, shown, means)
        if trace.by is not By.RULE and means.llm is not None:
            policy = [one for one in rules if not one.decision and one.holds(message.text, message.known)]
            matter = Matter(message, means.policy, policy, shown)
            said = yield Do(lambda call: call(said_by, means.llm, matter, means.redactor))
            trace = _with_model(trace, said, means.llm.name)
        if audited and found is not None:
            denied = yield from _denied(message, means, found)
            trace = trace.model_copy(update={"denied": denied})
    if record:
        trace = yield from _recorded(trace, message, means)
    return Decided.of(trace)


def audit(message: Message, means: Means) -> Course[tuple[Denied, ...]]:
    """What the recall of a message kept out, and why; see `Triage.audit`."""
    message.within(means.scope)
    (found,) = yield Ask(lambda memory: memory.recall_many([_request(message, means, reviewed=True)]))
    if found.decision is Decision.POLICY_ONLY:
        raise StoreUnavailable(f"nothing can be audited: {found.reason}")
    return (yield from _denied(message, means, found))


def _request(message: Message, means: Means, reviewed: bool) -> Request:
    return Request(
        text=message.situation(means.redactor),
        kind=Kind.EPISODE,
        domain=means.domain,
        task_type=TASK_TYPE,
        limit=POOL,
        reviewed=reviewed,
    )


def _blank(message: Message, means: Means) -> Trace:
    return Trace(
        message=message.id,
        tenant=means.scope.tenant,
        user=means.scope.user,
        domain=means.domain,
        recall=Decision.NOVEL,
        route=means.policy.default,
        by=By.POLICY,
    )


def _away(trace: Trace, why: str, means: Means) -> Trace:
    reasoning = f"the memory is away, so the policy alone decides: {means.policy.default.value}"
    changed = {"recall": Decision.POLICY_ONLY, "why": why, "by": By.POLICY_ONLY, "reasoning": reasoning}
    return trace.model_copy(update=changed)


def _seen(trace: Trace, found: Recall, message: Message, means: Means) -> tuple[Trace, Shown]:
    """The trace with what was recalled, and the examples that are shown."""
    if found.decision is Decision.POLICY_ONLY:
        return _away(trace, found.reason, means), ()
    pool = usable(found.hits, means.domain)
    chosen = diverse(pool, means.limit, message.relationship)
    notes = list(found.warnings)
    if found.lexical_only:
        notes.append("the examples were found by words alone, so they do not vote")
    top = tuple(example for example, _ in chosen)
    changed = {
        "recall": found.decision,
        "why": found.reason,
        "bar": found.evidence.bar,
        "recalled": tuple(example.id for example, _ in pool),
        "top": top,
        "vote": vote(() if found.lexical_only else top),
        "notes": tuple(notes),
    }
    return trace.model_copy(update=changed), chosen


def _without_model(trace: Trace, message: Message, rules: Sequence[StoredRule], shown: Shown, means: Means) -> Trace:
    """The first rule that decides; else the examples, where they agree; else the policy."""
    holding = [rule for rule in rules if rule.decision and rule.holds(message.text, message.known)]
    odd = [rule for rule in holding if rule.decision not in set(Route)]
    notes = (*trace.notes, *(f"rule {rule.name} decides {rule.decision!r:.60}, which is no route" for rule in odd))
    trace = trace.model_copy(update={"notes": notes})
    rule = next((one for one in holding if one.decision in set(Route)), None)
    if rule is not None:
        ruled = Ruling(name=rule.name, version=rule.version, domain=rule.domain, by=rule.by)
        return _decided(trace, Route(rule.decision), By.RULE, f"rule {rule.name}: {rule.text}", ruled)
    route = agreed(trace.vote)
    if route is not None:
        count = sum(one.route is route for one in trace.top)
        told = f"{count} of {len(trace.top)} accepted examples of such a situation say {route.value}"
        return _decided(trace, route, By.EXAMPLES, told)
    default = means.policy.default
    why = "the accepted examples contradict each other" if trace.vote.weights else "no accepted example fits"
    return _decided(trace, default, By.POLICY, f"{why}, so the policy decides: {default.value}")


def _decided(trace: Trace, route: Route, by: By, reasoning: str, ruled: Ruling | None = None) -> Trace:
    return trace.model_copy(update={"route": route, "by": by, "reasoning": reasoning, "ruled": ruled})


def _with_model(trace: Trace, said: Said, name: str) -> Trace:
    if said.route is None:
        return trace.model_copy(update={"notes": (*trace.notes, f"decided without {name}: {said.problem}")})
    return _decided(trace, said.route, By.MODEL, said.reasoning or f"{name} gave no reason")


def _recorded(trace: Trace, message: Message, means: Means) -> Course[Trace]:
    """The trace with the id of its episode; a decision that cannot be kept is told, and still is one."""
    episode = decision(message, trace, means.redactor)
    try:
        recorded = yield Ask(lambda memory: memory.record(episode))
        told, problem = recorded.result.value, recorded.problem
    except Conflict:
        told, problem = "unchanged", "it was decided alike before, and reviewed since"
    except (StoreError, OutboxError) as error:
        return trace.model_copy(update={"notes": (*trace.notes, f"not recorded: {type(error).__name__}: {error}")})
    notes = (*trace.notes, *([problem] if problem else []))
    return trace.model_copy(update={"episode": episode.id, "recorded": told, "notes": notes})


def _denied(message: Message, means: Means, accepted: Recall) -> Course[tuple[Denied, ...]]:
    """What a recall without the filter brings beside the accepted examples; its words are neither told nor shown."""
    (found,) = yield Ask(lambda memory: memory.recall_many([_request(message, means, reviewed=False)]))
    reviewed = {one.id for one in accepted.candidates}
    good = {example.id for example, _ in usable(accepted.hits, means.domain)}
    reasons = ((hit.id, _reason(hit, hit.id in reviewed)) for hit in found.hits if hit.id not in good)
    return tuple(Denied(id=name, reason=reason) for name, reason in reasons if reason)


def _reason(hit: Hit, reviewed: bool) -> str:
    """Why a memory is no example; empty for one that only others went before."""
    if not reviewed:
        return "no person approved it"
    memory = hit.memory
    if not isinstance(memory, Episode) or memory.outcome is not Outcome.SUCCESS:
        return f"it ended in {memory.outcome.value}" if isinstance(memory, Episode) else "it is no episode"
    return "" if routed(memory) is not None else "its action is no route"
