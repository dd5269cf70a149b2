"""Normal forms, terms and instants, for texts of every script and size."""

from __future__ import annotations

import unicodedata
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.text import MAX_TERM, MAX_TOKENS, has_words, instant, isoformat, normalise, terms

ANY = st.text(st.characters())


@given(ANY)
def test_the_normal_form_is_stable_and_has_no_invisible_characters(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once
    assert "  " not in once
    assert once == once.strip()
    assert not [char for char in once if unicodedata.category(char) == "Cf"]


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("  two \n\t words ", "two words"),
        ("ＡＢＣ１２３", "ABC123"),
        ("ﬁne", "fine"),
        ("cafe\u0301", "café"),
        ("明日の　会議", "明日の 会議"),
        ("ｶﾞ", "ガ"),
        ("zero\u200bwidth\u00adsoft", "zerowidthsoft"),
        ("\ufeffmark", "mark"),
        ("👩\u200d🔧", "👩🔧"),
        ("\u202eright-to-left\u202c", "right-to-left"),
    ],
)
def test_normalise(text: str, normal: str) -> None:
    assert normalise(text) == normal


@pytest.mark.parametrize("blank", ["", " ", "\n\t\r", "\u200b", "\u3000", "\u00a0", "\ufeff \u2060", "\u00ad"])
def test_blank(blank: str) -> None:
    assert not has_words(blank)
    assert terms(blank) == ()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Deploy the API", ("deploy", "the", "api")),
        ("again Again AGAIN", ("again",)),
        ("AND or NOT", ("and", "or", "not")),
        ("明日の会議 QA", ("明日の会議", "qa")),
        ("-- *** (( )) ... ?", ()),
        ("q-17 /srv/etl (rows:", ("q-17", "/srv/etl", "(rows:")),
        ("🙂 5 €", ("🙂", "5", "€")),
        ("\u0301\u0302", ()),
        ("a\u0301b", ("áb",)),
    ],
)
def test_terms(text: str, found: tuple[str, ...]) -> None:
    assert terms(text) == found


@given(ANY)
def test_terms_are_distinct_lower_case_words(text: str) -> None:
    found = terms(text)
    assert len(found) == len(set(found)) <= MAX_TOKENS
    assert all(1 <= len(term) <= MAX_TERM and not any(map(str.isspace, term)) for term in found)


@pytest.mark.parametrize("text", ["word " * 40_000, "w" * 30_000, "会議" * 60_000, "a-b" * 60_000, "🙂 " * 60_000])
def test_long_texts_give_a_bounded_query(text: str) -> None:
    found = terms(text)
    assert 1 <= len(found) <= MAX_TOKENS
    assert max(map(len, found)) <= MAX_TERM


def test_many_words_are_cut_from_the_end() -> None:
    found = terms(" ".join(f"w{number}" for number in range(1000)))
    assert found[:2] == ("w0", "w1")
    assert len(found) == MAX_TOKENS


def test_a_lone_surrogate_harms_nothing() -> None:
    assert normalise("a \ud800 b") == "a \ud800 b"
    assert terms("a \ud800 b") == ("a", "b")


UTC_TEXTS = [
    ("2025-03-30T02:30", datetime(2025, 3, 30, 2, 30, tzinfo=UTC)),
    ("2025-03-30T02:30Z", datetime(2025, 3, 30, 2, 30, tzinfo=UTC)),
    ("2025-03-30T02:30+09:00", datetime(2025, 3, 29, 17, 30, tzinfo=UTC)),
    (" 2025-03-30 ", datetime(2025, 3, 30, tzinfo=UTC)),
    ("2025-03-30T02:30:00.123456789Z", datetime(2025, 3, 30, 2, 30, 0, 123456, tzinfo=UTC)),
    ("0001-01-01", datetime(1, 1, 1, tzinfo=UTC)),
    ("9999-12-31T23:59:59.999999", datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC)),
]


@pytest.mark.parametrize(("text", "value"), UTC_TEXTS)
def test_an_instant_is_utc(text: str, value: datetime) -> None:
    found = instant(text)
    assert found == value
    assert found is not None
    assert found.utcoffset() == timedelta(0)


def test_dates_and_datetimes_are_instants_too() -> None:
    assert instant(None) is None
    assert instant(date(2025, 3, 30)) == datetime(2025, 3, 30, tzinfo=UTC)
    naive = datetime(2025, 3, 30, 2, 30)  # noqa: DTZ001 - a time without a zone is what is tried
    assert instant(naive) == datetime(2025, 3, 30, 2, 30, tzinfo=UTC)
    assert instant(naive.replace(tzinfo=timezone(timedelta(hours=-7)))) == datetime(2025, 3, 30, 9, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    "value",
    ["", "yesterday", "2025-13-01", "2025-02-30", 5, 1.5, True, b"2025", ["2025"], "0001-01-01T00:00+09:00",
     "9999-12-31T23:59-05:00", "10000-01-01"],
)  # fmt: skip
def test_what_names_no_instant_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="must"):
        instant(value)


@given(st.datetimes(min_value=datetime(1, 1, 2), max_value=datetime(9999, 12, 30), timezones=st.timezones()))  # noqa: DTZ001
def test_an_instant_reads_what_is_written(value: datetime) -> None:
    found = instant(value)
    assert found is not None
    assert found.utcoffset() == timedelta(0)
    # Python never takes times of an hour that a zone repeats for equal, so seconds are compared.
    assert found.timestamp() == value.timestamp()
    assert isoformat(found).endswith("+00:00")
    assert instant(isoformat(found)) == found
