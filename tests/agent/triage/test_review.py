"""A person's word makes a decision evidence; silence never does; killed in between, it is given again."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from graphmem import Episode, Memory
from graphmem.agent.triage import By, Judged, Route, Triage
from graphmem.errors import GraphmemError, InvalidInput, NotFound
from graphmem.models import Outcome, Status
from tests.agent.triage.mail import ASKS, NEWS, judged, message, triage

ASK = "Can you approve the purchase order for the lamps today?"


class Killed(Exception):  # noqa: N818
    """The process ended here."""


class Dying:
    """A client that is killed before its n-th call that changes something."""

    def __init__(self, memory: Memory, lives: int) -> None:
        self._memory, self.lives = memory, lives

    def __getattr__(self, name: str) -> Any:
        if name in ("record", "record_many", "review", "correct"):
            self.lives -= 1
            if self.lives < 0:
                raise Killed
        return getattr(self._memory, name)


def kept(memory: Memory, name: str) -> Episode:
    found = memory.get(name).memory
    assert isinstance(found, Episode)
    return found


def life(memory: Memory) -> list[tuple[str, str, str]]:
    """Every memory with where it stands and how it ended."""
    found = [(one.id, one.status.value, kept(memory, one.id).outcome.value) for one in memory.list(limit=100)]
    return sorted(found)


def test_accepted_it_is_an_example(memory: Memory) -> None:
    made = triage(memory)
    first = made.decide(message(memory, "m1", ASK, source_ref="imap:1"))
    assert (first.route, first.by) == (Route.NOTIFY, By.POLICY)
    done = made.review(first.episode, accepted=True, by="ada", feedback_ref="form:1")
    assert (done.changed, done.accepted, done.accepted_route) == (True, first.episode, Route.NOTIFY)
    episode = kept(memory, first.episode)
    assert (episode.outcome, episode.feedback_ref, episode.source_ref) == (Outcome.SUCCESS, "form:1", "imap:1")
    second = made.decide(message(memory, "m2", ASKS[1]))
    (example,) = second.examples
    assert (second.route, example.id, example.source_ref, example.feedback_ref) == (
        Route.NOTIFY, first.episode, "imap:1", "form:1",
    )  # fmt: skip
    assert not made.review(first.episode, accepted=True, by="ada", feedback_ref="form:1").changed
    made.review(first.episode, accepted=True, by="bob", feedback_ref="form:2")
    assert kept(memory, first.episode).feedback_ref == "form:1"
    assert memory.check() == ()


def test_corrected_the_right_one_takes_its_place(memory: Memory) -> None:
    made = triage(memory)
    first = made.decide(message(memory, "m1", ASK, source_ref="imap:1", relationship="customer"))
    done = made.review(first.episode, route="respond", by="ada", reason="they wait", feedback_ref="form:1")
    assert (done.route, done.accepted_route, done.changed) == (Route.NOTIFY, Route.RESPOND, True)
    wrong, right = kept(memory, first.episode), kept(memory, done.accepted)
    assert (wrong.outcome, right.outcome) == (Outcome.FAIL, Outcome.SUCCESS)
    assert memory.get(first.episode).status is Status.RETIRED
    assert (right.source_ref, right.feedback_ref, right.task) == ("imap:1", "form:1", wrong.task)
    assert (right.metadata["relationship"], right.metadata["corrects"]) == ("customer", first.episode)
    assert [one.id for one in memory.history(first.episode).corrected_by] == [done.accepted]
    second = made.decide(message(memory, "m2", ASK), audit=True)
    assert (second.route, second.by, second.trace.recalled) == (Route.RESPOND, By.EXAMPLES, (done.accepted,))
    assert second.trace.denied == ()
    before = life(memory)
    assert not made.review(first.episode, route="respond", by="ada", reason="they wait", feedback_ref="form:1").changed
    assert life(memory) == before
    assert memory.check() == ()


@pytest.mark.parametrize("lives", range(4))
def test_killed_at_any_step_it_is_given_again(memory: Memory, connect: Callable[..., Memory], lives: int) -> None:
    first = triage(memory).decide(message(memory, "m1", ASK))
    dying = triage(memory)
    dying.memory = Dying(memory, lives)  # type: ignore[assignment]
    with pytest.raises(Killed):
        dying.review(first.episode, route="respond", by="ada")
    halfway = triage(memory).decide(message(memory, "m2", ASK), record=False)
    assert halfway.route in (Route.NOTIFY, Route.RESPOND)
    assert first.episode not in halfway.trace.recalled
    done = triage(connect()).review(first.episode, route="respond", by="ada")
    assert life(memory) == sorted([(first.episode, "retired", "fail"), (done.accepted, "active", "success")])
    assert [one.id for one in memory.history(first.episode).corrected_by] == [done.accepted]
    assert kept(memory, done.accepted).trajectory[0].action == "respond"


def test_many_at_once_say_it_once(memory: Memory) -> None:
    made = triage(memory)
    first = made.decide(message(memory, "m1", ASK))
    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(lambda _: made.review(first.episode, route="respond", by="ada"), range(4)))
    (accepted,) = {one.accepted for one in done}
    assert life(memory) == sorted([(first.episode, "retired", "fail"), (accepted, "active", "success")])
    assert memory.check() == ()


def test_the_latest_word_counts(memory: Memory) -> None:
    made = triage(memory)
    first = made.decide(message(memory, "m1", ASK))
    made.review(first.episode, accepted=True, by="ada")
    words = ["respond", "ignore", "respond", "notify"]
    for word in words:
        done = made.review(first.episode, route=word, by="ada")
        assert done.accepted_route == word
        (example,) = made.decide(message(memory, "m2", ASK), record=False).examples
        assert (example.id, example.route) == (done.accepted, word)
    assert done.accepted == first.episode
    assert memory.check() == ()


def test_silence_and_half_a_word_say_nothing(memory: Memory) -> None:
    made = triage(memory)
    first = made.decide(message(memory, "m1", ASK))
    for given in (
        {},
        {"accepted": True, "route": "respond"},
        {"route": "delete"},
        {"accepted": 1},
        {"accepted": "yes"},
    ):
        with pytest.raises(InvalidInput):
            made.review(first.episode, by="ada", **given)
    with pytest.raises(InvalidInput):
        made.review(first.episode, accepted=True, by=" ")
    assert life(memory) == [(first.episode, "audit", "unknown")]
    assert made.decide(message(memory, "m2", ASK)).examples == ()


def test_only_a_decision_is_reviewed(memory: Memory) -> None:
    memory.record(Episode(id="e", task="Descale the boiler", outcome=Outcome.SUCCESS))
    with pytest.raises(InvalidInput, match="no decision of a triage"):
        triage(memory).review("e", accepted=True, by="ada")
    with pytest.raises(NotFound):
        triage(memory).review("nobody", accepted=True, by="ada")
    first = triage(memory).decide(message(memory, "m1", ASK))
    triage(memory).review(first.episode, route="respond", by="ada")
    with pytest.raises(InvalidInput, match="corrected before"):
        triage(memory).review(first.episode, accepted=True, by="ada")


def test_another_user_cannot_review_it(connect: Callable[..., Memory]) -> None:
    one, other = connect(user="u1"), connect(user="u2")
    first = triage(one).decide(message(one, "m1", ASK))
    with pytest.raises(NotFound):
        triage(other).review(first.episode, accepted=True, by="eve")


def test_what_is_learnt_twice_is_there_once(memory: Memory) -> None:
    made = triage(memory)
    given = [judged(memory, f"m{n}", body, "ignore") for n, body in enumerate(NEWS)]
    steps: list[int] = []
    first = made.learn(given, by="ada", progress=steps.append)
    assert (steps, [one.message for one in first]) == ([1, 2, 3], ["m0", "m1", "m2"])
    again = made.learn(given, by="ada")
    assert [(one.id, one.changed, one.problem) for one in again] == [(one.id, False, "") for one in first]
    assert len(memory.list(limit=100)) == 3
    (odd,) = made.learn([Judged(message=given[0].message, route="respond")], by="ada")
    assert "learnt before with another route" in odd.problem
    assert odd.id == first[0].id
    assert made.review(odd.id, route="respond", by="ada").changed
    assert memory.check() == ()


@pytest.mark.parametrize("lives", range(4))
def test_learning_that_was_killed_goes_on(memory: Memory, lives: int) -> None:
    given = [judged(memory, f"m{n}", body, "ignore") for n, body in enumerate(NEWS)]
    dying = triage(memory)
    dying.memory = Dying(memory, lives)  # type: ignore[assignment]
    with pytest.raises(Killed):
        dying.learn(given, by="ada")
    told = triage(memory).learn(given, by="ada")
    assert all(not one.problem for one in told)
    assert len(triage(memory).decide(message(memory, "m9", NEWS[1])).trace.recalled) == 3


def test_nobody_s_word_is_no_word(memory: Memory) -> None:
    made: Triage = triage(memory)
    with pytest.raises(GraphmemError):
        made.learn([judged(memory, "m1", ASK, "respond")], by="")
    assert memory.list() == ()
