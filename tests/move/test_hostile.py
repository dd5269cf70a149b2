"""A file is anybody's: what it says sets the fields that it may set, and nothing else changes."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graphmem.errors import Conflict, InvalidInput, ScopeError
from graphmem.source import LONGEST
from tests.govern.lived import live
from tests.memories import won
from tests.move.conftest import Cypher, lines, write

EPISODE = {
    "kind": "episode", "id": "e9", "memory": {"task": "x", "outcome": "success"}, "status": "active",
    "created_at": "2025-06-01T12:00:00Z", "updated_at": "2025-06-01T12:00:00Z",
}  # fmt: skip
AT = {"at": "2025-06-01T12:00:00Z", "by": "x"}
SKILL = {**EPISODE, "kind": "skill", "id": "s9", "memory": {"name": "x", "steps": ["y"]}}
LESSON = {**EPISODE, "kind": "reflection", "id": "r9", "memory": {"insight": "x"}}
UNKNOWN = {**EPISODE, "memory": {"task": "x"}, "status": "audit"}
SECRET = {**EPISODE, "id": "h9", "memory": {**EPISODE["memory"], "secure": True}}
DERIVES = {"kind": "derives", "start": {"id": "e9"}, "end": {"id": "r9"}, **AT}
RECEIPT = {
    "kind": "receipt", "id": "q9", "decision": "use", "at": AT["at"], "expires_at": "2999-01-01T00:00:00Z",
    "context_hash": "c",
}  # fmt: skip


@pytest.fixture
def header(make: Callable[..., Any], file: Path) -> dict[str, Any]:
    """The header of a file of this test's tenant."""
    make().export(file)
    return lines(file)[0]


