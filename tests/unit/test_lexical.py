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
        ("hello", "+recall_key:(sa sb)^0 +(text:hello)"),
        ("Two words", "+recall_key:(sa sb)^0 +(text:two text:words)"),
        ("a:b", r"+recall_key:(sa sb)^0 +(text:a\:b)"),
        ("NOT x", "+recall_key:(sa sb)^0 +(text:not text:x)"),
        ("snake_case", "+recall_key:(sa sb)^0 +(text:snake_case)"),
        ("会議", "+recall_key:(sa sb)^0 +(text:会議)"),
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
    before, _, asked = query.partition(" +(")
    assert before == "+recall_key:(sa sb)^0"
    words = asked.removesuffix(")").split(" ")
    assert all(word.startswith("text:") for word in words)
    bodies = [word.removeprefix("text:") for word in words]
    assert tuple(re.sub(r"\\(.)", r"\1", body, flags=re.DOTALL) for body in bodies) == terms(text)
    for body in bodies:
        assert not set(re.sub(r"\\.", "", body, flags=re.DOTALL)) & set(SPECIAL + "<>=#@,;'")
