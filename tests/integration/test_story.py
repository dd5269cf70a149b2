"""The main verbs, one after the other, by both drivers."""

from __future__ import annotations

from typing import Any

from graphmem import Decision, Episode


def test_an_agent_records_recalls_and_gives_feedback(client: Any) -> None:
    client.record(Episode(id="e1", task="Descale the espresso machine with citric acid", outcome="success"))
    recall = client.recall("descale the coffee machine")
    assert recall.decision is Decision.USE
    assert [hit.id for hit in recall.hits] == ["e1"]
    client.feedback(recall, outcome="success", used=["e1"])
    assert client.get("e1").successes == 1
