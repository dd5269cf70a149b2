"""Secrets that have no form of their own, but are given to a name that says what they are: ``password=…``.

What a name is given in prose or in code is mostly no secret: a word ("the password: retry it"), a number of tokens, a
variable, a call, a placeholder. So a value counts by what it is made of, the more so the less its name says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from graphmem.redact.spans import Span

KIND = "secret"
LONGEST = 256  # characters of a value that are looked at

# Names of passwords may be given anything; those of other secrets what is no plain word; tokens what looks like one.
_ACCOUNT = r"(?:db|user|root|admin|smtp|ftp|ssh|mysql|pg|redis|proxy)[_-]?pass"
_PASSWORD = rf"passwords?|passwd|passphrase|passcode|pwd|{_ACCOUNT}"
_KEY = (
    r"secret|(?:api|access|secret|private|auth|account|encryption|signing|master|service|client|storage|session|ssh|db|"
    r"license)[_ -]?(?:key|secret)"
)
_TOKEN = r"token|credentials?"  # noqa: S105
_NAME = rf"(?:(?P<password>{_PASSWORD})|(?P<key>{_KEY})|(?P<token>{_TOKEN}))"
_MORE = r"(?:[_-]?(?:prod|production|dev|test|staging|live|old|new|value|\d{1,3}))?"
_TYPED = r":[ \t]?(?:str|string|bytes|SecretStr|Optional\[str\])(?:[ \t]?\|[ \t]?None)?[ \t]?="
_OPERATOR = rf"[ \t]{{0,3}}(?P<op>{_TYPED}|=>|:=|={{1,3}}|!==?|:(?![:/]))[ \t]{{0,3}}"
_GIVEN = re.compile(rf"(?i:{_NAME}{_MORE}[\"'\]]{{0,2}}(?:{_OPERATOR}|(?P<tag>>)))")
_FLAG = re.compile(rf"(?i:(?<![\w-])--?[\w-]{{0,30}}?{_NAME}{_MORE}[ \t]{{1,3}})(?!-)")
_SAID = re.compile(rf"(?i:\b{_NAME}[ \t]{{1,3}}(?:is|was)(?:[ \t]now)?[ \t]?:?[ \t]{{1,3}})")
_HEADER = re.compile(
    r"(?i:authorization[\"'\]]{0,2}[ \t]{0,3}(?:[:=]|=>|,)[ \t]{0,3}[\"'`]?"
    r"(?:bearer|basic|token|digest|apikey|api-key|bot|negotiate)[ \t]{1,3})"
)
_LOGIN = re.compile(r"(?i:(?:curl|wget|http)\b[^\n]{0,200}?[ \t](?:-u|--user)[ =]{1,3})")
_MARKS = ("pass", "pwd", "secret", "key", "token", "credential", "authorization", "-u", "--user")

_QUOTED = re.compile(r"[brufBRUF@]{0,2}(\"\"\"|[\"'`])(?P<said>(?:\\.|(?!\1)[^\\\n]){1,512})\1")
_INNER = r"[^\s\"'`“”„«»。、]"
_PLAIN = re.compile(rf"{_INNER}{{1,{LONGEST}}}")
_REST = re.compile(rf"{_INNER}*")
_CLOSING = re.compile(r"(?P<said>[^<\n]{1,200})</")
_CUT = re.compile(r"&[\w.-]+=|[,;](?:$|[^\x00-\x7f]|[\w.-]+[=:])|\\[nrt\"']|</")
_EDGE = (")", "]", "}", ">", ".", ",", ";", ":")
_PAIRS = {")": "(", "]": "[", "}": "{", ">": "<"}  # a closing one is its own if it was opened in it

_PLACEHOLDER = re.compile(
    r"\$[({]?[A-Za-z_].*|\{.*|<.*|\[\w+\]\W*|%[\w(].*|:\w+|\(.*|[*.…•?#-]+|[xX]{3,}"
    r"|(?:your|my|the|some|example|dummy)[-_ ].*",
    re.DOTALL,
)
_CODE = re.compile(
    r"[A-Za-z_][\w.:>-]*[(\[<].*|[\w.]*\.(?:get|env|environ)\b.*|&?(?:[A-Za-z_]+\.)+[A-Za-z_]+|[!~]\w.*", re.DOTALL
)
_OWN_NAME = re.compile(r"(?i)[A-Za-z_]*(?:pass|pwd|secret|token|key|credential|auth)[A-Za-z_]*")
_VERSION = re.compile(
    r"(?i)v?\d+(?:[.,:/+-]\d+)+\w?|v\d+|\d+%|(?:base|sha|md|utf|hs|rs|es|aes|rsa|ascii|latin|oauth)-?\d{1,4}(?:[-_]\w+)?"
)
_PLACE = re.compile(r"[a-z]+(?:_[a-z]+)+|/(?:[A-Za-z_.-]+/)+[A-Za-z_.-]+")  # a field, a file: where a key is
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_NOTHING = frozenset(
    (  # noqa: SIM905 - a list of so many words is no easier to read
        "none null nil undefined true false yes no on off str string int integer bool boolean bytes float any text "
        "object type required optional missing invalid wrong expired incorrect empty blank hidden masked redacted "
        "changed unchanged unknown default disabled enabled ok okay valid present absent set unset n/a na tbd todo "
        "password username user secret value include omit inherit prompt env environment vault file stdin input "
        "correct weak strong public private basic bearer"
    ).split()
)


@dataclass(frozen=True, slots=True)
class _Value:
    """What a name is given: where it stands, whether between quotes."""

    start: int
    end: int
    said: str
    quoted: bool


def spans(text: str) -> Iterator[Span]:
    """The secrets of a text that are known by their name."""
    low = text.lower()
    if not any(mark in low for mark in _MARKS):
        return
    for rule, form in (
        (_is_given, _GIVEN),
        (_is_flag, _FLAG),
        (_is_said, _SAID),
        (_is_sent, _HEADER),
        (_is_login, _LOGIN),
    ):
        place = 0
        while (name := form.search(text, place)) is not None:
            value = _value(text, name)
            place = name.end()
            if value is not None and rule(text, name, value):
                place = max(place, _end(text, value))
                yield Span(value.start, place, KIND)


def _value(text: str, name: re.Match[str]) -> _Value | None:
    start = name.end()
    if name.groupdict().get("tag"):
        found = _CLOSING.match(text, start)
        return found and _Value(*found.span("said"), found["said"], quoted=True)
    found = _QUOTED.match(text, start)
    if found is not None:
        return _Value(*found.span("said"), found["said"], quoted=True)
    found = _PLAIN.match(text, start)
    if found is None:
        return None
    said = found[0]
    cut = _CUT.search(said)
    if cut is not None:
        said = said[: cut.start()]
    while said[-1:] in _EDGE and not (said[-1:] in _PAIRS and said.count(_PAIRS[said[-1]]) >= said.count(said[-1])):
        said = said[:-1]
    return _Value(start, start + len(said), said, quoted=False) if said else None


def _end(text: str, value: _Value) -> int:
    """Where a value ends: of a longer one than is looked at, the end of it all."""
    if value.quoted or len(value.said) < LONGEST:
        return value.end
    rest = _REST.match(text, value.end)
    return rest.end() if rest is not None else value.end


def _is_given(text: str, name: re.Match[str], value: _Value) -> bool:
    said, op = value.said.strip(), name["op"] or ""
    if _harmless(value):
        return False
    if op in ("==", "===", "!=", "!=="):
        return value.quoted and (bool(name["password"]) or _random(said))
    if name["password"] and name["password"].lower() == "pwd" and re.match(r"[/~.]|[A-Za-z]:[\\/]", said):
        return False
    if name["token"]:
        return _random(said)
    if name["key"] and name["key"].lower().endswith("key") and _PLACE.fullmatch(said):
        return False
    if value.quoted:
        return bool(name["password"]) or not (_WORD.fullmatch(said) or " " in said)
    goes_on = re.match(r"[ \t]+[^\W\d_]", text[value.end : value.end + 9]) is not None
    if not any(char.isalpha() for char in said):
        return bool(name["password"]) and len(said) >= 4 and not goes_on
    if not _WORD.fullmatch(said):
        return bool(name["password"]) or len(said) >= 4
    if op.endswith("="):
        return not (goes_on and op != text[value.start - len(op) : value.start]) and not _in_call(
            text, name.start(), value.end
        )
    alone = (
        re.search(r"(?:^|[,;/|({\[\n])[ \t\"'*-]*[\w.-]*$", text[max(0, name.start() - 40) : name.start()]) is not None
    )
    return bool(name["password"]) and alone and not goes_on


def _is_flag(text: str, name: re.Match[str], value: _Value) -> bool:
    if _harmless(value) or not (value.quoted or not _WORD.fullmatch(value.said)):
        return False
    return (bool(name["password"]) and len(value.said) >= 4) or _random(value.said)


def _is_said(text: str, name: re.Match[str], value: _Value) -> bool:
    said = value.said
    if _harmless(value):
        return False
    mixed = any(char.isdigit() for char in said) and any(char.isalpha() for char in said)
    if name["password"]:
        return len(said) >= 4 and (mixed or (value.quoted and " " not in said))
    return _random(said) and len(said) >= 12


def _is_sent(text: str, name: re.Match[str], value: _Value) -> bool:
    return not _harmless(value) and len(value.said) >= 6 and not _WORD.fullmatch(value.said[:100])


def _is_login(text: str, name: re.Match[str], value: _Value) -> bool:
    user, colon, said = value.said.partition(":")
    return bool(colon and user and said) and not said.isdigit() and not _PLACEHOLDER.fullmatch(said)


def _harmless(value: _Value) -> bool:
    """Whether it is a placeholder, a word for there being none, a version, a variable or a call."""
    said = value.said.strip().rstrip("!?")
    if not said or said.lower() in _NOTHING or _PLACEHOLDER.fullmatch(said) or _OWN_NAME.fullmatch(said):
        return True
    if not value.quoted and _CODE.fullmatch(said):
        return True
    return not said.isdigit() and _VERSION.fullmatch(said) is not None


def _random(said: str) -> bool:
    """Whether it looks like what a machine made: letters with digits, or of both cases where words have one."""
    if len(said) < 6 or " " in said or not any(char.isalpha() for char in said):
        return False
    if any(char.isdigit() for char in said):
        return True
    return len(said) >= 12 and re.search(r"[a-z][A-Z]+[a-z]+[A-Z]", said) is not None


def _in_call(text: str, start: int, end: int) -> bool:
    """Whether it stands among a call's arguments, where a word is a variable."""
    line = text[max(0, start - 200) : start].rpartition("\n")[2]
    return line.count("(") > line.count(")") and text[end : end + 1] in (",", ")")
