"""A query as Lucene words: whatever is typed, no sign of it is grammar."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.recall.lexical import lucene
from graphmem.text import terms

SCOPES = ["sa", "sb"]
SPECIAL = r'+-&|!(){}[]^"~*?:\/'


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("hello", "(+recall_key:(sa sb)^0 +text:hello)"),
        ("Two words", "(+recall_key:(sa sb)^0 +text:two) (+recall_key:(sa sb)^0 +text:words)"),
        ("a:b", r"(+recall_key:(sa sb)^0 +text:a\:b)"),
        ("NOT x", "(+recall_key:(sa sb)^0 +text:not) (+recall_key:(sa sb)^0 +text:x)"),
        ("snake_case", "(+recall_key:(sa sb)^0 +text:snake_case)"),
        ("会議", "(+recall_key:(sa sb)^0 +text:会議)"),
        ("***", ""),
        ("", ""),
    ],
)
def test_lucene(text: str, query: str) -> None:
    assert lucene(text, SCOPES) == query


@given(st.text(st.sampled_from(SPECIAL + "ab \t\n'") | st.characters(exclude_categories=["Cs"])))
def test_every_sign_is_escaped_and_nothing_is_lost(text: str) -> None:
    query = lucene(text, SCOPES)
    if not terms(text):
        assert query == ""
        return
    bodies = re.findall(r"\(\+recall_key:\(sa sb\)\^0 \+text:((?:\\.|[^ \\])+)\)(?: |$)", query, flags=re.DOTALL)
    assert query == " ".join(f"(+recall_key:(sa sb)^0 +text:{body})" for body in bodies)
    assert tuple(re.sub(r"\\(.)", r"\1", body, flags=re.DOTALL) for body in bodies) == terms(text)
    for body in bodies:
        assert not set(re.sub(r"\\.", "", body, flags=re.DOTALL)) & set(SPECIAL + "<>=#@,;'")


@pytest.mark.parametrize("keys", [1, 2, 4])
def test_no_question_has_more_words_than_lucene_takes(keys: int) -> None:
    for words in (10, 128, 129, 256, 257, 512, 5000):
        query = lucene(" ".join(f"w{n}" for n in range(words)), [f"k{n}" for n in range(keys)])
        asked = re.findall(r"text:(w\d+)", query)
        assert len(set(asked)) == len(asked) == min(words, 512)
        leaves = len(asked) + sum(len(group.split()) for group in re.findall(r"recall_key:\(([^)]*)\)", query))
        assert leaves <= 1024
