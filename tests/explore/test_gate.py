"""The gate: whom it lets in, once, and what it says to all others; files for who goes another way."""

from __future__ import annotations

import http.client
import json
import re
import socket
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

import pytest

from graphmem import Memory, Settings
from graphmem.errors import ConfigurationError, InvalidInput, ServerError
from graphmem.explore import Gate, address, called, colour, command, statements, style, write
from graphmem.explore.gate import _Handler
from graphmem.scope import Scope
from graphmem.settings import Connection
from tests.memories import won

SCOPE = Scope("gated", "u1")


@pytest.fixture
def gate(settings: Settings, at: Connection) -> Iterator[Gate]:
    with Gate(settings, at, SCOPE) as made:
        serving = Thread(target=made.serve, daemon=True)
        serving.start()
        yield made
        made.stop()
        serving.join()


def get(gate: Gate, path: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Ask the gate as any program could."""
    client = http.client.HTTPConnection(urlsplit(gate.origin).netloc, timeout=30)
    try:
        client._encode_request = str.encode  # type: ignore[method-assign]  # any bytes, as any program could
        client.request(method, path, headers=headers)
        answer = client.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
    finally:
        client.close()


def test_the_start_has_the_account_and_is_there_once(gate: Gate, at: Connection) -> None:
    assert at.password is not None
    secret = at.password.get_secret_value().encode()
    path = urlsplit(gate.address).path
    assert len(path) > 40
    status, headers, body = get(gate, path)
    assert (status, headers["cache-control"], headers["referrer-policy"]) == (200, "no-store", "no-referrer")
    assert headers["x-frame-options"] == "DENY"
    assert secret in body
    status, _, body = get(gate, path)
    assert status == 410
    assert secret not in body


@pytest.mark.parametrize("path", ["/start/", "/start/wrong", "/start/ä", "/start/None"])
def test_who_guesses_is_not_let_in_and_shuts_nobody_out(path: str, gate: Gate) -> None:
    status, _, body = get(gate, path)
    assert status == 410
    assert b"works once" in body
    assert get(gate, urlsplit(gate.address).path)[0] == 200


def test_who_says_nothing_is_let_go(gate: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _Handler.timeout == 30
    monkeypatch.setattr(_Handler, "timeout", 0.2)
    with socket.create_connection(("127.0.0.1", urlsplit(gate.origin).port or 0), timeout=30) as silent:
        assert silent.recv(1) == b""


@pytest.mark.parametrize("host", ["attacker.example", "attacker.example:7476", "127.0.0.1", ""])
def test_another_name_for_this_computer_is_refused(host: str, gate: Gate) -> None:
    """So that no page of elsewhere can read from it by pointing its own name here."""
    status, _, body = get(gate, urlsplit(gate.address).path, Host=host)
    assert status == 403
    assert b"password" not in body


@pytest.mark.parametrize(
    "path", ["/", "/browser", "/META-INF/MANIFEST.MF", "/browser/../META-INF/MANIFEST.MF", "/browser/%2e%2e/META-INF/"]
)
def test_nothing_but_browser_is_served(path: str, gate: Gate) -> None:
    assert get(gate, path)[0] == 404


def test_browser_is_served_from_its_jar(gate: Gate) -> None:
    status, headers, body = get(gate, "/browser/")
    assert (status, headers["content-type"]) == (200, "text/html")
    assert b"<title>Neo4j Browser</title>" in body
    assert get(gate, "/browser/", "POST")[0] == 501


def test_the_gate_is_on_this_computer_alone_and_takes_another_port_where_its_own_is_taken(
    gate: Gate, settings: Settings, at: Connection
) -> None:
    assert urlsplit(gate.origin).hostname == "127.0.0.1"
    with Gate(settings, at, SCOPE) as second:
        assert second.origin != gate.origin
    with pytest.raises(ServerError, match=r"is taken .* --port"):
        Gate(settings, at, SCOPE, urlsplit(gate.origin).port)


def test_without_its_files_browser_is_no_riddle(settings: Settings, at: Connection, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="run 'graphmem up' once"):
        Gate(settings.model_copy(update={"cache": tmp_path}), at, SCOPE)


def test_what_is_written_is_what_browser_takes(folder: Path) -> None:
    files = write(folder, SCOPE)
    assert {*files} == {*folder.iterdir()}
    assert (folder / "style.grass").read_text("utf-8") == style()
    assert (folder / "parameters.txt").read_text("utf-8") == f"{command(SCOPE)}\n"
    with zipfile.ZipFile(folder / "graphmem.zip") as archive:
        texts = {name: archive.read(name).decode() for name in archive.namelist()}
    assert texts == {f"graphmem/{one.name}.cypher": one.text for one in statements()}
    for one in statements():
        assert (folder / f"{one.name}.cypher").read_text("utf-8") == one.text
        assert one.text.startswith(f"// {called(one.name)}\n// name: explore/{one.name}\n")
    before = (folder / "graphmem.zip").read_bytes()
    assert write(folder, SCOPE) == files
    assert (folder / "graphmem.zip").read_bytes() == before


def test_a_folder_that_cannot_be_one_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidInput, match="name another folder"):
        write(tmp_path / "file", SCOPE)


def test_the_parameters_are_the_tokens_of_the_scope() -> None:
    given = json.loads(command(SCOPE).removeprefix(":params "))
    assert given == {"scope": SCOPE.own, "scopes": [SCOPE.own, SCOPE.shared], "id": "", "recall": ""}
    assert {name.strip() for one in statements() for name in _params(one.text)} == {*given}


def _params(text: str) -> list[str]:
    (line,) = (line for line in text.splitlines() if line.startswith("// params: "))
    return line.removeprefix("// params: ").split(",")


def test_no_address_holds_a_password(at: Connection, gate: Gate) -> None:
    assert at.password is not None
    told = address(at, SCOPE)
    assert at.password.get_secret_value() not in told + gate.address
    assert told.startswith("http://127.0.0.1:")
    with pytest.raises(ConfigurationError, match="brings its own"):
        address(at.model_copy(update={"browser": None}), SCOPE)


def test_episodes_are_marked_by_outcome_again_and_again_and_stay_in_order(
    memory: Memory, settings: Settings, cypher: Callable[..., list[dict[str, Any]]]
) -> None:
    memory.record_many([won("a"), won("b", outcome="fail"), won("c", outcome="mixed"), won("d", outcome="unknown")])

    def marks() -> dict[str, set[str]]:
        rows = cypher("MATCH (m:Episode {tenant: $t}) RETURN m.id AS id, labels(m) AS labels", t=memory.scope.tenant)
        return {row["id"]: {*row["labels"]} - {"Memory", "Episode"} for row in rows}

    colour(settings, memory.scope)
    assert marks() == {"a": {"Success"}, "b": {"Fail"}, "c": {"Mixed"}, "d": {"Unknown"}}
    assert memory.check() == ()
    memory.review("d", approve=True, by="ada", outcome="success")
    memory.record(won("e"))
    assert memory.check() == ()
    cypher("MATCH (m:Episode {tenant: $t, id: 'a'}) SET m:Fail", t=memory.scope.tenant)
    colour(settings, memory.scope)
    assert marks() == {"a": {"Success"}, "b": {"Fail"}, "c": {"Mixed"}, "d": {"Success"}, "e": {"Success"}}
    cypher("MATCH (m:Episode {tenant: $t, id: 'a'}) SET m:Admin", t=memory.scope.tenant)
    assert [fault.id for fault in memory.check()] == ["a"]


def test_the_page_tells_of_every_statement_and_of_no_other() -> None:
    page = (Path(__file__).parents[2] / "docs/browser.md").read_text("utf-8")
    assert sorted(re.findall(r"^\| `(\w+)` \| .* \| (?:table|graph) \|$", page, re.MULTILINE)) == sorted(
        one.name for one in statements()
    )
