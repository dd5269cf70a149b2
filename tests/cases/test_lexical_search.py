"""Any text is words: no sign of a query grammar fails, and words are found in every script."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphmem import Decision, Episode, Memory
from graphmem.errors import InvalidInput
from graphmem.text import has_words
from tests.embedders import AwayEmbedder

AWAY = AwayEmbedder(name="bge-small-en-v1.5")
JOB = "Nightly job /srv/etl failed at step q-17 (rows: 0)"


@pytest.fixture
def words_only(connect: Callable[..., Memory]) -> Memory:
    """A client whose embedding model is away: the lexical leg alone answers."""
    return connect(embedder=AWAY)


@pytest.mark.parametrize(
    "query", ["/srv", "etl/failed", "q-17", "rows: 0", "(rows", "step ~ * ? ^ !", "-step", "AND step"]
)
def test_words_beside_signs_of_the_grammar_are_found(words_only: Memory, query: str) -> None:
    words_only.record(Episode(id="job", task=JOB, outcome="success"))
    answer = words_only.recall(query)
    assert (answer.decision, answer.lexical_only) == (Decision.VERIFY, True)
    assert [hit.id for hit in answer.hits] == ["job"]
    assert answer.hits[0].components.lexical > 0


@pytest.mark.parametrize("query", ["[x", '"unclosed', "back\\slash", "&& ||", "***", "a" * 30_000, "NOT", "the of and"])
def test_a_query_without_a_known_word_abstains(words_only: Memory, query: str) -> None:
    words_only.record(Episode(id="job", task=JOB, outcome="success"))
    answer = words_only.recall(query)
    assert (answer.decision, answer.hits) == (Decision.NOVEL, ())


@pytest.mark.parametrize("query", ["***", "&& ||", "~"])
def test_without_words_the_vector_leg_still_answers(memory: Memory, query: str) -> None:
    memory.record(Episode(id="job", task=JOB, outcome="success"))
    answer = memory.recall(query)
    assert not answer.lexical_only
    assert [candidate.id for candidate in answer.candidates] == ["job"]
    assert answer.candidates[0].components.lexical == 0


@pytest.mark.parametrize("query", ["", "  \n", "\u200b"])
def test_an_empty_query_is_refused(memory: Memory, query: str) -> None:
    with pytest.raises(InvalidInput, match=r"Request\.text: must not be blank"):
        memory.recall(query)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60))
def test_no_query_fails(words_only: Memory, query: str) -> None:
    if not has_words(query):
        with pytest.raises(InvalidInput, match="blank"):
            words_only.recall(query)
    else:
        assert words_only.recall(query).decision in (Decision.NOVEL, Decision.VERIFY)


def test_a_very_long_query_is_answered(words_only: Memory) -> None:
    words_only.record(Episode(id="job", task=JOB, outcome="success"))
    assert [hit.id for hit in words_only.recall("nightly " + "下周三在杭州 x-y/z " * 20_000).hits] == ["job"]


SENTENCES = {
    "osaka": "明日の会議は大阪で行います",
    "hangzhou": "下周三在杭州开评审会",
    "busan": "내일 부산에서 회의가 있습니다",
    "en": JOB,
}


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("会議", "osaka"),
        ("大阪", "osaka"),
        ("杭州", "hangzhou"),
        ("评审", "hangzhou"),
        ("부산", "busan"),
        ("QA 会議", "osaka"),
    ],
)
def test_words_in_text_without_spaces_are_found(words_only: Memory, query: str, found: str) -> None:
    words_only.record_many([Episode(id=id_, task=text, outcome="success") for id_, text in SENTENCES.items()])
    assert words_only.recall(query).hits[0].id == found
