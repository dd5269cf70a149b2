"""The file of the outbox: private, bounded, shared, told when it cannot be used, without a byte of what was erased."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from graphmem import Episode, Memory, Reflection, Settings
from graphmem.correct import Reference, Verdict
from graphmem.errors import OutboxError, StoreUnavailable
from graphmem.outbox import Entry, Outbox, held, of_feedback, of_record
from graphmem.outbox.entry import recorded, said_of
from graphmem.record import Accepted
from graphmem.scope import Scope
from graphmem.settings import Connection, load_settings
from graphmem.steps import Count, Forget, Keep, Pending, Revive, Settle, Turn
from tests.outbox.relay import Relay

NOW = datetime(2026, 5, 4, 3, 2, 1, tzinfo=UTC)
ACME = Scope("acme")
U7 = Scope("acme", "u7")


def box(home: Path, uri: str = "bolt://x", **rules: Any) -> Outbox:
    return Outbox(load_settings(home=home, outbox=rules), Connection(uri=uri, user="neo4j"))


def entry(id_: str, scope: Scope = ACME, share: bool = False, **given: Any) -> Entry:
    item = Episode(**{"id": id_, "task": f"task of {id_}", **given})
    return of_record(Accepted(item), scope, share, NOW + timedelta(seconds=len(id_)))


def ids(outbox: Outbox, scope: Scope = ACME) -> list[str]:
    return [found.id for found in outbox.answer(Pending(scope, most=10_000))]


def bytes_of(home: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(home.rglob("*")) if path.is_file())


def test_without_a_file_nothing_waits_and_none_is_made(tmp_path: Path) -> None:
    outbox = box(tmp_path / "home")
    assert outbox.answer(Pending(ACME)) == ()
    assert outbox.answer(Count(ACME)).waiting == 0
    assert outbox.answer(Revive(ACME)) == outbox.answer(Forget(ACME, everything=True)) == 0
    assert held(tmp_path / "home" / "outbox.sqlite") == ()
    assert not (tmp_path / "home").exists()


def test_only_its_owner_can_read_what_waits(tmp_path: Path) -> None:
    outbox, umask = box(tmp_path / "home"), os.umask(0)
    try:
        outbox.answer(Keep([entry("a")]))
        with outbox.answer(Turn(0.0)):
            assert {stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "home").iterdir()} == {0o600}
    finally:
        os.umask(umask)
    assert stat.S_IMODE((tmp_path / "home").stat().st_mode) == 0o700


def test_entries_come_back_as_they_were_kept_in_their_order(tmp_path: Path) -> None:
    outbox = box(tmp_path)
    said = Verdict(outcome="fail", used=["a"], misled=["b"], evidence="ö \u2028", reason="")
    entries = [entry("a"), of_feedback(Reference("r"), said, ACME, NOW), entry("b", tags=["t"])]
    outbox.answer(Keep(entries[:1]))
    outbox.answer(Keep(entries[1:]))
    found = outbox.answer(Pending(ACME, most=10))
    assert [one.number for one in found] == sorted(one.number for one in found)
    assert [recorded(found[0]), recorded(found[2])] == [recorded(one) for one in (entries[0], entries[2])]
    assert said_of(found[1]) == (Reference("r"), said)
    assert [one.at for one in found] == [one.at for one in entries]
    outbox.answer(Settle([found[0].number], {found[1].number: "why"}))
    assert ids(outbox) == ["b"]
    assert [(letter.id, letter.reason) for letter in outbox.answer(Count(ACME)).letters] == [("r", "why")]
    outbox.answer(Settle([found[2].number], {}))
    outbox.answer(Keep([entry("c")]))
    assert outbox.answer(Pending(ACME))[0].number > found[2].number  # a number is never used again


@pytest.mark.parametrize("rules", [{"entries": 3}, {"bytes": 65_536}], ids=["entries", "bytes"])
def test_a_full_outbox_says_so_and_keeps_all_or_nothing(tmp_path: Path, rules: dict[str, int]) -> None:
    outbox = box(tmp_path, **rules)
    outbox.answer(Keep([entry("a"), entry("b")]))
    big = "x" * 40_000
    with pytest.raises(OutboxError, match=r"is full \(2 writes wait.*GRAPHMEM_OUTBOX__ENTRIES and __BYTES"):
        outbox.answer(Keep([entry("c", summary=big), entry("d", summary=big)]))
    assert ids(outbox) == ["a", "b"]
    outbox.answer(Settle([found.number for found in outbox.answer(Pending(ACME, most=9))], {}))
    outbox.answer(Keep([entry("c", summary=big)]))
    assert ids(outbox) == ["c"]


def test_each_database_and_each_client_has_a_queue_of_its_own(tmp_path: Path) -> None:
    first, second = box(tmp_path, "bolt://one"), box(tmp_path, "bolt://two")
    for number, scope in enumerate((ACME, U7, Scope("other"))):
        first.answer(Keep([entry(f"a{number}", scope)]))
        second.answer(Keep([entry(f"b{number}", scope)]))
    assert [ids(first, scope) for scope in (ACME, U7, Scope("other"))] == [["a0"], ["a1"], ["a2"]]
    assert second.answer(Count(ACME, everything=True)).users == ("", "u7")
    numbers = [found.number for found in second.answer(Pending(U7))]
    second.answer(Settle([], dict.fromkeys(numbers, "no")))
    told = {(one.target, one.waiting, one.dead) for one in held(tmp_path / "outbox.sqlite")}
    assert told == {("bolt://one", 3, 0), ("bolt://two", 2, 1)}
    assert (first.answer(Count(ACME, everything=True)).dead, second.answer(Count(ACME)).dead) == (0, 0)
    assert second.answer(Revive(ACME, everything=True)) == 1


def test_the_private_server_is_the_same_at_another_port(tmp_path: Path) -> None:
    settings = load_settings(home=tmp_path)
    before, after = (
        Outbox(settings, Connection(uri=f"bolt://127.0.0.1:{port}", user="neo4j", origin="private server"))
        for port in (7687, 7777)
    )
    before.answer(Keep([entry("a")]))
    assert ids(after) == ["a"]


def _damage_nothing_like_it(path: Path) -> None:
    path.write_bytes(b"this is no database " * 500)


def _damage_torn(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000] + b"\xff" * 4096)


def _damage_foreign(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as file:
        file.execute("CREATE TABLE songs (title TEXT)")
    file.close()


def _damage_newer(path: Path) -> None:
    with sqlite3.connect(path) as file:
        file.execute("PRAGMA user_version = 99")
    file.close()


def _damage_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


DAMAGES = {
    "no database": (_damage_nothing_like_it, "it is damaged"),
    "torn": (_damage_torn, "it is damaged"),
    "another program's": (_damage_foreign, "another program's file"),
    "newer": (_damage_newer, "upgrade graphmem"),
    "a folder": (_damage_folder, "GRAPHMEM_OUTBOX__PATH"),
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("up", [True, False], ids=["store there", "store away"])
def test_an_outbox_that_cannot_be_used_is_one_clear_error(
    make: Callable[..., Memory], here: Settings, relay: Relay, damage: str, up: bool
) -> None:
    memory, path = make(), here.outbox_path
    memory.record({"id": "old", "task": "north:0.9", "outcome": "success"})
    Outbox(here, Connection(uri="bolt://elsewhere", user="neo4j")).answer(Keep([entry(f"e{n}") for n in range(99)]))
    spoil, told = DAMAGES[damage]
    spoil(path)
    before = path.read_bytes() if path.is_file() else b""
    if not up:
        relay.cut()
    for write in (
        lambda: memory.record({"task": "anything"}),
        lambda: memory.feedback("receipt", outcome="fail"),
    ):
        with pytest.raises(OutboxError, match=told) as caught:
            write()
        assert str(path) in str(caught.value)
        assert "\n" not in str(caught.value)
        assert isinstance(caught.value.__cause__, StoreUnavailable) == (not up)
    for look in (memory.flush, memory.waiting):
        with pytest.raises(OutboxError, match=told):
            look()
    answer = memory.recall("north:1")
    assert answer.decision == ("use" if up else "policy_only")
    assert [warning for warning in answer.warnings if told in warning] != [] or not up
    assert (path.read_bytes() if path.is_file() else b"") == before


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    outbox = box(tmp_path / "file" / "home")
    assert outbox.answer(Pending(ACME)) == ()
    with pytest.raises(OutboxError, match=r"file/home/outbox\.sqlite cannot be used .*GRAPHMEM_OUTBOX__PATH"):
        outbox.answer(Keep([entry("a")]))


def test_a_full_disk_is_told_and_nothing_is_half_written(tmp_path: Path) -> None:
    outbox, path = box(tmp_path), tmp_path / "outbox.sqlite"
    outbox.answer(Keep([entry("a")]))
    program = """
