"""The memory away: the policy alone decides, says so, and what it decided is recorded once the memory is back."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from graphmem import Episode, Memory, Settings
from graphmem.agent.triage import By, Policy, Route
from graphmem.embed import Embedder
from graphmem.errors import StoreUnavailable
from graphmem.llm import Completion, Prompt
from graphmem.models import Outcome
from tests.agent.conftest import here, relay
from tests.agent.triage.mail import judged, message, triage
from tests.outbox.relay import Relay

__all__ = ["here", "relay"]
ASK = "Please approve the purchase order for the monitors this week"


class Eager:
    """A model that would answer everything."""

    name = "eager"

    def __init__(self) -> None:
        self.asked = 0

    def complete(self, prompt: Prompt) -> Completion:
        """Its answer."""
        self.asked += 1
        return Completion('{"route": "ignore", "reasoning": "x"}', self.name)


@pytest.fixture
def away(connect: Callable[..., Memory], here: Settings, embedder: Embedder) -> Memory:
    return connect(settings=here, embedder=embedder)


def test_the_policy_alone_decides_and_the_decision_waits(away: Memory, relay: Relay) -> None:
    model = Eager()
    made = triage(away, policy=Policy(default="respond"), llm=model)
    made.learn([judged(away, "m0", ASK, "ignore")], by="ada")
    relay.cut()
    decided = made.decide(message(away, "m1", ASK, source_ref="imap:1"))
    assert (decided.route, decided.by, decided.policy_only) == (Route.RESPOND, By.POLICY_ONLY, True)
    assert (decided.examples, decided.trace.recorded, model.asked) == ((), "queued", 0)
    assert "policy_only" in str(decided.trace)
    with pytest.raises(StoreUnavailable):
        made.audit(message(away, "m1", ASK))
    relay.mend()
    away.flush()
    kept = away.get(decided.episode).memory
    assert isinstance(kept, Episode)
    assert (kept.outcome, kept.metadata["policy_only"], kept.source_ref) == (Outcome.UNKNOWN, True, "imap:1")
    assert made.review(decided.episode, accepted=True, by="ada").changed


def test_what_is_learnt_meanwhile_is_no_example_before_it_is_vouched_for(away: Memory, relay: Relay) -> None:
    made = triage(away)
    away.init()
    relay.cut()
    (told,) = made.learn([judged(away, "m0", ASK, "respond")], by="ada")
    assert "learnt again" in told.problem
    relay.mend()
    assert made.decide(message(away, "m1", ASK)).examples == ()
    (told,) = made.learn([judged(away, "m0", ASK, "respond")], by="ada")
    assert (told.changed, told.problem) == (True, "")
    assert made.decide(message(away, "m1", ASK)).route is Route.RESPOND


def test_without_an_embedder_words_alone_decide_nothing(
    connect: Callable[..., Memory], settings: Settings, memory: Memory
) -> None:
    triage(memory).learn([judged(memory, "m0", ASK, "respond")], by="ada")
    off = settings.model_copy(update={"embedding": settings.embedding.model_copy(update={"model": "none"})})
    wordy = Memory(memory.scope.tenant, settings=off)
    try:
        decided = triage(wordy).decide(message(wordy, "m1", ASK), record=False)
    finally:
        wordy.close()
    assert (decided.route, decided.by) == (Route.NOTIFY, By.POLICY)
    assert any("words alone" in note for note in decided.trace.notes)
