"""Following what is remembered, without any memory service: which demonstration leads, and what if it fails."""

from __future__ import annotations

from graphmem.agent.atlas import Atlas
from graphmem.agent.follow import follow, ready
from graphmem.agent.trace import BEGIN, Diary, read
from graphmem.models import Episode, Outcome
from tests.agent.office import Office, filing, tea

BUDGET = 25


def shown(world: Office, name: str, *actions: str, outcome: Outcome = Outcome.SUCCESS) -> Episode:
    diary = Diary()
    diary.note(BEGIN, world.reset())
    for action in actions:
        diary.note(action, world.act(action))
    return Episode(id=name, task=world.task, trajectory=tuple(diary.steps), outcome=outcome)


GRAB = ("walk to archive", "grab invoice", "walk to hall", "walk to study", "file invoice in red tray")


def facts(*episodes: Episode) -> Atlas:
    atlas = Atlas()
    for episode in episodes:
        atlas.add(read(episode.trajectory))
    return atlas


def test_of_equal_fit_the_more_relevant_leads() -> None:
    one, other = shown(filing("invoice", "red tray"), "b", *GRAB), shown(filing("invoice", "red tray"), "a", *GRAB)
    task = filing("letter", "red tray").task
    assert [script.memory for script in ready(task, [("b", one), ("a", other)])] == ["b", "a"]


def test_failures_are_not_followed() -> None:
    failed = shown(filing("invoice", "red tray"), "bad", *GRAB, outcome=Outcome.FAIL)
    assert ready(filing("letter", "red tray").task, [("bad", failed)]) == []


def test_a_word_that_only_one_task_has_counts_against_a_demonstration() -> None:
    episode = shown(Office("Please file the invoice in the red tray of the study."), "m", *GRAB)
    (same,) = ready("Please file the letter in the red tray of the study.", [("m", episode)])
    (more,) = ready("Please never file the invoice in the red tray of the study.", [("m", episode)])
    assert more.fit < same.fit


def test_what_is_followed_and_what_got_stuck_is_told() -> None:
    office = shown(filing("invoice", "red tray"), "filing", *GRAB)
    world = filing("letter", "blue tray")
    done = follow(world, [("filing", office)], facts(office), BUDGET)
    assert world.filed == {"letter": "blue tray"}
    assert (done.used, done.stuck) == (("filing",), ())


def test_what_one_demonstration_cannot_do_the_next_one_may() -> None:
    wrong = shown(tea(1), "wrong", "walk to study", "heat kettle", "pour kettle")
    late = Episode(
        id="odd",
        task=wrong.task,
        trajectory=(*wrong.trajectory[:2], wrong.trajectory[2].model_copy(update={"action": "pour teapot"})),
        outcome=Outcome.SUCCESS,
    )
    world = tea(1)
    done = follow(world, [("odd", late), ("wrong", wrong)], facts(wrong), BUDGET)
    assert world.poured
    assert "odd" in done.stuck
    assert done.used == ("odd", "wrong")


def test_a_loop_leaves_what_follows_its_share_of_the_actions() -> None:
    slow = shown(tea(60), "slow", "walk to study", *["heat kettle"] * 60, "pour kettle")
    world = tea(10)
    follow(world, [("slow", slow)], facts(slow), 20)
    assert world.poured
