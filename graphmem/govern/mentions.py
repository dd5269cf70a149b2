"""Whether a text mentions a word or a phrase: as a whole, in any script, in upper or lower case."""

from __future__ import annotations

import re
import unicodedata

from graphmem.text import normalise

SPACELESS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Characters of scripts in which words stand without spaces, or take endings: what a class of a pattern holds."""

UNSEEN = "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef"
"""Characters that nobody sees, beyond category Cf, as variation selectors are: what a class of a pattern holds."""

_UNSEEN = re.compile(f"[{UNSEEN}]")
_SPACELESS = re.compile(f"[{SPACELESS}]")


def plain(text: str) -> str:
    """A text in its normal form, without all that nobody sees."""
    return normalise(_UNSEEN.sub("", normalise(text)))


def folded(text: str) -> str:
    """A text as `plain` has it, and in one case."""
    return plain(plain(text).casefold())


def mentions(text: str, phrase: str) -> bool:
    """Whether a phrase stands in a text as a whole, both `plain` or both `folded`; an empty one does not.

    It is whole where no letter, digit or mark goes on with it at either end. Where words are written without spaces,
    they may end anywhere but between a letter and its marks.
    """
    place = text.find(phrase) if phrase else -1
    while place >= 0:
        end = place + len(phrase)
        if not _joined(text[place - 1 : place], text[place]) and not _joined(text[end - 1], text[end : end + 1]):
            return True
        place = text.find(phrase, place + 1)
    return False


def _joined(left: str, right: str) -> bool:
    """Whether two neighbours are of one word; where there is no neighbour, they are not."""
    if not left or not right:
        return False
    if unicodedata.category(right)[0] == "M":
        return True
    return spaced(left) and spaced(right)


def spaced(char: str) -> bool:
    """Whether a character belongs to a word that spaces, or other signs, tell from the next one."""
    return not _SPACELESS.match(char) and (char == "_" or unicodedata.category(char)[0] in "LMN")