import resource, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from graphmem.errors import OutboxError
from graphmem.steps import Keep
from tests.outbox.test_file import box, entry
import signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
outbox = box(Path(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    outbox.answer(Keep([entry("b", summary="x" * 60_000), entry("c", summary="x" * 60_000)]))
except OutboxError as error:
    print(error)
"""
    root = str(Path(__file__).parents[2])
    ran = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path), root], capture_output=True, text=True, check=True, timeout=60
    )
    assert f"the outbox {path} cannot be used" in ran.stdout
    assert ids(outbox) == ["a"]


def test_processes_that_make_the_file_at_once_all_keep_what_they_have(tmp_path: Path) -> None:
    program = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[3])
from graphmem.steps import Keep
from tests.outbox.test_file import box, entry
outbox = box(Path(sys.argv[1]))
sys.stdin.readline()
for n in range(5):
    outbox.answer(Keep([entry(f"p{sys.argv[2]}-{n}")]))
"""
    root = str(Path(__file__).parents[2])
    processes = [
        subprocess.Popen([sys.executable, "-c", program, str(tmp_path), str(n), root], stdin=subprocess.PIPE, text=True)
        for n in range(4)
    ]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.close()
    assert [process.wait(60) for process in processes] == [0] * 4
    found = ids(box(tmp_path))
    assert sorted(found) == [f"p{process}-{n}" for process in range(4) for n in range(5)]
    for process in range(4):
        own = [id_ for id_ in found if id_.startswith(f"p{process}-")]
        assert own == sorted(own)


def test_only_one_at_a_time_has_the_turn(tmp_path: Path) -> None:
    outbox = box(tmp_path)
    with outbox.answer(Turn(0.0)):
        assert outbox.answer(Turn(0.0)) is None
        outbox.answer(Keep([entry("a")]))  # keeping goes on meanwhile
    with outbox.answer(Turn(0.0)) as lease:
        assert lease is not None


SECRET = "Zaphod Beeblebrox-Ω"


def _recall_of(make: Callable[..., Memory], id_: str, **given: Any) -> Any:
    memory = make(**given)
    memory.record(Episode(id=id_, task=f"{SECRET} north:0.9", outcome="success", subject="zaphod"))
    return memory.recall("north:1")


def test_the_bytes_of_what_is_forgotten_are_gone_from_every_file(
    make: Callable[..., Memory], here: Settings, tenant: str, tmp_path: Path
) -> None:
    scope, own = Scope(tenant), Scope(tenant, "u7")
    answer = _recall_of(make, "seen")
    assert SECRET in answer.to_json()
    outbox = Outbox(here, Connection(uri="bolt://x", user="neo4j"))
    said = Verdict(outcome="fail", used=[], misled=["named"], evidence=SECRET, reason="")
    silent = Verdict(outcome="fail", used=[], misled=[], evidence="", reason="")
    lesson = Reflection(id="lesson", insight=f"what {SECRET} did", sources=["seen"])
    entries = [
        entry("about", scope, summary=SECRET, subject="zaphod"),
        entry("seen", scope, summary=SECRET),
        of_record(Accepted(lesson), own, False, NOW),
        of_feedback(Reference("r1", answer), silent, scope, NOW),
        of_feedback(Reference("r2"), said, own, NOW),
        entry("theirs", own, summary=SECRET, subject="zaphod"),
    ]
    kept = [entry(f"kept-{n}", (scope, own)[n % 2], subject="trillian") for n in range(50)]
    other = entry("seen", own)  # another memory, which happens to have this id in its own scope
    outbox.answer(Keep([*kept[:25], *entries, other, *kept[25:]]))
    numbers = [found.number for found in outbox.answer(Pending(scope, most=99)) if found.id == "about"]
    outbox.answer(Settle([], dict.fromkeys(numbers, f"because of {SECRET}")))
    assert SECRET.encode() in bytes_of(tmp_path)
    gone = {(scope.own, "seen"), (scope.own, "named")}
    assert outbox.answer(Forget(scope, memories=gone, subjects={"zaphod"})) == len(entries)
    assert SECRET.encode() not in bytes_of(tmp_path)
    assert sorted([*ids(outbox, scope), *ids(outbox, own)]) == sorted(["seen", *(one.id for one in kept)])


def test_a_user_forgets_only_what_goes_to_that_users_own(tmp_path: Path) -> None:
    outbox = box(tmp_path)
    outbox.answer(
        Keep([
            entry("shared", ACME, subject="zaphod"), entry("own", U7, subject="zaphod"),
            entry("given", U7, share=True, subject="zaphod"), entry("others", Scope("acme", "u8"), subject="zaphod"),
            entry("foreign", Scope("other", "u7"), subject="zaphod"),
        ])
    )  # fmt: skip
    assert outbox.answer(Forget(U7, subjects={"zaphod"})) == 1
    assert (ids(outbox, U7), ids(outbox)) == (["given"], ["shared"])
    assert outbox.answer(Forget(U7, everything=True)) == 0
    assert outbox.answer(Forget(ACME, everything=True)) == 3
    assert (ids(outbox, Scope("acme", "u8")), ids(outbox, Scope("other", "u7"))) == ([], ["foreign"])


def test_what_was_delivered_leaves_no_bytes_behind(tmp_path: Path) -> None:
    outbox = box(tmp_path)
    outbox.answer(Keep([entry(f"e{n}", summary=SECRET * 200) for n in range(100)]))
    full = (tmp_path / "outbox.sqlite").stat().st_size
    outbox.answer(Settle([found.number for found in outbox.answer(Pending(ACME, most=100))], {}))
    assert SECRET.encode() not in bytes_of(tmp_path)
    assert (tmp_path / "outbox.sqlite").stat().st_size < full / 10


def test_an_entry_that_was_damaged_is_a_dead_letter(
    make: Callable[..., Memory], here: Settings, relay: Relay, tenant: str
) -> None:
    memory = make()
    relay.cut()
    for n in range(3):
        memory.record(Episode(id=f"e{n}", task="a task", outcome="success"))
    with sqlite3.connect(here.outbox_path) as file:
        file.execute('UPDATE entry SET payload = \'{"id": "e1"\' WHERE payload LIKE \'%"e1"%\'')
    file.close()
    relay.mend()
    done = memory.flush()
    assert (done.delivered, done.dead) == (2, 1)
    assert "was damaged in the outbox" in done.letters[0].reason
    assert {stored.id for stored in memory.list()} == {"e0", "e2"}


def test_a_client_whose_outbox_is_full_says_so_and_why_it_was_needed(
    make: Callable[..., Memory], here: Settings, relay: Relay
) -> None:
    memory = make(settings=here.model_copy(update={"outbox": here.outbox.model_copy(update={"entries": 2})}))
    relay.cut()
    memory.record_many([{"task": "one"}, {"task": "two"}])
    with pytest.raises(OutboxError, match="is full") as caught:
        memory.record({"task": "three"})
    assert isinstance(caught.value.__cause__, StoreUnavailable)
    assert memory.waiting().waiting == 2


def test_what_was_learnt_from_a_forgotten_entry_is_forgotten(tmp_path: Path) -> None:
    outbox = box(tmp_path)
    lesson = Reflection(id="gl", insight="never show the wobblegong", sources=("g1", "base"))
    learnt = of_record(Accepted(lesson), ACME, False, NOW)
    outbox.answer(Keep([entry("g1", subject="greta"), entry("other"), learnt, entry("g1", domain="again")]))
    assert outbox.answer(Forget(ACME, subjects={"greta"})) == 3
    assert ids(outbox) == ["other"]
    assert b"wobblegong" not in bytes_of(tmp_path)
