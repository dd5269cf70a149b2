"""Any memory, for property-based tests."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from hypothesis import strategies as st

from graphmem import Episode, Outcome, Reflection, Skill, Step
from graphmem.text import has_words

_CHARS = st.characters(exclude_categories=["Cs"])
TEXT = st.text(_CHARS, max_size=20)
WORDS = st.text(_CHARS, min_size=1, max_size=20).filter(has_words)
LABEL = st.text(_CHARS, max_size=12)
LABELS = st.lists(WORDS, max_size=3).map(tuple)
IDENTIFIER = st.from_regex(r"[!-~\u00a1-\u00ff]{1,20}", fullmatch=True)
# From the first to the last instant that a datetime can hold, the very last excepted: it stands for no end.
TIME = st.datetimes(min_value=datetime(1, 1, 1), max_value=datetime(9999, 12, 31, 23, 59, 59)).map(  # noqa: DTZ001
    lambda time: time.replace(tzinfo=UTC)
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
STEP = st.builds(Step, action=TEXT, observation=TEXT, decision=TEXT)

_COMMON: dict[str, Any] = {
    "id": IDENTIFIER,
    "title": TEXT,
    "domain": LABEL,
    "task_type": LABEL,
    "toolchain": LABEL,
    "tags": LABELS,
    "subject": LABEL,
    "occurred_at": st.none() | TIME,
    "expires_at": st.none() | TIME,
    "pinned": st.booleans(),
    "secure": st.booleans(),
    "source_ref": TEXT,
    "feedback_ref": TEXT,
    "trace_id": TEXT,
    "metadata": st.dictionaries(TEXT, JSON, max_size=3),
}
EPISODE = st.builds(
    Episode,
    **_COMMON,
    task=WORDS,
    summary=TEXT,
    trajectory=st.lists(STEP, max_size=3).map(tuple),
    outcome=st.sampled_from(Outcome),
    outcome_evidence=TEXT,
    failure_reason=TEXT,
    techniques=LABELS,
    ground_truth=TEXT,
    difficulty=st.none() | st.floats(0, 1),
)
SOURCES = st.lists(IDENTIFIER, max_size=3).map(tuple)
REFLECTION = st.builds(
    Reflection, **_COMMON, insight=WORDS, conditions=LABELS, failure_mode=TEXT, guardrails=LABELS, sources=SOURCES
)
SKILL = st.builds(
    Skill,
    **_COMMON,
    name=WORDS,
    steps=st.lists(WORDS, min_size=1, max_size=3).map(tuple),
    preconditions=LABELS,
    quality_notes=TEXT,
    version=st.integers(1, 2**63 - 1),
    sources=SOURCES,
    approved_by=LABEL,
)
ITEM = st.one_of(EPISODE, REFLECTION, SKILL)
