"""A run: one task, from recall to outcome, as a value."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from graphmem.agent.events import Acted, Event, Planned, Trace, Wrong
from graphmem.agent.notes import failed_steps, told
from graphmem.agent.plan import Plan, Tried
from graphmem.agent.task import Context
from graphmem.models import Episode, Outcome, Step
from graphmem.recall import Decision, Recall


@dataclass(frozen=True, slots=True)
class Run:
    """What was done about a task, and how it ended.

    `trace_id` is that of the recall, of the episode and of the receipt. `recall` is None where the memory failed, the
    `decision` is then `policy_only`. `plan` is the last one; `steps` are what was done and seen in the last attempt,
    `used` the memories that it followed, the leading one first; `tried` are the failed attempts before it, and the last
    one if it failed. `trace` is everything, step by step.
    """

    trace_id: str
    task: str
    domain: str
    context: Context
    recall: Recall | None
    decision: Decision
    plan: Plan | None = None
    steps: tuple[Step, ...] = ()
    used: tuple[str, ...] = ()
    tried: tuple[Tried, ...] = ()
    kept: tuple[Step, ...] = field(default=(), repr=False)
    outcome: Outcome = Outcome.UNKNOWN
    evidence: str = ""
    trace: Trace = ()

    @property
    def actions(self) -> int:
        """How many actions were done, over all attempts."""
        return sum(isinstance(event, Acted) for event in self.trace)

    @property
    def attempts(self) -> int:
        """How many attempts were made."""
        return max((event.attempt for event in self.trace if isinstance(event, Planned)), default=0)

    @property
    def problems(self) -> tuple[str, ...]:
        """What went wrong on the way, each with where it did."""
        return tuple(f"{event.where}: {event.what}" for event in self.trace if isinstance(event, Wrong))

    def traced(self, *events: Event) -> Run:
        """This run with more in its trace."""
        return replace(self, trace=(*self.trace, *events))

    @property
    def credited(self) -> tuple[str, ...]:
        """The memories that helped: what the last attempt followed, less what misled."""
        return tuple(one for one in dict.fromkeys(self.used) if one not in self.misled)

    @property
    def misled(self) -> tuple[str, ...]:
        """The memories that led attempts which failed, unless the one that succeeded followed them too.

        Nobody is blamed while it is not known how the run ended, nor where the caller's own functions failed.
        """
        if self.outcome not in (Outcome.FAIL, Outcome.SUCCESS):
            return ()
        led = dict.fromkeys(one.sources[0] for one in self.tried if one.sources and one.blames)
        if self.outcome is Outcome.FAIL and not self.tried:  # the caller's word alone, after the run
            led = dict.fromkeys(self.used[:1])
        good = self.used if self.outcome is Outcome.SUCCESS else ()
        return tuple(one for one in led if one not in good)

    def episode(self) -> Episode:
        """What is recorded of it: of a success the steps that led to it, with the failures before it as key decisions;
        else the steps of all attempts, each with why it failed. Raises InvalidInput for a context that is no such.
        """
        good = self.outcome is Outcome.SUCCESS
        steps = told((*self.kept, *self.steps), self.tried) if good else ()
        if not good:
            last = () if self.tried and self.tried[-1].steps is self.steps else self.steps  # nobody knows how it went
            steps = (*(step for one in self.tried for step in failed_steps(one)), *last)
        why = "; ".join(dict.fromkeys(one.reason for one in self.tried if one.reason))
        where = self.context
        return Episode(
            id=f"run-{self.trace_id}",
            task=self.task,
            domain=self.domain,
            task_type=where.task_type,
            toolchain=where.toolchain,
            tags=where.tags,
            techniques=where.techniques,
            difficulty=where.difficulty,
            subject=where.subject,
            secure=where.secure,
            trajectory=steps,
            outcome=self.outcome,
            outcome_evidence=self.evidence,
            failure_reason="" if good or self.outcome is Outcome.UNKNOWN else why or self.evidence,
            trace_id=self.trace_id,
            metadata={
                **where.where,
                "decision": self.decision.value,
                "planner": self.plan.by if self.plan else "",
                "followed": list(self.used),
                "attempts": self.attempts,
                "actions": self.actions,
            },
        )
