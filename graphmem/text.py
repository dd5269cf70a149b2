"""Text and time as the indexes need them: normal forms, terms, UTC instants."""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, date, datetime
from typing import Annotated

from pydantic import PlainSerializer

MAX_QUERY = 50_000
MAX_TOKENS = 512
MAX_TERM = 255
_FRACTION = re.compile(r"(\.\d{6})\d+")
_SPACE = re.compile(r"\s+")


def utc_now() -> datetime:
    """The time now, in UTC."""
    return datetime.now(UTC)


def utc(value: datetime) -> datetime:
    """The same instant in UTC; a time without a zone is read as UTC."""
    return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def isoformat(value: datetime) -> str:
    """ISO-8601 in UTC with offset, as every output shows it."""
    return value.astimezone(UTC).isoformat()


Instant = Annotated[datetime, PlainSerializer(isoformat, return_type=str, when_used="json")]


def instant(value: object) -> datetime | None:
    """Read an instant: a time without a zone is UTC, a date is its first moment, digits past the microsecond are cut.

    Raises ValueError for anything that names no instant between the years 1 and 9999.
    """
    if value is None:
        return None
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(_FRACTION.sub(r"\1", value.strip()))
        except ValueError as error:
            raise ValueError("must be an ISO-8601 time such as 2025-03-30T02:30:00Z") from error
    elif isinstance(value, date) and not isinstance(value, datetime):
        value = datetime(value.year, value.month, value.day, tzinfo=UTC)
    if not isinstance(value, datetime):
        raise ValueError("must be a datetime, a date or an ISO-8601 text")
    try:
        return utc(value)
    except OverflowError as error:
        raise ValueError("must lie between the years 1 and 9999 in UTC") from error


def normalise(text: str) -> str:
    """NFKC, white space folded, invisible format characters dropped: the form that is embedded and indexed."""
    visible = text  # ASCII is its own compatibility form and has no format characters
    if not text.isascii():
        folded = unicodedata.normalize("NFKC", text)
        visible = "".join(char for char in folded if unicodedata.category(char) != "Cf")
    return _SPACE.sub(" ", visible).strip()


def has_words(text: str) -> bool:
    """Whether anything is left once white space and invisible characters are gone."""
    return bool(normalise(text))


def terms(text: str) -> tuple[str, ...]:
    """The distinct lower-case terms of a query, split at white space; one needs a letter, a digit or a symbol.

    At most 512 index tokens by a careful estimate, so that no text is too long for the full-text index.
    """
    chosen: dict[str, None] = {}
    budget = MAX_TOKENS
    for term in normalise(text[:MAX_QUERY]).lower().split():
        short = term[:MAX_TERM]
        easy = short.isascii() and short.isalnum()
        if short in chosen or not (easy or any(unicodedata.category(char)[0] in "LNS" for char in short)):
            continue
        budget -= 1 if easy else 1 + sum(not char.isascii() or not char.isalnum() for char in short)
        if budget < 0:
            break
        chosen[short] = None
    return tuple(chosen)


def shown(value: object, most: int = 60) -> str:
    """A value as a message quotes it: in whole, or, if it takes more than so many characters, by its length alone.

    It is never cut, since half a secret is not recognised as one.
    """
    quoted = repr(value)
    return quoted if len(quoted) <= most else f"a {type(value).__name__} of {len(str(value))} characters"
