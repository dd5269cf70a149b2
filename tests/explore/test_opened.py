"""Ways into Neo4j Browser, in a real Chromium: by the gate, and by hand."""

from __future__ import annotations

import re
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, expect

from graphmem import Settings
from graphmem.explore import Gate, address, called, command, rules, statements, style, write
from graphmem.settings import Connection
from tests.browser import SLOW
from tests.explore.conftest import Lived
from tests.explore.screen import Screen


def test_files_dropped_into_a_browser_are_its_favourites_and_its_style(
    context: BrowserContext, lived: Lived, settings: Settings, at: Connection, folder: Path, shots: Path
) -> None:
    """The way by hand: the server's own Browser, the password typed, the files dropped, the parameters run once."""
    write(folder, lived.scope)
    assert at.password is not None
    screen = Screen(context.new_page())
    screen.page.goto(address(at, lived.scope))
    assert screen.by("username").input_value() == at.user
    assert urlsplit(at.uri).netloc in screen.by("boltaddress").input_value()
    screen.by("password").fill(at.password.get_secret_value())
    screen.by("connect").click()
    expect(screen.page.get_by_text("You are connected as user")).to_be_visible(timeout=SLOW)
    expect(screen.by("activeEditor")).to_contain_text(lived.scope.own)
    screen.by("editor-Run").click()
    screen.connected()
    screen.drop(folder / "graphmem.zip")
    screen.favourites()
    assert sorted(screen.saved()) == sorted(called(one.name) for one in statements())
    screen.drop(folder / "style.grass")
    expect(screen.by("frame").first).to_contain_text("node.Reflection", timeout=SLOW)
    nodes = screen.nodes(screen.run(called("corrections")), 3)
    screen.shot(shots / "by-hand.png")
    sheet = rules(style())
    fills = {caption.partition(" · ")[0]: fill for caption, (fill, _) in nodes.items()}
    assert fills == {"success": sheet["node.Success"]["color"], "fail": sheet["node.Fail"]["color"]}


def test_what_a_person_keeps_in_browser_stays_when_it_is_opened_again(
    context: BrowserContext, lived: Lived, settings: Settings, at: Connection
) -> None:
    page = context.new_page()
    own = {"id": "mine", "content": "// Mine\nRETURN 1"}
    for turn in range(2):
        with Gate(settings, at, lived.scope, 27476) as gate:
            serving = Thread(target=gate.serve, daemon=True)
            serving.start()
            page.goto(gate.address)
            Screen(page).connected()
            page.get_by_test_id("navigationFavorites").click()
            if turn == 0:
                page.evaluate("own => { const key = 'neo4j.documents', all = JSON.parse(localStorage.getItem(key));"
                              "localStorage.setItem(key, JSON.stringify([...all, own])) }", own)  # fmt: skip
            else:
                expect(page.get_by_test_id("scriptTitle-Mine")).to_be_visible()
                page.get_by_test_id("expandFolder-graphmem").click()
                assert page.locator("[data-testid^='scriptTitle-']").count() == 1 + len(statements())
            page.goto("about:blank")
            gate.stop()
            serving.join()


def test_another_database_than_the_home_is_opened_by_name(
    context: BrowserContext, lived: Lived, settings: Settings, at: Connection
) -> None:
    with Gate(settings, at.model_copy(update={"database": "neo4j"}), lived.scope) as gate:
        serving = Thread(target=gate.serve, daemon=True)
        serving.start()
        page = context.new_page()
        page.goto(gate.address)
        Screen(page).connected()
        assert page.url.endswith("&db=neo4j")
        assert command(lived.scope) in re.sub(r"\s+", " ", page.get_by_test_id("stream").inner_text())
        gate.stop()
        serving.join()
