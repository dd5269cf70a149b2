"""The nearest memory is no answer when it is about something else."""

from __future__ import annotations

from typing import Any

import pytest

from graphmem import Decision, Episode, Memory, Settings
from graphmem.embed import Embedder
from graphmem.settings import RecallSettings

COFFEE = (
    Episode(id="descale", task="Descale the coffee machine with citric acid", outcome="success"),
    Episode(id="grinder", task="Clean the burrs of the coffee grinder", outcome="success"),
    Episode(id="leak", task="Replace the gasket of the leaking espresso group", outcome="fail", failure_reason="size"),
)
UNRELATED = ("harbour blimp ordinance of 1911", "gravitational lensing", "translate a poem from Portuguese")


# GM-BUG-36
@pytest.mark.parametrize("kept", [3, 1, 0])
@pytest.mark.parametrize("question", UNRELATED)
def test_an_unrelated_question_is_abstained_from(client: Any, question: str, kept: int) -> None:
    client.record_many(COFFEE[:kept])
    recall = client.recall(question)
    assert (recall.decision, recall.hits) == (Decision.NOVEL, ())
    assert recall.budget is not None
    assert recall.reason
    assert recall.best == max([found.relevance for found in recall.candidates], default=0.0)
    assert recall.best < recall.threshold
    assert len(recall.candidates) == kept
    assert (f"{recall.best:.2f}" in recall.reason) == (kept > 0)


@pytest.mark.parametrize("kept", [3, 1])
def test_a_related_one_is_answered(client: Any, kept: int) -> None:
    client.record_many(COFFEE[:kept])
    recall = client.recall("descale the coffee machine")
    assert recall.decision is Decision.USE
    assert recall.hits[0].id == "descale"
    assert recall.best >= recall.threshold + recall.band
    assert all(hit.relevance >= recall.threshold for hit in recall.hits)


def test_the_threshold_is_a_setting_on_the_scale_of_relevances(
    settings: Settings, embedder: Embedder, tenant: str
) -> None:
    def asked(threshold: float) -> Any:
        rules = settings.recall.model_copy(update={"threshold": threshold})
        chosen = settings.model_copy(update={"recall": rules})
        with Memory(tenant, settings=chosen, embedder=embedder) as memory:
            return memory.recall("clean the machine that makes espresso", limit=9)

    with Memory(tenant, settings=settings, embedder=embedder) as memory:
        memory.record_many(COFFEE)
    ranking = sorted((found.relevance for found in asked(0.0).candidates), reverse=True)
    assert len(asked(0.0).hits) == 3
    for place in (0, 1):
        between = (ranking[place] + ranking[place + 1]) / 2
        assert len(asked(between).hits) == place + 1
        assert asked(between).threshold == between
    above = asked(min(1.0, ranking[0] + 0.01))
    assert (above.decision, above.hits) == (Decision.NOVEL, ())
    assert "relevance" in str(RecallSettings.model_fields["threshold"].description)
