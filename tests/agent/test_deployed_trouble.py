"""What fails around a deployed agent is told in the trace, and what has to wait is no failure."""

from __future__ import annotations

from typing import Any

from graphmem import Memory, Settings
from graphmem.agent import DeployedAgent, Recorded
from graphmem.embed import Embedder
from graphmem.models import Outcome
from tests.agent.shop import generate, problem, validate
from tests.outbox.relay import Relay


def test_while_the_store_is_away_it_answers_and_nothing_went_wrong(
    here: Settings, relay: Relay, embedder: Embedder, tenant: str
) -> None:
    with Memory(tenant, settings=here, embedder=embedder) as memory:
        memory.init()
        relay.cut()
        solution = DeployedAgent(memory, generate=generate, validate=validate).solve(problem("Ada"))
        assert solution.outcome is Outcome.FAIL
        assert [event.result for event in solution.run.trace if isinstance(event, Recorded)] == ["queued"]
        assert (solution.reflections, solution.run.problems) == ((), ())


def test_lessons_that_cannot_be_read_are_told_in_the_trace(
    here: Settings, relay: Relay, embedder: Embedder, tenant: str
) -> None:
    class Cut(Memory):
        def history(self, *given: Any) -> Any:
            relay.cut()
            return super().history(*given)

    with Cut(tenant, settings=here, embedder=embedder) as memory:
        memory.init()
        solution = DeployedAgent(memory, generate=generate, validate=validate).solve(problem("Ada"))
        assert solution.reflections == ()
        (fault,) = solution.run.problems
        assert fault.startswith("reflect: StoreUnavailable")
