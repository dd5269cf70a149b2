"""What leaves comes back: into an empty server, into the source, as often as one likes."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graphmem import Episode, Request
from graphmem.errors import InvalidInput
from graphmem.move import Counts
from tests.govern.lived import live
from tests.memories import NOW, Clock, won
from tests.move.conftest import Cypher, lines

ALL = {"everything": True, "include_secure": True}
ASKED = [Request(text="pump north:0.95") for _ in range(50)]


def lived(make: Callable[..., Any], cypher: Cypher, tenant: str, clock: Clock) -> tuple[Any, Any]:
    """A tenant and a user of it, whose memories went through every verb."""
    shared, ann = make(), make("ann")
    live(shared, "s-")
    clock.now = NOW.replace(microsecond=123457)
    live(ann, "a-")
    ann.link("a-e1", "s-e1", kind="similar", weight=1 / 3)
    ann.correct(wrong="s-free", right="s-e1", reason="Größe\u2028 zählt", context="pumps north:0.9")
    for client in (shared, ann):
        client.consolidate()
        client.retention(apply=True)
    cypher("MATCH (m:Memory {tenant: $t}) SET m.centrality = 0.1 + 0.2, m.degree = 1.0, m.betweenness = 0.0", t=tenant)
    return shared, ann


def test_export_into_an_empty_server_is_byte_equal(
    make: Callable[..., Any], cypher: Cypher, tenant: str, clock: Clock, file: Path, bare: None,
    counts: Callable[[], Any],
) -> None:  # fmt: skip
    shared, _ = lived(make, cypher, tenant, clock)
    for asked in shared.recall_many(ASKED):
        shared.judge(asked, relevant=[hit.id for hit in asked.hits[:1]])
    shared.calibrate()
    recalled = shared.recall("pump north:0.9")
    done, before = shared.export(file, **ALL), counts()
    assert min(done.counts.model_dump().values()) > 0, "everything takes part"
    assert done.outside == 0
    cypher("MATCH (n) DETACH DELETE n")
    fresh = make()
    fresh.init()
    came = fresh.load(file, everything=True)
    assert (came.created, came.skipped) == (done.counts, Counts())
    assert (came.unembedded, came.waiting, came.redacted) == (0, 0, 0)
    assert fresh.check(everything=True) == ()
    assert counts() == before
    again = file.with_name("again.jsonl")
    fresh.export(again, **ALL)
    assert again.read_bytes() == file.read_bytes()
    answer = fresh.recall("pump north:0.9")
    assert {hit.id: hit.relevance for hit in answer.hits} == {hit.id: hit.relevance for hit in recalled.hits}
    assert answer.parameters == recalled.parameters
    assert fresh.load(file, everything=True).skipped == done.counts


def test_a_scope_leaves_alone_and_comes_back_alone(
    make: Callable[..., Any], cypher: Cypher, tenant: str, clock: Clock, file: Path
) -> None:
    _, ann = lived(make, cypher, tenant, clock)
    done = ann.export(file, include_secure=True)
    assert done.outside > 0, "her links to what is shared stay behind, and are told"
    assert {record.get("user") for record in lines(file)[1:] if "start" not in record} == {"ann"}
    ann.erase(everything=True)
    assert ann.load(file).created == done.counts
    again = file.with_name("again.jsonl")
    ann.export(again, include_secure=True)
    assert again.read_bytes() == file.read_bytes()
    assert make().check(everything=True) == ()


def test_the_source_takes_its_own_export_and_nothing_changes(
    make: Callable[..., Any], cypher: Cypher, tenant: str, clock: Clock, file: Path
) -> None:
    shared, _ = lived(make, cypher, tenant, clock)
    query = "MATCH (n {tenant: $t}) RETURN properties(n) AS p ORDER BY labels(n), n.scope, n.id, n.domain, n.version"
    done, before = shared.export(file, **ALL), cypher(query, t=tenant)
    came = shared.load(file, everything=True)
    assert (came.created, came.skipped) == (Counts(), done.counts)
    assert cypher(query, t=tenant) == before


def test_what_is_secure_or_has_expired_stays(make: Callable[..., Any], clock: Clock, file: Path) -> None:
    client = make()
    live(client)
    client.record(won("soon", expires_at=NOW.replace(year=2026)))
    client.feedback(client.recall("descale the boiler"), outcome="success", used=["soon"])
    client.correct(wrong="e1", right="secret", reason="hush")
    clock.now = NOW.replace(year=2027)
    client.export(file)
    text = file.read_text("utf-8")
    assert not [name for name in ("secret", "rs", "soon") if f'"{name}"' in text]
    assert '"e1"' in text
    client.export(file, include_secure=True)
    text = file.read_text("utf-8")
    assert [name for name in ("secret", "rs", "soon") if f'"{name}"' in text] == ["secret", "rs"]


def test_what_lost_its_source_on_the_way_is_excused(make: Callable[..., Any], file: Path) -> None:
    client = make()
    live(client)
    client.consolidate()
    client.export(file)
    client.erase(everything=True)
    client.load(file)
    assert client.check() == ()
    again = file.with_name("again.jsonl")
    client.export(again)
    assert again.read_bytes() == file.read_bytes()


def test_a_file_appears_whole_or_not_at_all(make: Callable[..., Any], cypher: Cypher, tenant: str, file: Path) -> None:
    client = make()
    client.record_many([won(f"e{n:03}") for n in range(300)])
    file.write_text("before")
    cypher("MATCH (m:Memory {tenant: $t, id: 'e299'}) REMOVE m.task", t=tenant)
    with pytest.raises(Exception, match="damaged"):
        client.export(file)
    assert file.read_text() == "before"
    assert [path.name for path in file.parent.iterdir()] == [file.name]
    cypher("MATCH (m:Memory {tenant: $t, id: 'e299'}) DETACH DELETE m", t=tenant)
    assert client.export(file).counts.episodes == 299
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize("where", ["", "missing/file", "\0", "."])
def test_a_file_that_cannot_be_written_is_refused(make: Callable[..., Any], tmp_path: Path, where: str) -> None:
    with pytest.raises(InvalidInput):
        make().export(f"{tmp_path}/{where}")
    assert [*tmp_path.iterdir()] == []


def test_a_user_does_not_export_a_tenant(make: Callable[..., Any], file: Path) -> None:
    with pytest.raises(InvalidInput, match="everything"):
        make("ann").export(file, everything=True)
    assert not file.exists()


def test_times_and_numbers_are_exact(make: Callable[..., Any], file: Path) -> None:
    client = make()
    odd = Episode(
        id="odd", task="x", outcome="fail", occurred_at="0001-01-01T00:00:00.000001Z", difficulty=0.1 + 0.2,
        expires_at="9999-12-31T23:59:59.999998Z", metadata={"": [1e-323, 2**70, -0.0, None, "\ud7ff\U0010ffff"]},
    )  # fmt: skip
    client.record(odd)
    client.export(file)
    client.erase(everything=True)
    client.load(file)
    assert client.get("odd").memory == odd