BAD: dict[str, tuple[list[Any], str]] = {
    "a system field": ([{**EPISODE, "recallable": True}], "recallable"),
    "a token": ([{**EPISODE, "scope": "s0"}], "scope"),
    "a tenant": ([{**EPISODE, "tenant": "other"}], "tenant"),
    "a counter": ([{**EPISODE, "successes": 9}], "successes"),
    "a label": ([{**EPISODE, "labels": ["Admin"]}], "labels"),
    "an unknown field of a memory": ([{**EPISODE, "memory": {"task": "x", "scope": "s0"}}], "scope"),
    "an id within": ([{**EPISODE, "memory": {"task": "x", "id": "y"}}], "without an id"),
    "self": ([{**EPISODE, "self": 1}], "self"),
    "an unknown kind": ([{**EPISODE, "kind": "admin"}], "none of"),
    "a kind that is no text": ([{**EPISODE, "kind": ["episode"]}], "none of"),
    "the queue": ([{"kind": "job", "id": "queue", "job": "queue", "state": "done"}], "job"),
    "a running job": ([{"kind": "job", "id": "j", "job": "retention", "state": "running"}], "state"),
    "a strange count": ([{"kind": "job", "id": "j", "job": "retention", "state": "done", "counts": {"lead": 1}}],
                        "lead"),
    "a user": ([{**EPISODE, "user": "ann"}], "another user"),
    "a link of a user": ([EPISODE, LESSON, {**DERIVES, "end": {"id": "r9", "user": "ann"}}], "another user"),
    "unknown and active": ([{**UNKNOWN, "status": "active"}], "outcome is unknown"),
    "known and in audit": ([{**EPISODE, "status": "audit"}], "outcome is known"),
    "awaiting nothing": ([{**SKILL, "awaits": "grouping"}], "awaits"),
    "no end": ([EPISODE, DERIVES], "r9, which is neither in the file"),
    "wrong kinds": ([EPISODE, LESSON, {**DERIVES, "start": {"id": "r9"}, "end": {"id": "e9"}}], "other kinds"),
    "a secret leaks": ([SECRET, LESSON, {**DERIVES, "start": {"id": "h9"}}], "is secure"),
    "to itself": ([EPISODE, {"kind": "corrects", "start": {"id": "e9"}, "end": {"id": "e9"}, "reason": "r",
                             "everywhere": True, **AT}], "itself"),
    "twice": ([EPISODE, EPISODE], "already, at line 2"),
    "a link twice": ([EPISODE, LESSON, DERIVES, DERIVES], "already, at line 5"),
    "no number": ([{**EPISODE, "support": float("nan")}], "NaN"),
    "an infinite rate": ([{**EPISODE, "success_rate": 1e999}], "Infinity"),
    "a list": ([[EPISODE]], "list is no record"),
    "a receipt without memory": ([{**RECEIPT, "decision": "always"}], "decision"),
    "a number too large": ([{**SKILL, "memory": {**SKILL["memory"], "version": 2**64}}], "version"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_a_bad_line_is_told_and_nothing_is_written(
    make: Callable[..., Any], header: dict[str, Any], file: Path, cypher: Cypher, tenant: str, name: str
) -> None:
    records, said = BAD[name]
    client = make()
    write(file, [header, {**EPISODE, "id": "good"}, *records])
    if name == "twice":
        write(file, [header, *records])
    with pytest.raises(InvalidInput, match=r"1 fault, nothing was written:\nline \d+: ") as told:
        client.load(file)
    assert said in str(told.value)
    assert f"line {len(lines_of(file))}: " in str(told.value)
    assert cypher("MATCH (n {tenant: $t}) RETURN n", t=tenant) == []
    done = client.load(file, lenient=True)
    assert done.left_out == 1
    assert said in done.faults[0].problem
    assert client.check() == ()
    ids = {row["id"] for row in cypher("MATCH (m:Memory {tenant: $t}) RETURN m.id AS id", t=tenant)}
    assert ids <= {"good", "e9", "r9", "s9", "h9"}
    assert cypher("MATCH (j:Job {tenant: $t}) RETURN j", t=tenant) == []


def lines_of(file: Path) -> list[str]:
    return file.read_text("utf-8").splitlines()


def test_the_first_faults_are_told_and_all_are_counted(
    make: Callable[..., Any], header: dict[str, Any], file: Path
) -> None:
    write(file, [header, *({**EPISODE, "id": f"e{n}", "scope": "s"} for n in range(50))])
    with pytest.raises(InvalidInput) as told:
        make().load(file)
    first, *listed = str(told.value).splitlines()
    assert first == "50 faults, nothing was written:"
    assert [line.split(":")[0] for line in listed] == [f"line {n}" for n in range(2, 22)] + ["and 30 more"]


def test_another_tenants_file_and_another_users_are_refused(
    make: Callable[..., Any], header: dict[str, Any], file: Path
) -> None:
    client, ann = make(), make("ann")
    client.record(won("e1"))
    client.export(file, everything=True)
    with pytest.raises(ScopeError, match="everything=True"):
        client.load(file)
    with pytest.raises(ScopeError, match="client of the tenant"):
        ann.load(file, everything=True)
    client.export(file)
    with pytest.raises(ScopeError, match="user"):
        ann.load(file)
    with pytest.raises(ScopeError, match="of tenant"):
        make(suffix="-other").load(file)
    write(file, [{**header, "version": 2}])
    with pytest.raises(InvalidInput, match="reads 'graphmem', 1"):
        client.load(file)
    write(file, [{**header, "extra": 2}])
    with pytest.raises(InvalidInput, match="extra"):
        client.load(file, lenient=True)


def test_what_nothing_proves_is_a_candidate(
    make: Callable[..., Any], header: dict[str, Any], file: Path, cypher: Cypher, tenant: str
) -> None:
    client = make()
    doubtful = {**LESSON, "id": "r8"}
    wins = [{**EPISODE, "id": f"w{n}", "memory": {**EPISODE["memory"], "summary": f"way {n}"}} for n in range(3)]
    proven = {**SKILL, "id": "s8"}
    links = [{**DERIVES, "start": {"id": f"w{n}"}} for n in range(3)]
    general = {"kind": "generalizes", "start": {"id": "r9"}, "end": {"id": "s8"}, **AT}
    vouched = {**SKILL, "id": "s7", "review": "approved", "reviewed_by": "ada", "reviewed_at": AT["at"]}
    write(file, [header, UNKNOWN, doubtful, LESSON, SKILL, proven, vouched, *wins,
                 {**DERIVES, "end": {"id": "r8"}}, *links, general])  # fmt: skip
    done = client.load(file)
    found = {stored.id: stored.status.value for stored in client.list()}
    assert found == {"e9": "audit", "r8": "candidate", "r9": "active", "s9": "candidate", "s8": "active",
                     "s7": "active", "w0": "active", "w1": "active", "w2": "active"}  # fmt: skip
    assert done.waiting == 2
    assert client.check() == ()
    assert not {"e9", "r8", "s9"} & {hit.id for hit in client.recall("x", limit=50).candidates}


def test_only_one_version_of_a_skill_is_active(make: Callable[..., Any], header: dict[str, Any], file: Path) -> None:
    client = make()
    said = {"name": "x", "steps": ["y"], "approved_by": "ada"}
    write(file, [header, *({**SKILL, "id": f"s{n}", "family": "f", "memory": {**said, "version": n}} for n in (1, 2))])
    assert client.load(file).waiting == 1
    assert client.check() == ()


@pytest.mark.parametrize("vector", [[1.0], [0.0] * 384, [2.0] + [0.0] * 383, [1e308] * 384])
def test_a_vector_that_graphmem_would_not_write_is_left_to_reembed(
    make: Callable[..., Any], header: dict[str, Any], file: Path, vector: list[float]
) -> None:
    client = make()
    model = {"embedding_model": "bge-small-en-v1.5", "embedded": "whole"}
    write(file, [header, {**EPISODE, **model, "vector": vector}])
    assert client.load(file).unembedded == 1
    assert client.reembed().embedded == 1
    assert client.check() == ()


def test_vectors_of_another_model_are_not_taken(make: Callable[..., Any], header: dict[str, Any], file: Path) -> None:
    client = make()
    unit = [1.0] + [0.0] * 383
    other = {**header, "embedding_model": "other"}
    write(file, [other, {**EPISODE, "embedding_model": "other", "vector": unit}])
    assert client.load(file).unembedded == 1
    assert client.get("e9").embedding_model == ""


def test_deep_nesting_and_an_endless_line_take_no_memory(
    make: Callable[..., Any], header: dict[str, Any], file: Path
) -> None:
    client = make()
    deep = b'{"kind": "episode", "memory": ' + b"[" * 200_000 + b"]" * 200_000 + b"}"
    with file.open("wb") as stream:
        stream.write(json.dumps(header).encode() + b"\n" + deep + b"\n")
        for _ in range(2 * LONGEST // 2**20):
            stream.write(b" " * 2**20)
        stream.write(b"\n" + json.dumps(EPISODE).encode() + b"\n")
    tracemalloc.start()
    try:
        with pytest.raises(InvalidInput) as told:
            client.load(file)
        assert tracemalloc.get_traced_memory()[1] < 4 * LONGEST
    finally:
        tracemalloc.stop()
    assert "line 2: not usable: nested too deeply" in str(told.value)
    assert f"line 3: longer than {LONGEST} bytes" in str(told.value)
    assert client.load(file, lenient=True).created.episodes == 1


def test_metadata_stays_data(make: Callable[..., Any], header: dict[str, Any], file: Path, cypher: Cypher) -> None:
    evil = {"x: 1}) DETACH DELETE n //": {"`": "$rows"}, "scope": "s0", "__class__": None, "": 1}
    client = make()
    client.record(won("stays"))
    write(file, [header, {**EPISODE, "memory": {**EPISODE["memory"], "metadata": evil}}])
    client.load(file)
    assert client.get("e9").memory.metadata == evil
    assert client.get("stays")


def test_a_taken_id_is_a_conflict(make: Callable[..., Any], file: Path) -> None:
    client = make()
    live(client)
    client.export(file)
    records = lines(file)
    changed = next(record for record in records if record.get("id") == "e1")
    changed["memory"]["task"] = "something else"
    write(file, records)
    with pytest.raises(Conflict, match="memory e1 is taken by other content"):
        client.load(file)
    done = client.load(file, lenient=True)
    assert done.created.total == 0
    assert done.faults[0].conflict
    assert client.get("e1").memory.task == "pump north:0.9"
    assert client.check() == ()
