"""graphmem behind the interface of a benchmark of several stores: set up, add a batch, search, close.

Such a benchmark drives every store through the same four calls with the same items, vectors and questions:

    peer = Peer(Memory, "bolt://127.0.0.1:7687", embed)
    peer.setup()
    peer.add([{"id": "m1", "tenant": "t1", "text": "…"}])
    peer.search("t1", "…", k=10)  # ids, best first
    peer.close()

Items are successful episodes, and relevance alone orders, since such a benchmark asks for the nearest; a recall does
all else all the same. Redaction is off, as other stores have none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Literal

from graphmem.models import Episode, Outcome
from graphmem.recall import Request
from graphmem.settings import Weights, load_settings

if TYPE_CHECKING:
    from graphmem.memory import Memory
    from graphmem.record import Recorded

DIMENSIONS = 384
NEAREST = {name: float(name == "semantic") for name in Weights.model_fields}
NONE_ASKED = "none-asked"
WRITERS = 8  # tenants are written side by side, as by a program that serves many


class _Given:
    """An embedder that only looks vectors up."""

    name = "given"
    dimensions = DIMENSIONS
    threshold = 0.0
    max_tokens = 8000

    def __init__(self, embed: Callable[[str], Sequence[float]]) -> None:
        self._embed = embed

    def embed(self, texts: Sequence[str], kind: Literal["query", "document"] = "document") -> list[Sequence[float]]:
        """The vector of each text."""
        return [self._embed(text) for text in texts]


class Peer:
    """One client, and through it all tenants."""

    def __init__(
        self, client: type[Memory], uri: str, embed: Callable[[str], Sequence[float]], password: str = NONE_ASKED
    ) -> None:
        """`client` is `Memory`; `embed` gives the vector, of 384 numbers, of any text that will be asked or added.

        `password` is that of the account `neo4j`, where the server asks one.
        """
        settings = load_settings(
            neo4j={"uri": uri, "user": "neo4j", "password": password, "database": "neo4j"},
            recall={"weights": NEAREST, "shown": 1},  # the hits are shown in any case
            redaction={"mode": "off"},
        )
        self._client = client("setup", settings=settings, embedder=_Given(embed))

    def setup(self) -> None:
        """Bring the database to the schema."""
        self._client.init()

    def add(self, items: Sequence[Mapping[str, str]]) -> None:
        """Record items, each with an id, a tenant and a text. Raises RuntimeError when one is not stored."""
        tenants: dict[str, list[Episode]] = {}
        for item in items:
            episode = Episode(id=item["id"], task=item["text"], outcome=Outcome.SUCCESS)
            tenants.setdefault(item["tenant"], []).append(episode)
        with ThreadPoolExecutor(WRITERS) as writers:
            for answers in writers.map(self._record, tenants, tenants.values()):
                faults = [answer for answer in answers if not answer.stored or answer.problem]
                if faults:
                    raise RuntimeError(f"{len(faults)} items were not stored whole: {faults[0].problem}")

    def _record(self, tenant: str, episodes: Sequence[Episode]) -> Sequence[Recorded]:
        return self._client.scoped(tenant).record_many(episodes)

    def search(self, tenant: str, text: str, k: int) -> list[str]:
        """The ids of the k most relevant memories of a tenant."""
        (found,) = self._client.scoped(tenant).recall_many([Request(text=text, limit=k)])
        return [hit.id for hit in found.hits]

    def close(self) -> None:
        """Close the client."""
        self._client.close()
