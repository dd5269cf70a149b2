"""One graph for all of these tests, made by the verbs; Browser served by the gate, in a fresh Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

import pytest

from graphmem import Episode, Memory, Reflection, Settings, Skill, jobs
from graphmem.explore import Gate, colour
from graphmem.scope import Scope
from graphmem.settings import Connection
from tests.angles import Angles
from tests.browser import browsing, context, shots
from tests.cli.conftest import graphmem, shell
from tests.explore.screen import Screen
from tests.memories import won

__all__ = ["context", "graphmem", "shell", "shots"]


@dataclass(frozen=True)
class Lived:
    """The graph: whose it is, and the receipts that the tests ask for."""

    scope: Scope
    answered: str
    misled: str


@pytest.fixture(scope="session")
def lived(settings: Settings) -> Lived:
    """A user's scope in which every statement has something to show, and a stranger's that must not be shown."""
    near = Angles(name="bge-small-en-v1.5")
    with Memory("explored", settings=settings, embedder=near) as memory:
        memory.init()
        memory.erase(everything=True)  # of all its users
        with Memory("explored", "stranger", settings=settings, embedder=near) as stranger:
            stranger.record(won("strange", "pump north:0.9"))
        memory.record_many(
            [
                won("fixed", "pump north:0.9", title="Changed the seal", domain="plant"),
                won("again", "pump north:0.8", title="Changed it again", domain="plant"),
                Episode(id="broke", task="pump north:0.7", title="Hit it", outcome="fail", domain="plant",
                        failure_reason="it burst"),
                Episode(id="half", task="lamp east:0.9", title="Tightened", outcome="mixed"),
                Episode(id="open", task="lamp east:0.8", title="Nobody knows"),
                Reflection(id="seal", insight="change the seal north:0.7", sources=["fixed", "again"]),
                Reflection(id="hammer", insight="do not hammer north:0.6", sources=["broke"]),
                Reflection(id="dry", insight="keep it dry up:0.7", sources=["half"]),
                Reflection(id="wet", insight="keep it wet up:0.6", sources=["half"]),
                Skill(id="old", name="seal a pump north:0.6", steps=["open"], sources=["seal"], approved_by="ada"),
                Skill(id="new", name="seal any pump north:0.6", steps=["open", "seal"], sources=["seal"], version=2),
            ]
        )  # fmt: skip
        answered = memory.recall("pump north:1", domain="plant")
        memory.feedback(answered, outcome="success", used=["fixed"])
        misled = memory.recall("the pump north:0.95", domain="plant")
        memory.feedback(misled, outcome="fail", misled=["again"], evidence="it leaks")
        memory.feedback(memory.recall("what up:-1"), outcome="success")
        memory.feedback(memory.recall("pump north:1", kind="skill"), outcome="success", used=["old"])
        memory.correct(wrong="broke", right="fixed", reason="the seal held")
        memory.correct(wrong="again", right="fixed", reason="the first way", context="a pump north:0.9")
        memory.link("dry", "wet", kind="contradicts")
        memory.set_rule("valve", "Close the valve first.", by="ada")
        jobs.centrality(settings, memory.scope)
        colour(settings, memory.scope)
        return Lived(memory.scope, answered.id, misled.id)


@pytest.fixture(scope="module")
def opened(
    lived: Lived, settings: Settings, at: Connection, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Screen]:
    """Browser, connected by the address of a gate, on that graph; one page for all statements."""
    with Gate(settings, at, lived.scope) as gate:
        serving = Thread(target=gate.serve, daemon=True)
        serving.start()
        profile = tmp_path_factory.mktemp("browser") / "profile"
        with browsing(profile, viewport={"width": 1280, "height": 900}) as browser:
            screen = Screen(browser.new_page())
            screen.page.goto(gate.address)
            screen.connected()
            screen.favourites()
            yield screen
        gate.stop()
        serving.join()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "explore"
