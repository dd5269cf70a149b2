"""Words that wait on what is erased are forgotten with it, whatever they name it by."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphmem import Episode, Memory
from tests.outbox.relay import Relay


def test_feedback_that_waits_on_an_erased_attempt_is_not_delivered(
    make: Callable[..., Memory], relay: Relay, cypher: Callable[..., list[dict[str, Any]]], tenant: str
) -> None:
    memory = make()
    memory.record(Episode(id="e1", task="go north:0.9", outcome="fail", subject="Frieda Lindqvist", trace_id="t1"))
    memory.record(Episode(id="e2", task="go east:0.9", outcome="success", domain="d"))
    traced, named, other = (memory.recall("up:1", domain="d", trace_id=trace) for trace in ("t1", "t2", "t3"))
    relay.cut()
    memory.feedback(traced, outcome="fail", evidence="it was of no use")
    memory.feedback(named, outcome="fail", evidence="frieda lindqvist said so")
    memory.feedback(other, outcome="success", used=["e2"], evidence="seen")
    assert memory.waiting().waiting == 3
    relay.mend()
    assert memory.erase(subject="Frieda Lindqvist").waiting == 2
    assert memory.flush().delivered == 1
    found = cypher("MATCH (r:Recall {tenant: $t}) RETURN r.trace_id AS trace ORDER BY trace", t=tenant)
    assert "t1" not in [row["trace"] for row in found]
    assert memory.get("e2").successes == 1
