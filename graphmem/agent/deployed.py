"""An agent in use that learns forward, without training: from each problem to the next; sync and async."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from threading import Lock
from typing import IO, Any, TypeVar

from graphmem.agent.calls import Ask, Bridge, Course, Do, plainly
from graphmem.agent.cohort import Observation
from graphmem.agent.generator import Generator
from graphmem.agent.monitor import Monitor
from graphmem.agent.problem import Problem, Solution
from graphmem.agent.solving import AGENT, Generate, Means, Validate, cohort, solve
from graphmem.errors import InvalidInput
from graphmem.llm import Llm, make_llm
from graphmem.memory import AsyncMemory, Memory
from graphmem.models import Kind, Outcome, Stored
from graphmem.move import Loaded
from graphmem.recall import Decision
from graphmem.redact import Redactor, make_redactor
from graphmem.steps import arun
from graphmem.steps import run as drive

T = TypeVar("T")
_LISTED = 1000  # episodes that are looked through for those of this agent


class _Deployed:
    """What both agents are made of."""

    def __init__(
        self,
        memory: Memory | AsyncMemory,
        *,
        domain: str = "",
        generate: Generate | Llm | None = None,
        validate: Validate | None = None,
        k: int = 4,
        tokens: int = 4000,
        reflect: bool = True,
        window: int = 100,
        redactor: Redactor | None = None,
    ) -> None:
        """Make an agent over a memory; nothing is asked of it yet.

        For each problem of a `domain` the `k` memories that fit best (3 to 5 are usual) are retrieved, at most `tokens`
        of them (by estimate), and `generate` is given both: a function, a language model, or, if absent, that of the
        settings. `validate` says whether the answer is right; without it nobody knows, and nothing counts as success.
        What was lived is consolidated after each problem if `reflect`. The monitor counts the latest `window`
        problems. A model is shown problems without what `redactor` (else that of the settings) takes out.
        Raises InvalidInput for a `k` outside 1 to 100, or without anything that generates.
        """
        if type(k) is not int or not 1 <= k <= 100 or type(tokens) is not int or tokens < 1:
            raise InvalidInput(f"k is a whole number from 1 to 100 and tokens one of at least 1, not {k!r}, {tokens!r}")
        chosen = generate if generate is not None else make_llm(memory.settings)
        if chosen is None:
            raise InvalidInput("nothing generates: give generate, or set GRAPHMEM_LLM__MODEL")
        if isinstance(chosen, Llm):
            chosen = Generator(chosen, redactor if redactor is not None else make_redactor(memory.settings))
        self._means = Means(domain, chosen, validate, k, tokens, reflect, memory.redactor)
        self.monitor = Monitor(window)
        self._counted: set[str] = set()  # the ids of the episodes that the monitor knows
        self._guard = Lock()

    def _solved(self, solution: Solution) -> Solution:
        run = solution.run
        with self._guard:
            self._counted.add(f"run-{run.trace_id}")
        known = {Outcome.SUCCESS: True, Outcome.FAIL: False}
        length = sum(map(len, solution.reflections))
        self.monitor.observe(
            Observation(
                success=known.get(run.outcome),
                novel=run.decision is Decision.NOVEL,
                answered=run.decision in (Decision.USE, Decision.VERIFY),
                false_hit=bool(run.misled),
                domain=run.domain,
                cohort=cohort(run, solution.problem),
                reflection=length or None,
            )
        )
        return solution

    def _course(self, problem: str | Problem) -> Course[Solution]:
        return solve(Problem(problem) if isinstance(problem, str) else problem, self._means)

    def _resumed(self, listed: Sequence[Stored]) -> int:
        with self._guard:
            own = [one for one in listed if self._solved_here(one)][: self.monitor.window]
            new = [one for one in own if one.id not in self._counted]
            self._counted |= {one.id for one in new}
        self.monitor.replay(reversed(new))
        return len(new)

    def _solved_here(self, one: Stored) -> bool:
        """Whether an agent of this domain solved it, whatever the domain of the problem, and it was not inherited."""
        said = one.memory.metadata
        mine = (said.get("agent"), said.get("agent_domain")) == (AGENT, self._means.domain)
        return mine and not one.inherited_from


class DeployedAgent(_Deployed):
    """An agent for code that waits; may be shared by threads.

    agent = DeployedAgent(memory, domain="sums", generate=model, validate=checked)
    solution = agent.solve("What is 17 · 23?")
    agent.monitor.report()
    """

    def __init__(self, memory: Memory, **given: Any) -> None:
        self.memory = memory
        super().__init__(memory, **given)

    def solve(self, problem: str | Problem) -> Solution:
        """Retrieve, generate, validate, record, reflect; the next problem is answered with what this one taught.

        Whatever fails meanwhile is a value in the trace (`solution.run.trace`). Raises InvalidInput for a problem
        without words, or one that cannot be recorded, before anything is done.
        """
        return self._solved(self._driven(self._course(problem)))

    def inherit(self, path: str | PathLike[str] | IO[bytes]) -> Loaded:
        """Take another agent's library: what `export` wrote, or one in FLEX's layout. Raises as `Memory.load` does."""
        return self.memory.load(path, inherit=True)

    def resume(self) -> int:
        """Let the monitor of a new process know the latest problems that were recorded before: how many.

        They are those that agents of the same `domain` solved, also where a problem had a domain of its own; what was
        inherited is not counted, nor what it knows already. The latest 1000 episodes of the scope are looked through.
        """
        return self._resumed(self.memory.list(kind=Kind.EPISODE, limit=_LISTED))

    def _driven(self, course: Course[T]) -> T:
        return drive(course, self._answer)  # type: ignore[arg-type]  # it drives any generator, with its answers

    def _answer(self, step: Ask | Do) -> Any:
        return step.verb(self.memory) if isinstance(step, Ask) else step.work(plainly)


class AsyncDeployedAgent(_Deployed):
    """An agent for code that awaits; `generate` and `validate` may be coroutines, others run in a thread."""

    def __init__(self, memory: AsyncMemory, **given: Any) -> None:
        self.memory = memory
        super().__init__(memory, **given)

    async def solve(self, problem: str | Problem) -> Solution:
        """As `DeployedAgent.solve`."""
        return self._solved(await self._driven(self._course(problem)))

    async def inherit(self, path: str | PathLike[str] | IO[bytes]) -> Loaded:
        """As `DeployedAgent.inherit`."""
        return await self.memory.load(path, inherit=True)

    async def resume(self) -> int:
        """As `DeployedAgent.resume`."""
        return self._resumed(await self.memory.list(kind=Kind.EPISODE, limit=_LISTED))

    async def _driven(self, course: Course[T]) -> T:
        bridge = Bridge()

        async def answer(step: Ask | Do) -> Any:
            return await (step.verb(self.memory) if isinstance(step, Ask) else bridge.aside(step.work))

        return await arun(course, answer)  # type: ignore[arg-type]
