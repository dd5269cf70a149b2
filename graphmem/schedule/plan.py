"""What each job does when its time has come."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from graphmem.embed import Embedder, make_embedder
from graphmem.errors import InvalidInput, StoreUnavailable
from graphmem.jobs import centrality, owners
from graphmem.memory import Memory
from graphmem.redact import make_redactor, told
from graphmem.schedule.models import JobName, Run, RunState
from graphmem.scope import Scope
from graphmem.settings import Settings
from graphmem.text import utc_now

Told = tuple[RunState, str, bool]
"""How a job ended, in which words, and whether it needs what is not installed."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Whose memories the jobs work on, and with what. Make it with `Plan.of`."""

    settings: Settings
    scope: Scope
    everything: bool
    embedder: Embedder | None
    clock: Callable[[], datetime]

    @classmethod
    def of(
        cls, settings: Settings, scope: Scope, *, everything: bool = False, clock: Callable[[], datetime] = utc_now
    ) -> Plan:
        """The plan for a scope, or with `everything` for a tenant and all its users.

        Raises InvalidInput when a user's plan is to be for everything, ConfigurationError when the settings name no
        database or contradict themselves.
        """
        if everything and scope.user:
            raise InvalidInput("a user's jobs work on that user's own; name no user for everything")
        plan = cls(settings, scope, everything, make_embedder(settings), clock)
        plan.memory(scope).close()  # what is wrong with the settings is told now
        return plan

    @property
    def jobs(self) -> Mapping[JobName, float]:
        """The jobs that are not switched off, with the seconds from one start to the next."""
        wanted = {name: getattr(self.settings.schedule, name.value) for name in JobName}
        return {name: float(seconds) for name, seconds in wanted.items() if seconds != "off"}

    def memory(self, scope: Scope) -> Memory:
        """A client of this scope; the embedding model is loaded once for all of them."""
        chosen = self.settings.model_copy(update={"tenant": scope.tenant, "user": scope.user or None})
        return Memory(settings=chosen, embedder=self.embedder, clock=self.clock)

    def runs(self, name: JobName) -> Iterator[Run]:
        """Do one job once, scope by scope, and tell each as it ends; what fails is told, and the next one is done.

        Raises StoreUnavailable, and goes no further, while nobody answers.
        """
        began = self.clock()
        try:
            scopes = self._scopes(name)
        except StoreUnavailable:
            raise
        except Exception as error:
            yield self._run(name, self.scope, began, (RunState.FAILED, self._told(error), False))
            return
        for scope in scopes:
            began = self.clock()
            try:
                ended = _WORK[name](self, scope)
            except StoreUnavailable:
                raise
            except Exception as error:
                ended = RunState.FAILED, self._told(error), False
            run = self._run(name, scope, began, ended)
            yield run
            if run.impossible:  # it is so for all scopes
                return

    def _run(self, name: JobName, scope: Scope, began: datetime, ended: Told) -> Run:
        state, said, impossible = ended
        return Run(
            job=name,
            tenant=scope.tenant,
            user=scope.user,
            state=state,
            told=said,
            started_at=began,
            ended_at=self.clock(),
            impossible=impossible,
        )

    def _scopes(self, name: JobName) -> tuple[Scope, ...]:
        if not self.everything or name in (JobName.FLUSH, JobName.RETENTION):  # which see to all users themselves
            return (self.scope,)
        with self.memory(self.scope) as memory:
            memory.init()
        return owners(self.settings, self.scope)

    def _told(self, error: Exception) -> str:
        return told(make_redactor(self.settings), " ".join((str(error) or type(error).__name__).split()))


def _flush(plan: Plan, scope: Scope) -> Told:
    with plan.memory(scope) as memory:
        before = memory.waiting(everything=plan.everything)
        if not before.waiting:
            dead = f", {before.dead} dead letters ('graphmem flush' shows them)" if before.dead else ""
            return RunState.SKIPPED, f"nothing waits{dead}", False
        done = memory.flush(everything=plan.everything)
        if done.problem:
            memory.init()  # which raises where the store is away
    said = f"{done.delivered} delivered, {done.waiting} wait, {done.dead} dead letters"
    if done.problem:
        return RunState.FAILED, f"{said}: {done.problem}", False
    return RunState.DONE, said, False


def _consolidation(plan: Plan, scope: Scope) -> Told:
    with plan.memory(scope) as memory:
        done = memory.consolidate()
    if not (done.episodes or done.grouped or done.skills or done.decided or done.failed):
        return RunState.SKIPPED, "nothing waits", False
    counts = {
        "episodes reflected": done.episodes,
        "new lessons": done.lessons,
        "skills": done.skills,
        "skills judged anew": len(done.decided),
        "given back for later": done.failed,
    }
    return RunState.DONE, ", ".join(f"{count} {what}" for what, count in counts.items() if count), False


def _retention(plan: Plan, scope: Scope) -> Told:
    with plan.memory(scope) as memory:
        done = memory.retention(apply=True, everything=plan.everything)
    if not (done.expired or done.receipts or done.jobs or done.faded or done.excess):
        return RunState.SKIPPED, f"nothing of {done.living} memories is due", False
    gone = f"{done.expired} memories, {done.receipts} receipts and {done.jobs} jobs deleted"
    return RunState.DONE, f"{gone}, {done.faded + done.excess} of {done.living} memories archived", False


def _centrality(plan: Plan, scope: Scope) -> Told:
    with plan.memory(scope) as memory:
        memory.init()
    done = centrality(plan.settings, scope, clock=plan.clock)
    if done.reason:
        return RunState.SKIPPED, done.reason, done.impossible
    if not done.nodes:
        return RunState.SKIPPED, "there are no memories", False
    return RunState.DONE, f"{done.written} of {done.nodes} memories written, {done.edges} links", False


_WORK: Mapping[JobName, Callable[[Plan, Scope], Told]] = {
    JobName.FLUSH: _flush,
    JobName.CONSOLIDATION: _consolidation,
    JobName.RETENTION: _retention,
    JobName.CENTRALITY: _centrality,
}
