"""Personal data that is known by its form and, where it has one, by its check digits."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from graphmem.redact.spans import Span

_LOCAL = r"A-Za-z0-9._%+'\-\u00c0-\u024f\u0370-\u052f"
_LABEL = r"[^\W_](?:[\w-]{0,61}[^\W_])?"
_TOP = r"(?:[A-Za-z]{2,24}|[^\W\d_A-Za-z]{2,24})(?![A-Za-z0-9_])"
_MAIL = re.compile(
    rf"(?:(?<![{_LOCAL}])[{_LOCAL}]{{1,256}}|(?<!\w)[^\W{_LOCAL}]{{1,64}})@(?!v?\d+\.\d)(?:{_LABEL}\.){{1,10}}{_TOP}"
)

_PATH = re.compile(r":[\w.~-]*/")
_USUAL = (".com", ".org", ".net", ".edu", ".gov", ".info")

_DASH = r"\-\u2010-\u2015"
_GAP = rf"[ .{_DASH}]{{1,3}}"
_CARD = re.compile(
    rf"(?<![\w.+-])(?:(?P<four>\d{{4}}(?:{_GAP}\d{{4}}){{3}})(?:{_GAP}\d{{3}}(?!\d))?|\d{{4}}{_GAP}\d{{6}}{_GAP}\d{{4,5}}|\d{{13,19}})"
    r"(?![\w-]|\.\d)"
)
_ISSUED = re.compile(  # first digits and lengths, after ISO/IEC 7812 and the issuers' own lists
    r"4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}"
    r"|3(?:0[0-5]|[689]\d)\d{11}|(?:6011|65\d\d|64[4-9]\d|62\d\d|35(?:2[89]|[3-8]\d))\d{12,15}"
    r"|(?:5018|5020|5038|6304|6759|676[1-3])\d{8,15}"
)
_IBAN = re.compile(rf"(?<![A-Za-z0-9])[A-Za-z]{{2}}\d{{2}}(?:[ {_DASH}]?[A-Za-z0-9]{{1,4}}){{3,8}}(?![A-Za-z0-9])")
_AREA = "(?!000|666|9)"
_SSN = re.compile(rf"(?<![\w-]){_AREA}\d{{3}}([{_DASH}])(?!00)\d{{2}}\1(?!0000)\d{{4}}(?![\w-])")
_NAMED_SSN = re.compile(
    r"(?i:\b(?:ssn|social security(?: (?:number|no|nr))?)\b\.?)[\s:#=]{0,4}(?:is |was )?"
    rf"({_AREA}\d{{3}}[ .{_DASH}]?\d{{2}}[ .{_DASH}]?\d{{4}})(?!\w)"
)

_DIGITS = re.compile(r"\d(?:[\s()./~\u2010-\u2015-]{0,4}\d){6}")
_ABROAD = re.compile(r"(?<!\w)\+[ (]{0,2}\d(?:[ ()./~\u2010-\u2015-]{0,3}\d){6,16}")
_EXTENSION = r"(?: ?(?:x|ext\.?) ?\d{1,6})?"
_NANP = re.compile(  # as numbers of North America are written, whether in use or not
    rf"(?<![\w.+#/-])(?:1[ .{_DASH}])?(?:\(\d{{3}}\) ?\d{{3}}[ .{_DASH}]|\d{{3}}[{_DASH}]\d{{3}}[{_DASH}]|"
    rf"[2-9]\d\d\.[2-9]\d\d\.)\d{{4}}{_EXTENSION}(?![\w-]|\.\d)"
)
_SPACED = re.compile(rf"(?<![\w.+#/-])(?<!\d )(?:1 )?[2-9]\d\d [2-9]\d\d \d{{4}}{_EXTENSION}(?![\w-]|[ .]\d)")
# What the matcher of other regions is shown: runs of the characters of numbers, in pieces, with what stands around.
_RUN = re.compile(r"[(]?\d[\d ()./~\u2010-\u2015-]{5,}\d")
_STEP, _LONGEST, _AROUND = 200, 50, 8
_AMERICA = "US"


def spans(text: str, regions: Sequence[str]) -> Iterator[Span]:
    """The mail addresses, phone, card, account and social security numbers of a text."""
    if "@" in text:
        yield from (Span(*found.span(), "email") for found in _MAIL.finditer(text) if _mail(text, found))
    if not _DIGITS.search(text):
        return
    yield from _cards(text)
    yield from _accounts(text)
    yield from (Span(*found.span(), "ssn") for found in _SSN.finditer(text))
    yield from (Span(*found.span(1), "ssn") for found in _NAMED_SSN.finditer(text))
    yield from _phones(text, regions)


def _mail(text: str, found: re.Match[str]) -> bool:
    """Whether it is no place on a server (``git@host.org:a/b``), and no call after a product (``a@b.sum(c)``)."""
    after = text[found.end() : found.end() + 1]
    if after == ":":
        return _PATH.match(text, found.end()) is None
    return after != "(" or len(found[0].rpartition(".")[2]) == 2 or found[0].lower().endswith(_USUAL)


def _cards(text: str) -> Iterator[Span]:
    from stdnum import luhn

    for found in _CARD.finditer(text):
        for end in {found.end(), found.end("four")} - {-1}:  # a security code may follow
            digits = re.sub(r"\D", "", text[found.start() : end])
            if _ISSUED.fullmatch(digits) and luhn.is_valid(digits):
                yield Span(found.start(), end, "card")


def _accounts(text: str) -> Iterator[Span]:
    """IBANs: the longest beginning of what may be one whose check digits are right, since words may follow it."""
    from stdnum import iban

    for found in _IBAN.finditer(text):
        ends = [place.end() for place in re.finditer(r"[A-Za-z0-9]+", found[0])]
        for end in reversed(ends):
            if iban.is_valid(re.sub(r"\W", "", found[0][:end]), check_country=False):
                yield Span(found.start(), found.start() + end, "iban")
                break


def _phones(text: str, regions: Sequence[str]) -> Iterator[Span]:
    for found in _ABROAD.finditer(text):
        for start, end in _matched(found[0], None):
            yield Span(found.start() + start, found.start() + end, "phone")
    if _AMERICA in regions:
        yield from (Span(*found.span(), "phone") for found in _NANP.finditer(text))
        yield from (Span(*found.span(), "phone") for found in _SPACED.finditer(text) if _in_use(found[0]))
    for region in regions:
        for run in _RUN.finditer(text) if region != _AMERICA else ():
            for place in range(run.start(), run.end(), _STEP):
                before = max(0, place - _AROUND)
                piece = text[before : min(run.end(), place + _STEP + _LONGEST) + _AROUND]
                yield from (Span(before + start, before + end, "phone") for start, end in _matched(piece, region))


def _matched(piece: str, region: str | None) -> Iterator[tuple[int, int]]:
    """Where numbers stand: valid ones, and with a country code those that are divided as numbers are."""
    from phonenumbers import Leniency, PhoneNumberMatcher, is_valid_number

    for found in PhoneNumberMatcher(piece, region, Leniency.POSSIBLE):
        said, before = found.raw_string, piece[: found.start]
        divided, valid = re.search(r"\d[^\d+]+\d", said) is not None, is_valid_number(found.number)
        if "+" in said[:2]:
            right = valid or (divided and len(re.sub(r"\D", "", said)) >= 10)
        else:
            right = region is not None and valid and divided and not re.search(r"[\w.#/+-]$", before)
        if right:
            yield found.start, found.end


def _in_use(said: str) -> bool:
    from phonenumbers import is_valid_number, parse

    return bool(is_valid_number(parse(said, _AMERICA)))
