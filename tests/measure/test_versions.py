"""Versions of the parameters on the real server: counted up, taken back, one of them active whoever writes at once."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from graphmem import Memory
from graphmem.errors import InvalidInput, NotFound
from graphmem.scope import Scope
from graphmem.store.catalogue import statement
from tests.measure.planting import PLAIN, Planter
from tests.memories import won

Connect = Callable[..., Memory]
Cypher = Callable[..., list[dict[str, Any]]]
Versions = Callable[[], list[tuple[str, int, bool]]]


def test_versions_count_up_and_any_of_them_can_be_active_again(
    client: Any, planter: Planter, boiler: str, versions: Versions
) -> None:
    def current() -> int:
        number = client.recall("Descale the boiler").parameters.version
        assert isinstance(number, int)
        return number

    with pytest.raises(InvalidInput, match=r"^no parameters are active for this scope"):
        client.rollback()
    planter.labelled(60, boiler)
    made = [client.calibrate(false_hit_rate=rate) for rate in (0.1, 0.2, 0.3)]
    assert [done.version for done in made] == [1, 2, 3]
    assert [one.false_hit_rate for one in client.parameters()] == [0.3, 0.2, 0.1]
    assert current() == 3
    back = client.rollback()
    assert (back.before, back.version, back.parameters) == (3, 2, made[1].parameters)
    assert current() == 2
    assert (client.rollback().version, client.rollback().version, current()) == (1, 0, 0)
    assert versions() == [("", 1, False), ("", 2, False), ("", 3, False)]
    with pytest.raises(InvalidInput, match="nothing to go back"):
        client.rollback()
    assert (client.rollback(version=3).version, current()) == (3, 3)
    assert (client.rollback(version=3).version, current()) == (3, 3)
    assert (client.rollback(version=0).parameters, current()) == (None, 0)
    assert client.rollback(version=1).version == 1
    with pytest.raises(NotFound, match=r"^no version 9 .*there are: 1, 2, 3$"):
        client.rollback(version=9)
    assert client.calibrate(false_hit_rate=0.1).version == 4
    assert versions() == [("", 1, False), ("", 2, False), ("", 3, False), ("", 4, True)]
    back = client.rollback()
    assert (back.version, current()) == (1, 1), "the one that version 4 replaced, not the one numbered before it"
    assert client.rollback().version == 0


def test_calibrations_at_once_leave_one_active(
    connect: Connect, planter: Planter, tenant: str, versions: Versions
) -> None:
    clients = [connect() for _ in range(6)]
    clients[0].record(won("boiler"))
    planter.labelled(60, "boiler")
    with ThreadPoolExecutor(len(clients)) as pool:
        made = list(pool.map(lambda one: one.calibrate(), clients))
        assert sorted(done.version for done in made) == [1, 2, 3, 4, 5, 6]
        assert versions() == [("", number, number == 6) for number in range(1, 7)]
        list(pool.map(lambda pair: pair[0].rollback(version=pair[1]), zip(clients, range(1, 7), strict=True)))
    assert sum(active for _, _, active in versions()) == 1


def test_a_commit_that_is_retried_makes_one_version(memory: Memory, cypher: Cypher, tenant: str) -> None:
    memory.init()
    where = {"scope": Scope(tenant).own, "domain": ""}
    properties = {"tenant": tenant, "threshold": 0.5}
    for write_id in ("a", "a", "b", "a"):
        cypher(statement("measure/hold").text, **where, tenant=tenant, user="")
        cypher(statement("measure/calibrate").text, **where, write_id=write_id, properties=properties)
    found = cypher("MATCH (p:Parameters {tenant: $t}) RETURN p.version AS n, p.active AS a ORDER BY n", t=tenant)
    assert [(row["n"], row["a"]) for row in found] == [(0, False), (1, False), (2, True)]


def test_each_scope_has_its_own(connect: Connect, planter: Planter, cypher: Cypher, tenant: str) -> None:
    shared, own, other = connect(), connect(user="u7"), connect(user="u8")
    shared.record(won("boiler"))
    own.record(won("mine"))
    planter.labelled(60, "boiler")
    with pytest.raises(InvalidInput, match=r"^0 labelled"):
        own.calibrate()
    shared.calibrate()
    Planter(cypher, Scope(tenant, "u7")).labelled(55, "mine")
    done = own.calibrate(false_hit_rate=0.3)
    assert done.labelled == 55
    assert own.recall("Descale the boiler").parameters == done.parameters.model_copy(update=PLAIN)
    for client in (shared, other):
        assert client.recall("Descale the boiler").parameters.threshold != done.parameters.threshold
        assert client.recall("Descale the boiler").parameters.version == 1
    assert other.parameters() == ()
    own.rollback()
    assert own.parameters()[0].active is False
    assert shared.parameters()[0].active is True
