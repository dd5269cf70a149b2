"""Nodes of a graph: recall before the model acts, and say afterwards how it ended."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypedDict

from graphmem.adapters.langgraph.bridge import Bridge
from graphmem.adapters.langgraph.framework import Runnable, RunnableLambda
from graphmem.errors import InvalidInput
from graphmem.memory import AsyncMemory, Memory
from graphmem.recall import Decision, Recall, Request
from graphmem.text import shown

Update = dict[str, Any]


class Budgeted(TypedDict):
    """A bounded first attempt: how often it may be tried, and the checks that must pass."""

    attempts: int
    checks: list[str]


class Memories(TypedDict):
    """What a recall puts into the state; plain JSON, so that any checkpointer keeps it.

    `prompt` quotes the memories that fit, for the data part of a prompt and never the system role; it is empty when
    nothing does. `decision` is use, verify, novel or policy_only, and `reason` says why. `ids` are those of the quoted
    memories, best first. `recall` is the id that `feedback` takes; empty where no receipt could be written, as while
    the memory is away. `novelty` is in [0, 1]; `budget` is there when the decision is novel or policy_only.
    """

    prompt: str
    decision: str
    reason: str
    ids: list[str]
    recall: str
    novelty: float
    budget: Budgeted | None
    warnings: list[str]


def recall_node(
    memory: Memory | AsyncMemory,
    *,
    task: str | Callable[[Any], str] = "task",
    into: str = "memories",
    tokens: int | None = None,
    **filters: Any,
) -> Runnable[Any, Update]:
    """A node that recalls what fits the task and puts it into the state under `into`, as `Memories`.

    `task` is the state's field with the task, or a function of the state that says it; `tokens` the most tokens of the
    quoted text; `filters` are those of `recall` (domain, kind, limit, reviewed, …). The node runs in sync and in async
    graphs with either kind of memory. It goes on while the store is away: the decision is then policy_only, and the
    reason says so. Raises InvalidInput here for a filter that there is not, and in the run for a state without a task.
    """
    bridge = Bridge(memory)
    Request(text="any", **filters)  # a wrong filter is told now, and not in the middle of a run
    if tokens is not None and (type(tokens) is not int or tokens < 1):
        raise InvalidInput(f"tokens must be a whole number of at least 1, and not {shown(tokens)}")
    asked = {"receipt": True, **filters}

    def recall(state: Any) -> Update:
        return {into: _memories(bridge.call("recall", _task(state, task), **asked), tokens)}

    async def arecall(state: Any) -> Update:
        return {into: _memories(await bridge.wait("recall", _task(state, task), **asked), tokens)}

    return RunnableLambda(recall, arecall, name="recall")


def feedback_node(
    memory: Memory | AsyncMemory,
    *,
    outcome: str | Callable[[Any], str] = "outcome",
    of: str = "memories",
    used: str | Callable[[Any], Iterable[str]] | None = None,
    misled: str | Callable[[Any], Iterable[str]] | None = None,
    evidence: str | Callable[[Any], str] | None = None,
) -> Runnable[Any, Update]:
    """A node that says how the attempt behind the recall of the state ended; it leaves the state as it is.

    `outcome` (success, mixed, fail or unknown), `used` and `misled` (ids of memories) and `evidence` are fields of the
    state, or functions of it; `of` is where `recall_node` put its answer. Only memories that are named are credited or
    blamed. Without a receipt there is nothing to speak of, and nothing is said; while the store is away the word waits
    in the outbox. Raises what `feedback` raises.
    """
    bridge = Bridge(memory)

    def said(state: Any) -> Update | None:
        recall = _read(state, of)
        if not isinstance(recall, Mapping) or "recall" not in recall:
            raise InvalidInput(f"the state's {of!r} is no answer of a recall_node; run that first, or give of=…")
        if not recall["recall"]:
            return None
        named = {"used": used, "misled": misled, "evidence": evidence}
        told = {name: _read(state, where) for name, where in named.items() if where is not None}
        return {"recall": recall["recall"], "outcome": _read(state, outcome), **told}

    def feedback(state: Any) -> Update:
        if word := said(state):
            bridge.call("feedback", word.pop("recall"), **word)
        return {}

    async def afeedback(state: Any) -> Update:
        if word := said(state):
            await bridge.wait("feedback", word.pop("recall"), **word)
        return {}

    return RunnableLambda(feedback, afeedback, name="feedback")


def _task(state: Any, task: str | Callable[[Any], str]) -> str:
    said = _read(state, task)
    if not isinstance(said, str):
        raise InvalidInput(f"the task is a text, and not {type(said).__name__}; give recall_node(task=…) a function")
    return said


def _read(state: Any, where: str | Callable[[Any], Any]) -> Any:
    """A field of the state, which is a mapping or an object, or what a function says of it."""
    if callable(where):
        return where(state)
    try:
        return state[where] if isinstance(state, Mapping) else getattr(state, where)
    except (KeyError, AttributeError):
        raise InvalidInput(f"the state has no {where!r}; name the field that has it, or give a function") from None


def _memories(recall: Recall, tokens: int | None) -> Memories:
    # A novel answer has a receipt too, unless writing it failed, which is a warning.
    away = recall.decision is Decision.POLICY_ONLY or any("no receipt was written" in one for one in recall.warnings)
    return Memories(
        prompt=recall.as_prompt(tokens) if recall.hits else "",
        decision=recall.decision.value,
        reason=recall.reason,
        ids=[hit.id for hit in recall.hits],
        recall="" if away else recall.id,
        novelty=recall.novelty,
        budget=Budgeted(attempts=recall.budget.attempts, checks=list(recall.budget.checks)) if recall.budget else None,
        warnings=list(recall.warnings),
    )
