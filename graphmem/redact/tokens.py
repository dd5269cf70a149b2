"""Secrets that are known by their form: keys of providers, signed tokens, credentials in addresses, private keys.

The forms of many providers come from detect-secrets. What stands here are those that it lacks, knows in one length only
or looks for in more than linear time: a pattern has a bounded length, or a left edge that lets it begin once in a run
of its own characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module

from graphmem.redact.spans import Span

KIND = "secret"
_EDGE = "(?<![A-Za-z0-9])"

# What must be in the text, in lower case, for a form to be looked for, and the form: its group, or all of it.
_FORMS = tuple(
    (marks.split(), re.compile(form))
    for marks, form in (
        ("akia asia abia acca", rf"{_EDGE}(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{{16}}(?![A-Za-z0-9])"),
        ("gho_ ghp_ ghr_ ghs_ ghu_", rf"{_EDGE}gh[oprsu]_[A-Za-z0-9]{{20,}}"),
        ("github_pat_", rf"{_EDGE}github_pat_\w{{20,}}"),
        ("gl", rf"{_EDGE}gl(?:pat|dt|ft|soat|rt|cbt|ptt|agent|oas|imt)-[\w-]{{16,}}"),
        ("sk-", rf"{_EDGE}sk-(?:ant|proj|svcacct|admin|or)-[\w-]{{12,}}"),
        ("sk-", r"(?<![\w-])sk-(?:[A-Za-z]+-)?(?=[A-Za-z0-9]{0,60}\d)[A-Za-z0-9]{20,}[\w-]*"),
        ("xox xapp-", rf"{_EDGE}(?:xox[a-z]|xapp)(?:\.xox[a-z])?-[A-Za-z0-9-]{{10,}}"),
        ("hooks.slack.com", r"hooks\.slack\.com/(?:services|workflows|triggers)/([\w/-]{10,})"),
        ("k_live_ k_test_ whsec_", rf"{_EDGE}(?:[rsp]k_(?:live|test)|whsec)_[A-Za-z0-9]{{16,}}"),
        ("aiza", rf"{_EDGE}AIza[\w-]{{30,}}"),
        ("ya29. gocspx-", rf"{_EDGE}(?:ya29\.|GOCSPX-)[\w-]{{20,}}"),
        ("npm_", rf"{_EDGE}npm_[A-Za-z0-9]{{30,}}"),
        ("hf_ gsk_ xai- pplx- r8_", rf"{_EDGE}(?:hf_|gsk_|xai-|pplx-|r8_)[A-Za-z0-9]{{30,}}"),
        ("_v1_", rf"{_EDGE}do[opr]_v1_[a-f0-9]{{40,}}"),
        ("shp", rf"{_EDGE}shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{{32,}}"),
        ("hvs. hvb.", rf"{_EDGE}hv[sb]\.[\w-]{{24,}}"),
        ("eyj", r"(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?"),
        ("bearer", rf"(?i:{_EDGE}bearer)[ \t]+(?=[\w.~+/-]{{0,99}}\d)([\w.~+/-]{{12,}}=*)"),
        ("://", r"://(?=[^\s/@]{0,256}\d)([\w-]{20,256})@"),
        (
            "://",
            r"://((?:\[[a-z]+\]|[^\s:/\[<{$]){0,256}?:(?!\d{1,5}(?:[/?#,;)\]}.]|$))(?![\[<{$*])"
            r"(?:[^\s/?#\"'<>`]{1,256}|[^\s@\"'<>`]{1,256}))@",
        ),
    )
)

# Those of detect-secrets, by module, that take linear time. The others of its forms are above, in a wider form.
_DETECTORS = (
    *("aws", "azure_storage_key", "discord", "github_token", "gitlab_token", "mailchimp", "pypi_token", "sendgrid"),
    *("slack", "square_oauth", "stripe", "telegram_token", "twilio"),
)
_RUN = re.compile(r"[\w-]{20}")  # none of them is shorter

_AWS_ID = re.compile(rf"{_EDGE}(?:AKIA|ASIA)[A-Z0-9]{{16}}")
_AWS_SECRET = re.compile(r"(?<![A-Za-z0-9/+])(?=\D{0,39}\d)(?=[^A-Z]{0,39}[A-Z])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])")

_BLOCKS = (
    (
        re.compile(r"-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}"),
        re.compile(r"-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}"),
    ),
    (re.compile(r"PuTTY-User-Key-File-\d"), re.compile(r"Private-(?:MAC|Hash): ?[0-9a-f]*")),
)
_REST = re.compile(r"(?:(?:\s|\\n|\\r)+[A-Za-z0-9+/=]{16,})*")


def spans(text: str) -> Iterator[Span]:
    """The secrets of a text that are known by their form."""
    low = text.lower()
    for marks, form in _FORMS:
        if any(mark in low for mark in marks):
            yield from (Span(*found.span(form.groups), KIND) for found in form.finditer(text))
    if "private" in low or "putty" in low:
        for begin, end in _BLOCKS:
            yield from _blocks(text, begin, end)
    if _RUN.search(text):
        yield from _detected(text)
        if _AWS_ID.search(text):  # its secret has no form of its own, but stands beside it
            yield from (Span(*found.span(), KIND) for found in _AWS_SECRET.finditer(text))


def _blocks(text: str, begin: re.Pattern[str], end: re.Pattern[str]) -> Iterator[Span]:
    """Private keys in whole; of one that is cut off, as far as it looks like one."""
    place, whole = 0, True
    while (head := begin.search(text, place)) is not None:
        tail = end.search(text, head.end()) if whole else None
        if tail is None:  # then there is none further on either
            whole, tail = False, _REST.match(text, head.end())
        place = head.end() if tail is None else tail.end()
        yield Span(head.start(), place, KIND)


def _detected(text: str) -> Iterator[Span]:
    for form in _detectors():
        for found in form.finditer(text):
            start, end = found.span()
            if not text[start - 1 : start].isalnum() and not text[end : end + 1].isalnum():
                yield Span(start, end, KIND)


@cache
def _detectors() -> tuple[re.Pattern[str], ...]:
    """The forms of detect-secrets; imported here, since it brings an HTTP client, which is never used."""
    from detect_secrets.plugins.base import RegexBasedDetector

    modules = [import_module(f"detect_secrets.plugins.{name}") for name in _DETECTORS]
    kinds = {
        kind
        for module in modules
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, RegexBasedDetector) and kind.__module__ == module.__name__
    }
    listed = [kind().denylist for kind in sorted(kinds, key=lambda kind: kind.__name__)]
    return tuple(form for forms in listed for form in forms)
