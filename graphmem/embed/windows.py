"""Over-long text in windows that an embedder accepts.

No tokenizer is asked, since only the embedder has the right one. Length is estimated on the safe side: a
third of a token for a lower-case ASCII letter or a blank, one for any other ASCII sign, 0.6 for each UTF-8
byte beyond (1.8 for a Chinese, Japanese or Korean character). That is about 1.5 times what WordPiece counts
in English prose, and 1.2 times in program code; only noise, such as random letters, has more tokens than
estimated, up to twice.
"""

from __future__ import annotations

MOST_WINDOWS = 4
"""One text costs at most as much as this many of full length; what lies behind is not in its vector."""

_RESERVED = 2  # the marks that models put around a text
_HEAVIEST = 2.4  # tokens of a character of four bytes: what is shorter by this need not be weighed


def estimate_tokens(text: str) -> float:
    """About how many tokens the text has, rather too many than too few."""
    return sum(map(_weight, text))


def windows(text: str, max_tokens: int, most: int = MOST_WINDOWS) -> tuple[str, ...]:
    """At most `most` pieces of at most `max_tokens` each, cut behind a blank where there is one.

    Joined they are the text, or its beginning when it is too long for that many.
    """
    if len(text) <= (max_tokens - _RESERVED) / _HEAVIEST:
        return (text,) if text else ()
    pieces: list[str] = []
    start = 0
    while start < len(text) and len(pieces) < most:
        end = _cut(text, start, max_tokens - _RESERVED)
        pieces.append(text[start:end])
        start = end
    return tuple(pieces)


def _cut(text: str, start: int, budget: float) -> int:
    """Where the window from `start` ends: behind its last blank, unless the second half has none."""
    end = start
    while end < len(text):
        budget -= _weight(text[end])
        if budget < 0 and end > start:
            break
        end += 1
    else:
        return end
    blank = text.rfind(" ", start + (end - start) // 2, end)
    return blank + 1 if blank > start else end


def _weight(char: str) -> float:
    if char.isascii():
        return 1 / 3 if char.islower() or char == " " else 1.0
    return 0.6 * len(char.encode("utf-8", "surrogatepass"))
