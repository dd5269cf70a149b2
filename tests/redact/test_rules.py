"""What the rules find, and what they leave as it is."""

from __future__ import annotations

import random
import time
import uuid
from datetime import UTC, datetime
from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.redact.rules import RuleRedactor
from tests.redact.planted import ALPHANUMERIC, ORDINARY, TOKENS, drawn, luhn, planted

RULES = RuleRedactor()
PLANTED = [one for seed in range(8) for one in planted(seed)]


def test_there_are_more_than_two_hundred_texts() -> None:
    assert len({text for *_, text in PLANTED}) >= 200
    assert len(ORDINARY) + 250 >= 200  # with those that are drawn below


@pytest.mark.parametrize(("name", "kind", "secret", "text"), PLANTED, ids=lambda value: str(value)[:20])
def test_what_is_planted_is_found_and_nothing_around_it(name: str, kind: str, secret: str, text: str) -> None:
    result = RULES.redact(text)
    assert kind in result.found, name
    assert secret not in result.text
    before, after = text.split(secret)
    assert result.text.startswith(before.removesuffix("app:").removesuffix("admin:"))
    assert result.text.endswith(after)
    assert RULES.redact(result.text).text == result.text
    assert RULES.redact(result.text).found == ()


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_is_unchanged(text: str) -> None:
    result = RULES.redact(text)
    assert result.text == text
    assert result.found == ()


def _no_card(number: int) -> bool:
    return not luhn(str(number))


words = st.sampled_from(["the", "agent", "retried", "a build", "token", "key", "secret", "password", "limit of", "was"])
plain = st.one_of(
    st.uuids().map(str),
    st.uuids().map(lambda value: value.hex),
    st.binary(min_size=20, max_size=20).map(lambda value: value.hex()),
    st.binary(min_size=32, max_size=32).map(lambda value: f"sha256:{value.hex()}"),
    st.datetimes().map(lambda value: value.replace(tzinfo=UTC).isoformat()),
    st.datetimes(min_value=datetime(1980, 1, 1)).map(lambda value: str(int(value.replace(tzinfo=UTC).timestamp()))),  # noqa: DTZ001
    st.ip_addresses(v=4).map(lambda value: f"{IPv4Address(value)}:8080"),
    st.ip_addresses(v=6).map(lambda value: f"[{IPv6Address(value)}]"),
    st.tuples(*[st.integers(0, 99)] * 3).map(lambda parts: "v" + ".".join(map(str, parts))),
    st.integers(0, 10**20).filter(_no_card).map(str),
    st.floats(-1e9, 1e9).map(lambda value: f"{value:.3f}"),
    st.integers(0, 10**9).map(lambda value: f"${value:,}.99"),
    st.integers(0, 10**7).map(lambda value: f"INC-{value:07}"),
    st.text(st.characters(categories=["Lo", "Zs"]), max_size=40),
    st.text(st.sampled_from("абвгдеёжзиклмнопрстуфхцчшщъыьэюя ,.!?-"), max_size=40),
    st.lists(words, min_size=1, max_size=8).map(" ".join),
)


@given(st.lists(plain, min_size=1, max_size=6))
def test_what_is_no_secret_is_unchanged(parts: list[str]) -> None:
    text = ", ".join(parts)
    assert RULES.redact(text).text == text


@given(st.text(st.sampled_from("aA1@.:/-+ =\"'[]()\n€４key password token email sk-"), max_size=80))
def test_redacting_twice_changes_nothing(text: str) -> None:
    once = RULES.redact(text).text
    again = RULES.redact(once)
    assert again.text == once
    assert again.found == ()


@given(st.integers(0, 10**9), st.lists(st.sampled_from(sorted(TOKENS)), min_size=2, max_size=5))
def test_several_in_one_text_are_all_found(seed: int, names: list[str]) -> None:
    draw = random.Random(seed)
    secrets = [TOKENS[name](draw) for name in names]
    result = RULES.redact(" and ".join(secrets))
    assert result.text == " and ".join(["[secret]"] * len(secrets))


def test_the_secret_key_beside_an_access_key_is_found_without_a_name() -> None:
    draw = random.Random(1)
    id_, secret = TOKENS["aws id"](draw), drawn(draw, 40, ALPHANUMERIC + "/+")
    assert RULES.redact(f"{id_} {secret}").text == "[secret] [secret]"


