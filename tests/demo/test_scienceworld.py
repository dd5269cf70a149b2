"""The real simulator."""

from __future__ import annotations

import re
from pathlib import Path

import graphmem.agent
from graphmem.agent.trace import read
from graphmem.demo.scienceworld import ScienceWorld, Simulator
from graphmem.demo.teacher import demonstrate
from graphmem.models import Outcome


def test_a_world_answers_shows_and_ends(simulator: Simulator) -> None:
    task = simulator.tasks()[0]
    world = ScienceWorld(simulator, task, simulator.splits(task)["test"][0], actions=2)
    begun = world.reset()
    assert world.task.startswith("Your task is to")
    assert begun.place
    assert begun.lines
    assert not begun.done
    unknown = world.act("dance the polka")
    assert not unknown.understood
    assert "look around" in world.valid_actions()
    assert not world.act("look around").done
    assert world.act("look around").done


def test_a_gold_sequence_becomes_a_successful_episode(simulator: Simulator) -> None:
    task = "use-thermometer"
    episode = demonstrate(simulator, task, simulator.splits(task)["train"][0], "shown")
    assert episode.outcome is Outcome.SUCCESS
    assert episode.metadata["score"] == 100
    assert any(moment.moved for moment in read(episode.trajectory))
    assert any(moment.taken for moment in read(episode.trajectory))


def test_the_agent_knows_no_word_of_scienceworld(simulator: Simulator) -> None:
    """Names of tasks, objects and actions come from the simulator, so that nobody has to keep a list.

    What is imported and which methods are called is not the agent's to name.
    """
    words = _vocabulary(simulator)
    assert {"thermometer", "kitchen", "focus"} <= words
    source = "\n".join(path.read_text("utf-8") for path in Path(graphmem.agent.__path__[0]).glob("*.py"))
    own = re.sub(r"^(from|import) .*$|\.\w+\(", " ", source, flags=re.MULTILINE)
    used = set(re.findall(r"[a-z]+", own.lower()))
    assert not sorted(words & used - _ENGLISH)


_ENGLISH = frozenset(  # everyday words that a program and its prose cannot do without
    [
        "agent",
        "change",
        "find",
        "grow",
        "known",
        "lived",
        "longest",
        "look",
        "named",
        "open",
        "put",
        "read",
        "reset",
        "shortest",
        "task",
        "the",
        "then",
        "thing",
        "unknown",
        "use",
    ]
)


def _vocabulary(simulator: Simulator) -> set[str]:
    names = [*simulator.tasks(), *(str(action).split()[0] for action in simulator.api.getPossibleActions())]
    for task in simulator.tasks():
        simulator.api.load(task, 0, "easy", False)
        names += map(str, simulator.api.getPossibleObjects())
    return {word for name in names for word in re.findall(r"[a-z]+", name.lower()) if len(word) > 2}
