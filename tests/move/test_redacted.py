"""What comes from elsewhere is cleaned as what callers say is, and what was cleaned comes back as it was."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graphmem import Episode
from graphmem.errors import InvalidInput
from tests.memories import won
from tests.move.conftest import Cypher, lines, write

MAIL = "jane.roe@example.com"


def test_secrets_in_a_file_are_not_kept(make: Callable[..., Any], file: Path, cypher: Cypher, tenant: str) -> None:
    client = make()
    client.record_many([won("e1", "write to PERSON"), won("e2", "nothing"), won("e3", "other")])
    client.correct(wrong="e2", right="e1", reason="PERSON said so", context="as PERSON")
    client.export(file)
    client.erase(everything=True)
    file.write_text(file.read_text("utf-8").replace("PERSON", MAIL), "utf-8")
    done = client.load(file)
    assert done.redacted == 4, "the memory, the correction, its context and the blame"
    assert done.unembedded == 1, "a vector of other words is none of these"
    dump = "MATCH (n {tenant: $t}) OPTIONAL MATCH (n)-[e]->() RETURN properties(n) AS n, properties(e) AS e"
    assert MAIL not in json.dumps(cypher(dump, t=tenant), default=str)
    assert client.get("e1").redacted == ("email:1",)
    assert client.load(file).created.total == 0, "cleaned again it is the same"
    assert client.reembed().embedded == 1
    assert client.check() == ()


def test_what_was_redacted_comes_back_as_it_was(make: Callable[..., Any], file: Path) -> None:
    client = make()
    client.record(Episode(id="e1", task=f"write to {MAIL}", outcome="success", subject=MAIL, metadata={"cc": MAIL}))
    client.export(file)
    assert MAIL not in file.read_text("utf-8")
    client.erase(everything=True)
    done = client.load(file)
    assert (done.redacted, done.unembedded) == (0, 0)
    again = file.with_name("again")
    client.export(again)
    assert again.read_bytes() == file.read_bytes()


def test_plain_records_and_libraries_are_cleaned(make: Callable[..., Any], file: Path) -> None:
    client = make()
    write(file, [{"task": f"write to {MAIL}", "outcome": "success"}])
    assert client.load(file).redacted == 1
    write(file, [{"problem": f"ask {MAIL}", "is_correct": True, "reflection": f"{MAIL} knows"}])
    assert client.load(file).redacted == 2
    assert client.load(file).created.total == 0
    client.export(file)
    assert MAIL not in json.dumps(lines(file))
    write(file, [{"task": "x", "id": MAIL}])
    done = client.load(file, lenient=True)
    assert done.left_out == 1
    assert MAIL not in done.model_dump_json()


def test_no_field_of_a_file_brings_in_what_is_taken_out(
    make: Callable[..., Any], file: Path, cypher: Cypher, tenant: str
) -> None:
    client = make()
    client.record(won("e1", "oil the hinge", domain="MARKED"))
    client.feedback(client.recall("oil the hinge", domain="MARKED", trace_id="MARKED"), outcome="success", used=["e1"])
    client.export(file)
    client.erase(everything=True)
    file.write_text(file.read_text("utf-8").replace("MARKED", MAIL), "utf-8")
    client.load(file)
    dump = "MATCH (n {tenant: $t}) OPTIONAL MATCH (n)-[e]->() RETURN properties(n) AS n, properties(e) AS e"
    found = json.dumps(cypher(dump, t=tenant), default=str)
    assert "[email]" in found
    assert MAIL not in found


def test_receipts_about_secure_memories_leave_as_these_do(make: Callable[..., Any], file: Path) -> None:
    client = make()
    client.record(Episode(id="s1", task="sing the quuxword song", outcome="success", secure=True))
    client.record(won("o1", "sing a song"))
    asked = client.recall("sing the quuxword song", include_secure=True)
    client.feedback(asked, outcome="success", used=["s1"], evidence="quuxword worked")
    client.correct(wrong="o1", right="s1", reason="quuxreason", context="quuxword choir")
    client.export(file)
    assert "quux" not in file.read_text("utf-8")
    assert {one["kind"] for one in lines(file)[1:]} == {"episode"}
    client.export(file, include_secure=True)
    assert all(word in file.read_text("utf-8") for word in ("quuxword worked", "quuxreason", "quuxword choir"))


def test_the_queue_of_a_scope_is_in_no_file(make: Callable[..., Any], file: Path) -> None:
    client = make()
    client.export(file)
    header = file.read_text("utf-8")
    job = {"kind": "job", "user": "", "id": "queue", "job": "consolidation", "state": "done"}
    file.write_text(header + json.dumps(job) + "\n", "utf-8")
    with pytest.raises(InvalidInput, match="queue is no run"):
        client.load(file)
