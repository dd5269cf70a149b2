"""The indexes and constraints without which writes could be doubled, or recall would fail."""

from __future__ import annotations

from dataclasses import dataclass

FILTERS = ("scope", "recallable", "kind", "domain", "task_type", "toolchain", "expires_at", "authority")


@dataclass(frozen=True, slots=True)
class Shape:
    """What an index is: its type (with a vector index's similarity) and what it is on."""

    type: str
    labels: frozenset[str]
    properties: frozenset[str]

    def __str__(self) -> str:
        return f"{self.type.lower()} index of {', '.join(sorted(self.labels))} on {', '.join(sorted(self.properties))}"


SHAPES = {
    "memory_key": Shape("UNIQUE RANGE", frozenset({"Memory"}), frozenset({"scope", "id"})),
    "recall_key": Shape("UNIQUE RANGE", frozenset({"Recall"}), frozenset({"scope", "id"})),
    "store_key": Shape("UNIQUE RANGE", frozenset({"Store"}), frozenset({"id"})),
    "migration_key": Shape("UNIQUE RANGE", frozenset({"Migration"}), frozenset({"number"})),
    "parameters_key": Shape("UNIQUE RANGE", frozenset({"Parameters"}), frozenset({"scope", "domain", "version"})),
    "job_key": Shape("UNIQUE RANGE", frozenset({"Job"}), frozenset({"scope", "id"})),
    "memory_vector": Shape("COSINE VECTOR", frozenset({"Memory"}), frozenset({"embedding", *FILTERS})),
    "memory_text": Shape("FULLTEXT", frozenset({"Memory"}), frozenset({"text", "recall_key"})),
    "memory_time": Shape("RANGE", frozenset({"Memory"}), frozenset({"scope", "happened_at"})),
    "memory_tenant": Shape("RANGE", frozenset({"Memory"}), frozenset({"tenant", "scope"})),
    "recall_tenant": Shape("RANGE", frozenset({"Recall"}), frozenset({"tenant", "scope"})),
    "parameters_tenant": Shape("RANGE", frozenset({"Parameters"}), frozenset({"tenant", "scope"})),
    "job_tenant": Shape("RANGE", frozenset({"Job"}), frozenset({"tenant", "scope"})),
    "rule_key": Shape("UNIQUE RANGE", frozenset({"Rule"}), frozenset({"scope", "domain", "name", "version"})),
    "rule_tenant": Shape("RANGE", frozenset({"Rule"}), frozenset({"tenant"})),
}
"""What the migrations make: without any of them writes could be doubled, or recall would fail."""

FORMER = {
    "memory_vector": Shape("COSINE VECTOR", frozenset({"Memory"}), frozenset({"embedding", *FILTERS[:-1]})),
}
"""What an older graphmem made, and this one replaces."""
