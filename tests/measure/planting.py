"""Receipts as recall, feedback and judge leave them, planted by raw Cypher in any number."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from graphmem.measure.conformal import Labelled
from graphmem.scope import Scope
from graphmem.settings import Weights

MODEL = "bge-small-en-v1.5"
LONG = datetime(2999, 1, 1, tzinfo=UTC)
PLAIN = {"weights": Weights()}
"""The weights that recall goes by, and tells, where none were fitted: the settings'."""
COMPONENTS = {"semantic": 0.7, "outcome": 0.5, "recency": 0.5, "specificity": 0.0, "centrality": 0.0, "lexical": 0.2}
COMPONENTS |= {"false_hit": 0.0}

PLANT = """
UNWIND $rows AS row
CREATE (r:Recall) SET r = row.receipt
WITH r, row
UNWIND row.edges AS edge
MATCH (m:Memory {scope: edge.scope, id: edge.id})
CALL (r, m, edge) { WITH * WHERE NOT edge.misled CREATE (r)-[e:RETURNED]->(m) SET e = edge.properties }
CALL (r, m, edge) { WITH * WHERE edge.misled CREATE (r)-[:MISLED {weight: 1.0, at: r.at, reason: edge.reason}]->(m) }
"""


@dataclass(frozen=True)
class Planter:
    """Plants receipts for one scope, about memories that are there."""

    cypher: Callable[..., list[dict[str, Any]]]
    scope: Scope
    start: datetime = field(default_factory=lambda: datetime(2025, 1, 1, tzinfo=UTC))

    def receipt(self, number: int, **given: Any) -> dict[str, Any]:
        """The properties of one receipt."""
        return {
            "scope": self.scope.own, "id": f"r{number}", "tenant": self.scope.tenant, "user": self.scope.user,
            "trace_id": f"r{number}", "context_hash": f"h{number}", "domain": "", "decision": "use", "best": 0.8,
            "agreed": 0.7, "surroundings": 0.5, "confidence": 0.8, "novelty": 0.2, "threshold": 0.5, "parameters": 0,
            "embedding_model": MODEL, "lexical_only": False, "at": self.start + timedelta(minutes=number),
            "expires_at": LONG, "outcome": "success", **given,
        }  # fmt: skip

    def edge(self, id_: str, rank: int = 1, misled: str | None = None, **given: Any) -> dict[str, Any]:
        """A RETURNED edge, or (`misled`, the reason) a MISLED one."""
        properties = {"rank": rank, "score": 0.9, "relevance": 0.7, "hit": True, "used": False, **COMPONENTS, **given}
        at = {"scope": self.scope.own, "id": id_, "properties": properties}
        return {**at, "misled": misled is not None, "reason": misled or ""}

    def plant(self, rows: list[tuple[dict[str, Any], list[dict[str, Any]]]]) -> None:
        """Write receipts with their edges."""
        self.cypher(PLANT, rows=[{"receipt": receipt, "edges": edges} for receipt, edges in rows])

    def labelled(self, n: int, memory: str, domain: str = "", first: int = 0, seed: int = 1) -> list[Labelled]:
        """Plant recalls whose first memory was right or wrong, more often right where relevance is high."""
        source, rows, labels = random.Random(seed), [], []
        for number in range(first, first + n):
            best = 0.4 + 0.6 * source.random()
            right = source.random() < 1.8 * (best - 0.4)
            scores = {"best": best, "agreed": best - 0.1 * source.random(), "surroundings": 0.4 + 0.3 * source.random()}
            about = self.receipt(number, domain=domain, outcome="success" if right else "fail", **scores)
            edges = [self.edge(memory, used=right)]
            rows.append((about, edges if right else [*edges, self.edge(memory, misled="wrong machine")]))
            labels.append(Labelled(id=about["id"], right=right, **scores))
        self.plant(rows)
        return labels
