"""Which words tell what only one memory said."""

from __future__ import annotations

import pytest

from graphmem import Episode
from graphmem.erase.plan import pattern
from graphmem.erase.words import said, words
from graphmem.models import Step
from graphmem.record.properties import to_properties


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Frieda's boiler, and the BOILER!", {"frieda", "boiler"}),
        ("a it of to 7 42", set()),
        ("room 4711", {"room", "4711"}),
        ("f.lind@example.org", {"lind", "example", "org"}),
        ("Ｆｒｉｅｄａ", {"frieda"}),
        ("Straße", {"strasse"}),
        ("水を止める", {"水を", "を止", "止め", "める"}),
        ("弁", {"弁"}),
        ("valveの弁 north", {"valve", "の弁", "north"}),
    ],
)
def test_words_are_told_apart_in_one_case(text: str, found: set[str]) -> None:
    assert words([text]) == found


def test_every_text_of_a_memory_counts_and_no_category() -> None:
    episode = Episode(
        id="ident", task="task1word", title="titleword", domain="domainword", task_type="typeword",
        toolchain="toolword",
        tags=["tagword"], subject="subjectword", trace_id="traceword", source_ref="refword", feedback_ref="fedword",
        metadata={"keyword": ["one", {"inner": "deepword", "n": 314159, "yes": True}]}, summary="summaryword",
        trajectory=[Step(action="actword", observation="seenword", decision="whyword")], outcome="fail",
        outcome_evidence="proofword", failure_reason="brokeword", techniques=["techword"], ground_truth="truthword",
    )  # fmt: skip
    assert said({**to_properties(episode), "id": "ident", "degree": 271828, "text": "not counted twice"}) == {
        "task1word", "titleword", "tagword", "subjectword", "refword", "fedword", "keyword", "inner", "yes", "deepword",
        "314159", "summaryword", "actword", "seenword", "whyword", "proofword", "brokeword", "techword", "truthword",
    }  # fmt: skip


@pytest.mark.parametrize("damaged", ["{broken", "", "[1", None, 7, ["x"]])
def test_a_damaged_node_is_read_as_far_as_it_goes(damaged: object) -> None:
    node = {"id": "e", "task": "boiler", "metadata": damaged, "trajectory": damaged, "tags": [None, 3, "wet"]}
    assert {"boiler", "wet"} <= said(node)


def test_a_pattern_is_a_quotation_whatever_it_holds() -> None:
    assert pattern(["a.b", r"\E|x"]) == r"(?isuU).*(?<!\w)(?:\Qa.b\E|\Q\E\\E\Q|x\E)(?!\w).*"