def test_a_key_that_is_cut_off_is_taken_as_far_as_it_goes() -> None:
    draw = random.Random(2)
    whole = TOKENS["pem"](draw)
    cut = whole.partition("\n-----END")[0]
    assert RULES.redact(f"{cut}\nthen it stopped").text == "[secret]\nthen it stopped"
    assert RULES.redact(whole.replace("\n", "\\n")).text == "[secret]"


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("ａｎｎ＠ｅｘａｍｐｌｅ．ｃｏｍ", "[email]"),
        ("an\u200bn@exa\u200dmple.com", "[email]"),
        ("ann@example.com（工作）", "[email]（工作）"),
        ("联系ann@example.com，谢谢", "联系[email]，谢谢"),
        ("用户@例子.公司", "[email]"),
        ("４１１１ １１１１ １１１１ １１１１", "[card]"),
        ("٤١١١١١١١١١١١١١١١", "[card]"),
        ("4111\u00a01111\u00a01111\u00a01111", "[card]"),
        ("4111 1111 1111 1111 12/27 123", "[card] 12/27 123"),
        ("＋４９ ３０ ２３１２５１２３", "[phone]"),
        ("pass\u200bword=hunter2", "pass\u200bword=[secret]"),
        ("ssn 219 09 9999", "ssn [ssn]"),
        ("DE89 3704 0044 0532 0130 00 AND MORE", "[iban] AND MORE"),
        ("https://bob@x.example:pa55@host/x", "https://[secret]@host/x"),
    ],
)
def test_no_width_script_or_invisible_character_hides_anything(text: str, redacted: str) -> None:
    assert RULES.redact(text).text == redacted


def test_kinds_are_left_alone_and_regions_are_chosen() -> None:
    text = "ann@example.com, (415) 555-0132, 01 99 00 12 34"
    assert RULES.redact(text).text == "[email], [phone], 01 99 00 12 34"
    assert RuleRedactor(("FR",)).redact(text).text == "[email], (415) 555-0132, [phone]"
    assert RuleRedactor(("US", "FR"), ("email",)).redact(text).text == "ann@example.com, [phone], [phone]"
    assert RuleRedactor((), ("email", "phone")).redact(text).text == text


HOSTILE = [
    *(
        "a",
        "1",
        "1 ",
        "@",
        "a@",
        "a@a.",
        "a.",
        "://a:",
        "://",
        "eyJ",
        "eyJa.",
        "sk-",
        "xoxb-1-",
        "[secret]",
        "\u200b",
        "４",
    ),
    *("-----BEGIN PRIVATE KEY-----", "PuTTY-User-Key-File-2", "password=", 'password="', 'password="\\', "token=", "_"),
    *("token=a1b2c3&", "api_key: ", "Bearer ", "authorization: bearer ", "aws key '", "+1 ", "(", "4111 ", "4111-"),
    *("DE89 ", "123-45-", "ssn ", "password is ", "--password ", "curl -u ", "<password>", "12345678:", "passwords"),
    *("2024-01-15 ", "555-", "415 555 2671 ", "+1 415 555 2671 ", "a@b.co ", "GR1348941", "pypi-AgEIcHlwaS5vcmc", "é@"),
]


@pytest.mark.parametrize("unit", HOSTILE)
def test_the_time_grows_with_the_text_and_no_faster(unit: str) -> None:
    """Four times the text takes four times as long, and not sixteen times, as it would where a search begins anew."""
    texts = [(unit * (size // len(unit) + 1))[:size] for size in (25_000, 100_000)]
    RULES.redact(texts[0])
    short, long = (min(_seconds(text) for _ in range(3)) for text in texts)
    assert long < 9 * short + 0.02


def _seconds(text: str) -> float:
    began = time.process_time()
    RULES.redact(text)
    return time.process_time() - began


def test_an_id_of_ours_is_never_taken_for_anything() -> None:
    for _ in range(200):
        assert RULES.redact(f"{uuid.uuid4().hex} reflection-{uuid.uuid4().hex}").found == ()


@pytest.mark.parametrize(
    "text", ["session_key: user_id", "private-key: /etc/ssl/private/server.key", 'primary db_key = "order_id"']
)
def test_a_key_that_is_a_field_or_a_file_is_no_secret(text: str) -> None:
    assert RuleRedactor().redact(text).text == text
