"""One agent's library in another's scope, with its origin, and without what was said of its use."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graphmem.errors import Conflict, InvalidInput
from tests.govern.lived import live
from tests.memories import won
from tests.move.conftest import Cypher


def test_a_library_is_inherited_with_its_origin(
    make: Callable[..., Any], file: Path, cypher: Cypher, tenant: str
) -> None:
    giver, heir = make(suffix="-giver"), make("ann")
    live(giver)
    giver.consolidate()
    exported = giver.export(file)
    done = heir.load(file, inherit=True)
    assert done.inherited_from == f"{tenant}-giver"
    assert (done.created.episodes, done.created.skills) == (exported.counts.episodes, exported.counts.skills)
    assert (done.created.receipts, done.created.parameters, done.created.jobs) == (0, 0, 0)
    stored = heir.get("e1")
    assert (stored.user, stored.inherited_from, stored.successes, stored.failures) == ("ann", f"{tenant}-giver", 0, 0)
    assert f"inherited from {tenant}-giver" in heir.history("e1").explain()
    assert heir.get("s1").status == "active", "a person vouches for it"
    assert [link.id for link in heir.history("e2").corrected_by] == ["e1"]
    assert heir.history("lost").corrected_by == (), "what corrects in contexts alone rests on receipts"
    assert [hit.id for hit in heir.recall("pump north:1").hits]
    links = "MATCH (:Memory {tenant: $t})-[e]->(:Memory {tenant: $t}) RETURN DISTINCT type(e) AS type ORDER BY type"
    assert [row["type"] for row in cypher(links, t=tenant)] == ["CORRECTS", "DERIVES", "GENERALIZES", "RELATES"]
    again = heir.load(file, inherit=True)
    assert (again.created.total, again.skipped) == (0, done.created)
    assert make().check(everything=True) == ()
    assert heir.consolidate().failed == 0
    assert make().check(everything=True) == ()
    heir.export(file)
    third = make(suffix="-third")
    third.load(file, inherit=True)
    assert third.get("e1").inherited_from == f"{tenant}-giver", "who gave it first is told"
    for client in (giver, third):
        client.erase(everything=True)


def test_a_user_gives_to_what_the_tenant_shares(make: Callable[..., Any], file: Path, tenant: str) -> None:
    giver, heir = make("bob"), make("ann")
    giver.record(won("e1"))
    giver.export(file)
    assert heir.load(file, inherit=True, share=True).user == ""
    assert make().get("e1").inherited_from == f"{tenant}, user bob"


def test_taken_ids_are_conflicts(make: Callable[..., Any], file: Path) -> None:
    giver, heir = make("bob"), make("ann")
    giver.record_many([won("e1", "a"), won("e2", "b")])
    giver.link("e1", "e2")
    heir.record(won("e1", "other"))
    giver.export(file)
    with pytest.raises(Conflict, match="e1 is taken"):
        heir.load(file, inherit=True)
    done = heir.load(file, inherit=True, lenient=True)
    assert (done.created.episodes, done.created.links, done.left_out) == (1, 0, 2)
    assert heir.get("e1").memory.task == "other"


def test_what_cannot_be_inherited(make: Callable[..., Any], file: Path) -> None:
    client = make()
    client.export(file, everything=True)
    with pytest.raises(InvalidInput, match="one library"):
        client.load(file, inherit=True)
    file.write_text('{"task": "t"}\n')
    with pytest.raises(InvalidInput, match="whose it is"):
        client.load(file, inherit=True)
    client.export(file)
    with pytest.raises(InvalidInput, match="share"):
        make().load(file, share=True)
