"""What comes from elsewhere is cleaned as what callers say is, and what was cleaned comes back as it was."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from graphmem import Episode
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
