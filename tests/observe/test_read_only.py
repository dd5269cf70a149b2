"""A database that only reads: what works there, and one clear sentence for what does not."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from graphmem import AsyncMemory, Episode, Memory, Settings
from graphmem.errors import AccessDenied
from graphmem.server import conf
from graphmem.server.halt import down
from graphmem.server.start import up
from graphmem.settings import connection, load_settings
from graphmem.steps import Alone, Call
from graphmem.store.catalogue import statement
from graphmem.store.schema import apply
from tests.cli.shell import Inside, environment
from tests.conftest import Driven
from tests.embedders import HashEmbedder

TENANT = "acme"
REFUSED = "is read-only, so nothing can be written"


@pytest.fixture(scope="module")
def shut(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """A server with a memory and a receipt in it, started again so that it takes no writes."""
    chosen = load_settings(
        home=tmp_path_factory.mktemp("shut"), cache=settings.cache, instance="shut",
        server={"heap": "512m", "page_cache": "128m", "bolt_port": 28887, "http_port": 28674},
    )  # fmt: skip
    up(chosen)
    with Memory(TENANT, settings=chosen, embedder=HashEmbedder(name="hash")) as memory:
        for number in range(2):
            memory.record(Episode(id=f"e{number}", task=f"Wind clock {number}", outcome="success"))
        memory.recall("Wind clock 1", receipt=True)
    down(chosen)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(conf._FIXED, "server.databases.read_only", "neo4j")
        up(chosen)
        yield chosen
        down(chosen)


@pytest.fixture(params=["sync", "async"])
def client(request: pytest.FixtureRequest, shut: Settings) -> Iterator[Any]:
    kind = Memory if request.param == "sync" else AsyncMemory
    made = kind(TENANT, settings=shut, embedder=HashEmbedder(name="hash"))
    driven = made if isinstance(made, Memory) else Driven(made)
    yield driven
    driven.close()


def test_what_only_reads_works(client: Any) -> None:
    assert client.recall("Wind clock 1").hits[0].id == "e1"
    assert client.get("e1").memory.task == "Wind clock 1"
    assert len(client.list()) == 2
    assert client.check() == ()
    assert client.metrics().domains
    assert client.history("e1")
    assert client.retention().applied is False
    assert client.consolidate(dry_run=True).episodes == 2
    assert (client.rules(), client.parameters()) == ((), ())
    assert client.init() == ()
    written = io.BytesIO()
    assert client.export(written).counts.episodes == 2


def test_a_recall_without_its_receipt_is_an_answer_that_says_so(client: Any) -> None:
    for answer, decision in ((client.recall("Wind clock 1", receipt=True), ("use", "verify")),
                             (client.recall("Paint the fence"), ("novel",))):  # fmt: skip
        assert answer.decision in decision
        (warning,) = answer.warnings
        assert warning.startswith("no receipt was written: ")
        assert REFUSED in warning


WRITES: dict[str, Callable[[Any], Any]] = {
    "record": lambda client: client.record(Episode(id="new", task="Oil the clock", outcome="fail")),
    "feedback": lambda client: client.feedback(client.recall("Wind clock 1"), outcome="success", used=["e1"]),
    "correct": lambda client: client.correct(wrong="e0", right="e1", reason="it stopped"),
    "link": lambda client: client.link("e0", "e1"),
    "update": lambda client: client.update("e0", tags=["brass"]),
    "retire": lambda client: client.retire("e0"),
    "pin": lambda client: client.pin("e0"),
    "consolidate": lambda client: client.consolidate(),
    "set_rule": lambda client: client.set_rule("oil", "Oil it first.", by="ada"),
    "erase": lambda client: client.erase(id="e0"),
}


@pytest.mark.parametrize("verb", sorted(WRITES))
def test_a_write_is_refused_in_one_sentence_and_does_not_wait(client: Any, verb: str) -> None:
    with pytest.raises(AccessDenied, match=REFUSED) as refused:
        WRITES[verb](client)
    assert "\n" not in str(refused.value)
    assert client.waiting().waiting == 0
    assert len(client.list()) == 2


def test_the_command_line_says_it_in_one_line(shut: Settings) -> None:
    shell = Inside(environment(shut, connection(shut), TENANT) | {"GRAPHMEM_EMBEDDING__MODEL": "none"})
    found = shell("recall", "Wind clock 1")
    assert found.code == 0
    assert found.err.count("no receipt was written") == 1
    assert REFUSED in shell("retire", "e1").refusal
    assert shell("list", "--json").json[0]["successes"] == 0


def test_who_may_not_make_the_schema_is_told_who_can() -> None:
    stage = apply(Call(statement("schema/001_memory_key"), {}))
    assert isinstance(next(stage), Alone)
    with pytest.raises(AccessDenied, match="the schema is incomplete: 'graphmem init', by an account that may"):
        stage.throw(AccessDenied("this account may not do that"))
