"""`graphmem explore`, as users call it."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest
from playwright.sync_api import BrowserContext

from graphmem import Settings
from graphmem.explore import command, statements
from graphmem.scope import Scope
from graphmem.settings import Connection
from tests.cli.shell import COMMAND, Inside, Shell, strict
from tests.explore.screen import Screen


def served(env: Mapping[str, str], *options: str) -> subprocess.Popen[str]:
    """The command as a process that goes on."""
    ours = signal.signal(signal.SIGINT, signal.default_int_handler)  # an ignored signal would be inherited
    try:
        return subprocess.Popen(
            [*COMMAND, "explore", *options],
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
    finally:
        signal.signal(signal.SIGINT, ours)


def interrupted(running: subprocess.Popen[str], number: signal.Signals = signal.SIGINT) -> tuple[str, str]:
    """End it as Ctrl-C does, or another signal: what it had still to say."""
    running.send_signal(number)
    out, err = running.communicate(timeout=180)
    assert running.returncode == 0, err
    return out, err


def test_the_address_opens_browser_connected(
    shell: Shell, tenant: str, at: Connection, context: BrowserContext
) -> None:
    running = served(shell.env, "--no-open")
    try:
        assert running.stdout is not None
        screen = Screen(context.new_page())
        screen.page.goto(running.stdout.readline().strip())
        screen.connected()
        shown = [running.stdout.readline() for _ in range(4)]
        assert Scope(tenant).own in screen.by("rawParamData").inner_text()
    finally:
        out, err = interrupted(running)
    assert at.password is not None
    assert at.password.get_secret_value() not in "".join([*shown, out, err])
    assert command(Scope(tenant)) in "".join(shown)
    assert err == "graphmem: Browser is no longer served\n"


def test_as_json_it_says_the_same_and_serves(shell: Shell, tenant: str, at: Connection) -> None:
    running = served(shell.env, "--no-open", "--json", "--user", "u1")
    try:
        assert running.stdout is not None
        told = strict(running.stdout.readline())
    finally:
        interrupted(running)
    assert told["address"].startswith("http://127.0.0.1:")
    assert (told["signed_in"], told["uri"], told["user"]) == (True, at.uri, at.user)
    assert told["parameters"] == command(Scope(tenant, "u1"))
    assert told["statements"] == [one.name for one in statements()]


def test_printed_is_an_address_and_nothing_else(graphmem: Inside, settings: Settings, at: Connection) -> None:
    private = {name: value for name, value in graphmem.env.items() if not name.startswith("GRAPHMEM_NEO4J__")}
    own = {"GRAPHMEM_HOME": str(settings.home), "GRAPHMEM_INSTANCE": settings.instance}
    ran = Inside(private | own)("explore", "--print")
    assert ran.code == 0, ran.err
    assert at.browser is not None
    assert ran.out.startswith(f"{at.browser}?dbms=")
    assert ran.out.count("\n") == 1
    assert f"log in as neo4j; the password is in {settings.instance_home / 'password'}" in ran.err
    assert Inside(private | own)("explore", "--print", "--json").json["address"] == ran.out.strip()


def test_a_server_whose_browser_nobody_named_is_said_so(graphmem: Inside) -> None:
    assert "'graphmem explore' without --print brings its own" in graphmem("explore", "--print").refusal


def test_files_are_written_and_named(graphmem: Inside, tenant: str, folder: Path) -> None:
    ran = graphmem("explore", "--files", folder)
    assert ran.code == 0, ran.err
    assert {*map(Path, ran.out.splitlines())} == {*folder.iterdir()}
    assert json.loads((folder / "parameters.txt").read_text().removeprefix(":params "))["scope"] == Scope(tenant).own
    told = graphmem("explore", "--files", folder, "--json").json
    assert (told["address"], {*told["files"]}) == ("", {str(path) for path in folder.iterdir()})


@pytest.mark.parametrize(("name", "said"), [("GRAPHMEM_TENANT", "no tenant"), ("GRAPHMEM_CACHE", "graphmem up")])
def test_what_is_missing_is_said_in_one_line(name: str, said: str, graphmem: Inside, tmp_path: Path) -> None:
    env = dict(graphmem.env) | {"GRAPHMEM_CACHE": str(tmp_path)} if name == "GRAPHMEM_CACHE" else dict(graphmem.env)
    if name == "GRAPHMEM_TENANT":
        del env[name]
    assert said in Inside(env)("explore", "--no-open").refusal


def test_a_server_that_is_away_is_no_riddle(graphmem: Inside) -> None:
    away = Inside(graphmem.env | {"GRAPHMEM_NEO4J__URI": "bolt://127.0.0.1:1", "GRAPHMEM_NEO4J__TIMEOUT": "2"})
    assert "nothing answers at bolt://127.0.0.1:1" in away("explore", "--no-open").refusal


def test_refused_credentials_are_no_connection(graphmem: Inside) -> None:
    stranger = Inside(graphmem.env | {"GRAPHMEM_NEO4J__USER": "nobody"})
    assert "refused the credentials" in stranger("explore", "--no-open").refusal


def test_an_address_and_files_are_not_asked_for_at_once(graphmem: Inside, folder: Path) -> None:
    assert "give one of them" in graphmem("explore", "--print", "--files", str(folder)).refusal
    assert not folder.exists()


def test_where_no_web_browser_can_be_opened_the_address_is_to_be_opened_by_hand(shell: Shell) -> None:
    running = served(shell.env | {"BROWSER": "w3m %s"})
    try:
        assert running.stdout is not None
        assert running.stdout.readline().startswith("http://127.0.0.1:")
        assert running.stderr is not None
        assert "no web browser can be opened here" in running.stderr.readline()
    finally:
        interrupted(running)


def test_the_web_browser_is_given_a_page_that_only_its_owner_can_read(shell: Shell, tmp_path: Path) -> None:
    """Everybody can read the command line of a process, and the address works once for whoever asks first."""
    taken, home = tmp_path / "taken", tmp_path / "home"
    browser = tmp_path / "bin" / "chromium"
    browser.parent.mkdir()
    browser.write_text(f'#!/bin/sh\necho "$@" > {taken}.draft\n/bin/mv {taken}.draft {taken}\n')
    browser.chmod(0o755)
    plain = {name: value for name, value in shell.env.items() if name != "BROWSER"}
    own = {"PATH": str(browser.parent), "DISPLAY": ":9", "GRAPHMEM_HOME": str(home)}
    running = served(plain | own)
    try:
        assert running.stdout is not None
        address = running.stdout.readline().strip()
        while not taken.exists():
            assert running.poll() is None
            time.sleep(0.05)
        given = taken.read_text().split()
        assert "/start/" not in " ".join(given)
        page = Path(url2pathname(urlsplit(given[-1]).path))
        assert address in page.read_text()
        assert page.stat().st_mode & 0o777 == 0o600
    finally:
        interrupted(running, signal.SIGTERM)
    assert not page.exists()
