"""Whether two lessons say the same, or the opposite, by their words alone.

A lesson is read as clauses: what it is about ("For …,", "… if …"), what is to be done, and whether that is negated. Two
clauses are opposed when they are about the same, have the same content words, and an odd difference in negation.
What a lesson says it failed by (`failure_mode`) is a clause too: to be avoided. It is meant to be precise: what is
found here is held back for a person to look at, what is missed here may still be found by a model.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from graphmem.models import Reflection
from graphmem.text import normalise

SAME_WORDS = 0.8  # the Jaccard index of content words from which on two clauses speak of the same
LEAST_WORDS = 2  # fewer words are no matter to disagree on, unless the lessons agree in all others
MOST_TEXT = 4_000  # characters of a lesson that are read
MOST_CLAUSES = 40

# Words without a content of their own: what only gives advice its form is among them, words of order are not.
_EMPTY = re.compile(
    r"a|about|also|always|an|and|any|are|as|at|be|been|being|but|by|can|could|did|do|does|doing|done|each|ensure|ever|for|"
    r"from|had|has|have|he|her|his|i|if|in|instead|into|is|it|its|just|let|made|make|making|may|me|might|must|my|need|of|"
    r"on|one|only|onto|or|our|please|should|so|sure|that|the|their|them|then|there|these|they|this|those|to|too|try|"
    r"trying|up|us|use|used|using|was|we|were|what|when|whenever|which|while|will|with|would|work|works|worked|working|"
    r"worth|you|your|advice|better|best|failures?|good|idea|important|lesson|recommended|remember|things?|unless|until|way"
)
_NEGATION = re.compile(
    r"not|no|never|none|nor|without|cannot|dont|[a-z]+n't|avoid(?:s|ed|ing)?|refrain|neglect(?:s|ed|ing)?|"
    r"skip(?:s|ped|ping)?|omit(?:s|ted|ting)?|forget(?:s|ting)?|forgot(?:ten)?|lack(?:s|ed|ing)?|miss(?:ed|ing)|"
    r"fail(?:s|ed|ing)?|wrong|bad|harmful|pointless|useless"
)
_WORD = re.compile(r"[^\W_]+(?:[.\-][^\W_]+)*(?:['’][^\W_]+)?")
_LEFT_OUT = re.compile(r"\b(?:leave|leaves|leaving|left) out\b")
_QUOTED = re.compile(r"“([^”]*)”|\"([^\"]*)\"|`([^`]*)`")
_MARKS = re.compile(r"[.,:;!?()]")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_ABOUT = re.compile(r"(?:for|when|whenever|if|in|on|while|during|once|unless)\b[^,:;]*[,:]\s*", re.I)
_HEADING = re.compile(r"([^:;]{1,120}):\s+(?=\S)")
_ONLY_IF = re.compile(r"\b(?:if|when|whenever|unless|until|while|once|during)\b", re.I)
_UNLESS = re.compile(r"\b(?:unless|until)\b", re.I)
_REASON = re.compile(r",?\s*\b(?:because|since|otherwise|(?:or )?else|so|to (?:avoid|prevent)|in order to)\b.*", re.I)
_EXCEPT = re.compile(r",?\s*\b(?:instead of|rather than)\b", re.I)
_PARTS = re.compile(r"\s*;\s*|,?\s+but\s+|,\s*(?=(?:and\s+)?(?:not|never|don.t|do not)\b)", re.I)
_STATE = re.compile(r"\b(?:is|are|was|were|be|been|being|has|have|had)\b", re.I)
# What happened is told in the past; it is the reason of an advice, not the advice.
_TOLD = re.compile(
    r"(?:[\w ]{1,20},\s+)?(?:i|we|it|they|he|she|(?:the|my|our)(?: [\w\-]+){1,4})\s+"
    r"(?:was|were|did|had|tried|went|forgot|failed|made|took|could|kept)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class _Clause:
    about: frozenset[str]
    about_negated: bool
    words: frozenset[str]
    negated: bool

    @property
    def whole(self) -> frozenset[str]:
        return self.about | self.words


def alike(a: Reflection, b: Reflection) -> bool:
    """Whether two lessons say the same in the same words: insight and conditions, whatever the case, the white space,
    the order of the conditions and the stop at the end."""
    return _plain(a.insight) == _plain(b.insight) and conditions(a.conditions) == conditions(b.conditions)


def opposed(a: Reflection, b: Reflection) -> bool:
    """Whether two lessons of the same conditions, domain, task type and toolchain give opposite advice, or one says
    to do what the other failed by. Symmetric; a lesson is never opposed to one that is alike.
    """
    if _context(a) != _context(b) or alike(a, b):
        return False
    mine, theirs = _clauses(a), _clauses(b)
    same_matter = _same(_all_words(mine), _all_words(theirs))
    return any(
        _against(one, other, same_matter)
        and not any(_agree(one, third) for third in theirs)
        and not any(_agree(other, third) for third in mine)
        for one in mine
        for other in theirs
    )


def conditions(listed: Iterable[str]) -> frozenset[str]:
    """Conditions in a form that can be compared: case and white space folded, also around "="."""
    return frozenset("=".join(part.strip() for part in _plain(one).split("=")) for one in listed)


def _context(lesson: Reflection) -> tuple[object, ...]:
    labels = (_plain(label) for label in (lesson.domain, lesson.task_type, lesson.toolchain))
    return (*labels, conditions(lesson.conditions))


def _plain(text: str) -> str:
    return normalise(text).casefold().rstrip(" .!")


def _clauses(lesson: Reflection) -> list[_Clause]:
    """What a lesson advises, and what it failed by, turned round; a failure that is a mere state is no action."""
    insight, mode = normalise(lesson.insight[:MOST_TEXT]), normalise(lesson.failure_mode[:MOST_TEXT]).rstrip(" .")
    read = _read(insight.replace(mode, " ") if mode else insight)
    found = [one for one in read if one.words]
    if mode and not _STATE.search(mode):
        about = next((one for one in read if one.about), None)
        for one in _read(mode):
            known = about is not None and not one.about
            place = replace(one, about=about.about, about_negated=about.about_negated) if about and known else one
            found.append(replace(place, negated=not one.negated))
    return [one for one in found if one.words][:MOST_CLAUSES]


@lru_cache(maxsize=1024)
def _read(text: str) -> tuple[_Clause, ...]:
    """The clauses of a text; one without words of its own still says what the text is about."""
    calm = _QUOTED.sub(lambda quoted: f" {_MARKS.sub(' ', next(filter(None, quoted.groups()), ''))} ", text)
    found: list[_Clause] = []
    about, unless = frozenset[str](), False
    for sentence in _SENTENCE.split(calm):
        rest, turned = sentence.strip(), False
        if opening := _ABOUT.match(rest):
            about, unless = _content(opening[0]), _unless(opening[0])
            rest = rest[opening.end() :]
        while heading := _HEADING.match(rest):
            if _negated(heading[1]):
                turned = not turned
            else:
                about |= _content(heading[1])
            rest = rest[heading.end() :]
        advice = "" if _TOLD.match(rest) else _REASON.sub("", rest)
        for part in _PARTS.split(advice):
            found += _part(part, about, unless, turned)
    return tuple(found)


def _part(part: str, about: frozenset[str], unless: bool, turned: bool) -> Iterator[_Clause]:
    """The clauses of "do this rather than that if …"."""
    if limit := _ONLY_IF.search(part):
        condition, part = part[limit.start() :], part[: limit.start()]
        about, unless = about | _content(condition), unless ^ _unless(condition)
    for place, piece in enumerate(_EXCEPT.split(part)):
        yield _Clause(about, unless, _content(piece), _negated(piece) ^ turned ^ (place % 2 == 1))


def _unless(text: str) -> bool:
    return _negated(text) ^ bool(_UNLESS.search(text))


def _words(text: str) -> list[str]:
    return _WORD.findall(_LEFT_OUT.sub("omit", text.casefold().replace("’", "'")))


def _content(text: str) -> frozenset[str]:
    """The stems of the words that carry meaning."""
    kept = (word for word in _words(text) if not _EMPTY.fullmatch(word) and not _NEGATION.fullmatch(word))
    return frozenset(_NEGATED.get(stem, stem) for stem in map(_stem, kept))


def _negated(text: str) -> bool:
    return sum(bool(_NEGATION.fullmatch(word)) or _stem(word) in _NEGATED for word in _words(text)) % 2 == 1


def _stem(word: str) -> str:
    """A light stem: plurals, -ing and -ed, doubled consonants and a final e are taken away."""
    word = word.removesuffix("'s")
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-3] + "y" if word.endswith("ies") else word[:-1]
    for ending in ("ing", "ed"):
        if len(word) > len(ending) + 2 and word.endswith(ending) and not word.endswith("eed"):
            word = word.removesuffix(ending)
            word = word[:-1] if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "ls" else word
            break
    if len(word) > 2 and word.endswith("i"):
        return word[:-1] + "y"
    return word[:-1] if len(word) > 3 and word.endswith("e") else word


_NEGATED = {  # stems of words, and of what they negate
    _stem(word): _stem(opposite)
    for word, opposite in (
        ("disable", "enable"),
        ("exclude", "include"),
        ("decrease", "increase"),
        ("reduce", "increase"),
        ("deny", "allow"),
        ("forbid", "allow"),
        ("reject", "accept"),
    )
}


def _same(one: frozenset[str], other: frozenset[str]) -> bool:
    return not (one or other) or len(one & other) >= SAME_WORDS * len(one | other)


def _all_words(clauses: list[_Clause]) -> frozenset[str]:
    return frozenset[str]().union(*(one.whole for one in clauses))


def _same_place(one: _Clause, other: _Clause) -> bool:
    return one.about_negated == other.about_negated and _same(one.about, other.about)


def _against(one: _Clause, other: _Clause, same_matter: bool) -> bool:
    if _same_place(one, other):
        odd, left, right = one.negated != other.negated, one.words, other.words
    elif not (one.about and other.about) and not (one.about_negated or other.about_negated):
        # one says beforehand what the other says in passing
        odd, left, right = one.negated != other.negated, one.whole, other.whole
    else:
        return False
    return odd and _same(left, right) and (same_matter or min(len(left), len(right)) >= LEAST_WORDS)


def _agree(one: _Clause, other: _Clause) -> bool:
    return one.negated == other.negated and _same_place(one, other) and _same(one.words, other.words)
