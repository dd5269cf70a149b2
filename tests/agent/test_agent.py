"""The agent in a world that is no game: what it remembers of one paper helps it with another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields

import pytest

from graphmem import Memory, Settings
from graphmem.agent.agent import Agent
from graphmem.agent.trace import BEGIN, Diary
from graphmem.agent.world import View
from graphmem.embed import Embedder
from graphmem.errors import GraphmemError
from graphmem.models import Episode, Outcome
from tests.agent.office import Office, filing, tea
from tests.outbox.relay import Relay

BUDGET = 25


def shown(world: Office, name: str, *actions: str) -> Episode:
    diary = Diary()
    diary.note(BEGIN, world.reset())
    for action in actions:
        diary.note(action, world.act(action))
    assert world.done
    return Episode(
        id=name,
        task=world.task,
        domain="office",
        trajectory=tuple(diary.steps),
        outcome=Outcome.SUCCESS,
        outcome_evidence="the office says so",
    )


@pytest.fixture
def lessons() -> list[Episode]:
    return [
        shown(
            filing("invoice", "red tray"),
            "invoice",
            *("walk to archive", "grab invoice", "walk to hall", "walk to study", "file invoice in red tray"),
        ),
        shown(
            filing("receipt", "blue tray", room="attic"),
            "receipt",
            *("walk to archive", "walk to attic", "grab receipt", "walk to archive", "walk to hall", "walk to study"),
            "file receipt in blue tray",
        ),
        shown(tea(3), "tea", "walk to study", "heat kettle", "heat kettle", "heat kettle", "pour kettle"),
    ]


@pytest.fixture
def agent(memory: Memory, lessons: list[Episode]) -> Agent:
    memory.record_many(lessons)
    made = Agent(memory, "office", BUDGET)
    made.know(lessons)
    return made


def test_a_view_has_no_reward_to_read() -> None:
    assert {field.name for field in fields(View)} == {"observation", "surroundings", "belongings", "understood", "done"}


def test_another_paper_in_another_tray_is_filed_in_the_same_way(agent: Agent) -> None:
    world = filing("letter", "blue tray")
    attempt = agent.solve(world)
    assert world.filed == {"letter": "blue tray"}
    assert attempt.used[0] in {"invoice", "receipt"}
    assert len(attempt.steps) <= BUDGET + 1


def test_a_paper_that_lies_elsewhere_is_looked_for(agent: Agent) -> None:
    world = filing("contract", "red tray", room="attic")
    agent.solve(world)
    assert world.filed == {"contract": "red tray"}


@pytest.mark.parametrize("heat", [2, 5])
def test_what_was_repeated_is_repeated_until_the_same_answer(agent: Agent, heat: int) -> None:
    world = tea(heat)
    agent.solve(world)
    assert world.poured


def test_the_same_task_without_memory_is_not_done_but_ends_within_the_budget(connect: Callable[..., Memory]) -> None:
    world = filing("letter", "blue tray")
    attempt = Agent(connect(), "office", BUDGET).solve(world)
    assert world.filed != {"letter": "blue tray"}
    assert attempt.used == ()
    assert world.calls <= BUDGET


def test_an_attempt_is_recorded_and_what_misled_is_blamed(agent: Agent, memory: Memory) -> None:
    world = filing("letter", "blue tray")
    attempt = agent.solve(world)
    failed = Episode(
        id="lived",
        task=world.task,
        domain="office",
        trajectory=attempt.steps,
        outcome=Outcome.FAIL,
        outcome_evidence="the clerk refused it",
        failure_reason="the wrong form",
    )
    agent.learn(attempt, failed)
    assert memory.get("lived").memory.outcome is Outcome.FAIL  # type: ignore[union-attr]
    again = memory.recall(world.task, domain="office", kind="episode", limit=10)
    blamed = {one.id: one.components.false_hit for one in again.candidates}
    assert blamed[attempt.used[0]] > 0


def test_what_is_played_or_learnt_while_the_store_is_away_is_raised(
    here: Settings, relay: Relay, embedder: Embedder, tenant: str, lessons: list[Episode]
) -> None:
    with Memory(tenant, settings=here, embedder=embedder) as memory:
        memory.init()
        memory.record_many(lessons)
        agent = Agent(memory, "office", BUDGET)
        world = filing("letter", "blue tray")
        attempt = agent.solve(world)
        lived = Episode(id="lived", task=world.task, domain="office", trajectory=attempt.steps, outcome="success")
        relay.cut()
        with pytest.raises(GraphmemError, match="went wrong: recall: "):
            agent.solve(filing("letter", "blue tray"))
        with pytest.raises(GraphmemError, match=r"went wrong: record: it waits.*; feedback: it waits"):
            agent.learn(attempt, lived)
        relay.mend()
        assert memory.flush().delivered == 2
        assert memory.get("lived").id == "lived"
