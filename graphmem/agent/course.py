"""The course of a run through the memory: recall and play; then record, feedback, reflect. Once, for both loops."""

from __future__ import annotations

from dataclasses import replace

from graphmem.agent.calls import Ask, Course, Do
from graphmem.agent.events import FedBack, Recalled, Recorded, Reflected, wrong
from graphmem.agent.play import Setting, play
from graphmem.agent.run import Run
from graphmem.agent.task import Context, Task
from graphmem.agent.world import World
from graphmem.models import Episode
from graphmem.recall import Decision, Recall, Request
from graphmem.redact import Redactor
from graphmem.scope import new_id


def attempt(given: World | Task, context: Context, setting: Setting, kind: str | None, limit: int) -> Course[Run]:
    """Try to do a task; the memory is only read. Raises InvalidInput for a task or a context that is none."""
    request = Request(
        text=given.text if isinstance(given, Task) else given.task,
        kind=kind,
        domain=setting.domain or None,
        task_type=context.task_type or None,
        toolchain=context.toolchain or None,
        context=dict(context.where),
        limit=limit,
        trace_id=new_id(),
    )
    run = Run(request.trace_id, request.text, setting.domain, context, None, Decision.POLICY_ONLY)
    run.episode()  # what could not be recorded is refused before anything is done
    try:
        answers = yield Ask(lambda memory: memory.recall_many([request]))  # unlike recall, it writes no receipt
        run = recalled(run, answers[0])
    except Exception as error:
        run = run.traced(wrong("recall", error, setting.redactor))
    played: Run = yield Do(lambda call: play(run, given, setting, call))
    return played


def recalled(run: Run, recall: Recall) -> Run:
    """The run with what the memory answered."""
    hits = tuple(hit.id for hit in recall.hits)
    told = Recalled(recall.id, recall.decision, recall.reason, hits, recall.warnings)
    return replace(run, recall=recall, decision=recall.decision).traced(told)


def learn(run: Run, episode: Episode | None, reflect: bool, redactor: Redactor | None) -> Course[Run]:
    """Record a run, say which memories helped and which misled, and consolidate; what fails is told in the trace.

    What the store does not take now waits in the outbox; nothing is consolidated then.
    """
    queued = False
    try:
        kept = episode or run.episode()
        recorded = yield Ask(lambda memory: memory.record(kept))
        queued = recorded.result == "queued"
        run = run.traced(Recorded(recorded.id, recorded.result.value, recorded.problem))
        if episode is not None:
            run = replace(run, outcome=episode.outcome, evidence=episode.outcome_evidence or run.evidence)
    except Exception as error:
        run = run.traced(wrong("record", error, redactor))
    if run.recall is not None:
        run = yield from _fed_back(run, run.recall, redactor)
        queued |= any(isinstance(event, FedBack) and event.queued for event in run.trace)
    if reflect and not queued:
        try:
            made = yield Ask(lambda memory: memory.consolidate())
            run = run.traced(Reflected(made.episodes, made.lessons, made.skills, made.warnings))
        except Exception as error:
            run = run.traced(wrong("reflect", error, redactor))
    return run


def _fed_back(run: Run, recall: Recall, redactor: Redactor | None) -> Course[Run]:
    said = {"outcome": run.outcome, "used": run.credited, "misled": run.misled, "evidence": run.evidence}
    try:
        told = yield Ask(lambda memory: memory.feedback(recall, **said))
    except Exception as error:
        return run.traced(wrong("feedback", error, redactor))
    return run.traced(FedBack(told.recall_id, told.outcome, told.used, told.misled, told.queued))
