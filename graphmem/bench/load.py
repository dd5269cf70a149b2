"""A private server for each size, loaded as a store is that has been in use."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import neo4j

from graphmem.bench.data import Data, Question, TableEmbedder, Which
from graphmem.jobs import centrality
from graphmem.scope import scope
from graphmem.server.halt import down
from graphmem.server.start import up
from graphmem.settings import Settings, connection, load_settings

if TYPE_CHECKING:
    from graphmem.memory import Memory

Say = Callable[[str], object]
CHUNK = 1_000
MISLED = 50  # recalls of each measured tenant that something misled
WHICH: tuple[Which, ...] = ("small", "big")
LINKS = """
CYPHER 25
UNWIND $rows AS row
MATCH (a:Memory {scope: $scope, id: row[0]})
MATCH (b:Memory {scope: $scope, id: row[1]})
CREATE (a)-[:RELATES {kind: 'similar', scope: $scope, weight: row[2], by: 'bench', at: datetime()}]->(b)
"""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A server with its memories, and what is asked of them."""

    data: Data
    settings: Settings
    embedder: TableEmbedder
    questions: dict[Which, list[Question]]
    client: type[Memory]

    def memory(self, which: Which, **given: Any) -> Memory:
        """A new client of a tenant that is measured."""
        given = {"settings": self.settings, "embedder": self.embedder, **given}
        return self.client(self.data.tenant(which), **given)

    def scope(self, which: Which) -> str:
        """The token of that tenant's scope."""
        return scope(self.data.tenant(which)).own

    @contextmanager
    def driver(self) -> Iterator[neo4j.Driver]:
        """The bare driver on the same server."""
        at = connection(self.settings)
        password = at.password.get_secret_value() if at.password is not None else ""
        with neo4j.GraphDatabase.driver(at.uri, auth=(at.user, password), notifications_min_severity="OFF") as driver:
            yield driver


def planned(client: type[Memory], home: Path, size: int, seed: int, heap: str) -> Loaded:
    """A private server of its own for that many memories, empty or as an earlier run left it; it does not run yet."""
    settings = load_settings(
        home=home,
        instance=f"bench-{size}",
        server={"heap": heap, "page_cache": "512m", "bolt_port": 0, "http_port": 0},
        neo4j={"uri": None, "database": None},
        redaction={"mode": "off"},
    )
    data = Data(size, seed)
    questions = {which: data.questions(which) if size else [] for which in WHICH}
    asked = {one.text: one.vector for which in WHICH for one in questions[which]}
    return Loaded(data, settings, TableEmbedder(data, asked), questions, client)


def start(loaded: Loaded) -> None:
    """Start its server."""
    up(loaded.settings)


def stop(loaded: Loaded) -> None:
    """Stop its server, also one that has not come up yet."""
    down(loaded.settings)


def load(loaded: Loaded, say: Say) -> None:
    """Record all memories, link them, let some mislead, and compute centralities; nothing where that was done."""
    with loaded.driver() as driver:
        (found,) = driver.execute_query("MATCH (m:Memory) WHERE m.id IS NOT NULL RETURN count(m) AS n").records
        if found["n"] >= loaded.data.size:
            return
        for number, tenant in enumerate(tenants := sorted(set(loaded.data.tenants)), 1):
            say(f"{loaded.data.size}: loading tenant {number} of {len(tenants)}")
            places = loaded.data.places(tenant)
            with loaded.client(tenant, settings=loaded.settings, embedder=loaded.embedder) as memory:
                memory.record_many(loaded.data.item(place) for place in places)
            rows = list(loaded.data.links(tenant))
            for start in range(0, len(rows), CHUNK):
                driver.execute_query(LINKS, rows=rows[start : start + CHUNK], scope=scope(tenant).own)
    for which in dict.fromkeys(loaded.data.tenant(which) for which in WHICH):
        say(f"{loaded.data.size}: what misled in {which}, and how central its memories are")
        mislead(loaded, "small" if which == "small" else "big", MISLED)
        centrality(loaded.settings, scope(which))


def mislead(loaded: Loaded, which: Which, most: int) -> None:
    """Tell of the first recalls that their first memory misled, and that another was used."""
    with loaded.memory(which) as memory:
        for question in loaded.questions[which][-most:]:
            found = memory.recall(question.text)
            ids: Sequence[str] = [one.id for one in found.candidates]
            if len(ids) > 1:
                memory.feedback(found, outcome="mixed", used=ids[1:2], misled=ids[:1], reason="it was another case")
