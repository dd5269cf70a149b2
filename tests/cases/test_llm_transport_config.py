"""How an endpoint is asked: when again, how often, at which address, with which key."""

from __future__ import annotations

import logging
import socket
import threading
import traceback
from collections.abc import Callable, Iterator
from datetime import timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from pydantic import SecretStr

from graphmem import Memory
from graphmem.embed import make_embedder
from graphmem.endpoints import OPENAI, LlmSettings, chat_endpoint, described, embedding_endpoint
from graphmem.errors import ConfigurationError, EmbeddingError, GraphmemError, ReflectionError
from graphmem.llm import Completion, make_llm
from graphmem.settings import load_settings
from graphmem.steps import Complete, Stage, run
from tests.endpoint import CHAT, VECTORS, Answer, Asked, Endpoint, failing, said, vectors
from tests.llm.patience import KEY, NOW, PROMPT, Patience
from tests.memories import ids, won

Call = Callable[..., Any]
QUOTA = failing(429, "You exceeded your current quota", "insufficient_quota", Retry_After="1")


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint() as made:
        yield made


@pytest.fixture
def patience() -> Patience:
    return Patience()


@pytest.fixture(params=["chat", "embeddings"])
def call(request: pytest.FixtureRequest, endpoint: Endpoint, patience: Patience) -> Call:
    """Ask the endpoint for a completion or for a vector, by a script that ends well or never."""

    def ask(*script: Answer, well: bool = True, **changes: Any) -> Any:
        chat = request.param == "chat"
        left = list(script)
        good: Callable[[Asked], Answer] = (lambda asked: said("ok")) if chat else vectors

        def play(asked: Asked) -> Answer:
            return left.pop(0) if len(left) > (0 if well else 1) else good(asked) if well else left[0]

        endpoint.play(play, everywhere=True)
        if chat:
            return patience.llm(endpoint.address, **changes).complete(PROMPT).text
        return len(patience.embedder(endpoint.address, **changes).embed(["text"])[0])

    return ask


GOOD = ("ok", 384)
AWAY = (ReflectionError, EmbeddingError)


# GM-BUG-29
def test_the_stated_wait_is_kept(call: Call, endpoint: Endpoint, patience: Patience) -> None:
    assert call(failing(429, Retry_After="3")) in GOOD
    assert patience.waits == [3.0]
    assert len(endpoint.asked) == 2


def test_a_wait_until_a_date_is_kept(call: Call, patience: Patience) -> None:
    until = format_datetime(NOW + timedelta(seconds=41), usegmt=True)
    assert call(failing(503, Retry_After=until)) in GOOD
    assert patience.waits == [41.0]


@pytest.mark.parametrize("stated", ["86400", "61", "inf", format_datetime(NOW + timedelta(days=1), usegmt=True)])
def test_a_wait_beyond_the_cap_fails_with_the_hint(
    call: Call, endpoint: Endpoint, patience: Patience, stated: str
) -> None:
    with pytest.raises(AWAY, match=r"asks to wait \S+ s, longer than GRAPHMEM_LLM__RETRY_CAP, 60 s"):
        call(failing(429, Retry_After=stated))
    assert patience.waits == []
    assert len(endpoint.asked) == 1


def test_the_cap_is_a_setting(call: Call, patience: Patience) -> None:
    assert call(failing(429, Retry_After="86400"), retry_cap=90_000.0) in GOOD
    assert patience.waits == [86_400.0]


@pytest.mark.parametrize("stated", [None, "soon", "nan", "-5", format_datetime(NOW - timedelta(days=1), usegmt=True)])
@pytest.mark.parametrize(("jitter", "waits"), [(0.0, [0.5, 1.0, 2.0]), (0.5, [0.375, 0.75, 1.5])])
def test_without_a_stated_wait_it_doubles_with_jitter(
    call: Call, patience: Patience, stated: str | None, jitter: float, waits: list[float]
) -> None:
    patience.jitter = jitter
    headers = {} if stated is None else {"Retry_After": stated}
    assert call(*[failing(429, **headers)] * 3) in GOOD
    assert patience.waits == waits


def test_a_quota_that_is_used_up_is_not_asked_again(call: Call, endpoint: Endpoint, patience: Patience) -> None:
    with pytest.raises(AWAY, match="quota of the account is used up"):
        call(QUOTA, well=False)
    assert len(endpoint.asked) == 1
    assert patience.waits == []


@pytest.mark.parametrize("attempts", [1, 2, 5])
@pytest.mark.parametrize("failure", [failing(429), failing(500), failing(408), Answer(status=None)])
def test_the_number_of_requests_is_bounded_by_one_layer(
    call: Call, endpoint: Endpoint, failure: Answer, attempts: int
) -> None:
    with pytest.raises(AWAY):
        call(failure, well=False, attempts=attempts)
    assert len(endpoint.asked) == attempts


@pytest.mark.parametrize("failure", [failing(408), failing(429), failing(500), failing(529), Answer(status=None)])
def test_what_may_pass_is_asked_again(call: Call, endpoint: Endpoint, failure: Answer) -> None:
    assert call(failure) in GOOD
    assert len(endpoint.asked) == 2


def test_an_endpoint_that_is_slow_once_is_asked_again(call: Call, endpoint: Endpoint) -> None:
    slow = threading.Event()
    try:
        assert call(Answer(wait=slow, body={}), timeout=0.3) in GOOD
    finally:
        slow.set()
    assert len(endpoint.asked) == 2


@pytest.mark.parametrize("status", [401, 403, 404, 409, 451])
def test_other_faults_are_told_as_they_are(call: Call, endpoint: Endpoint, status: int) -> None:
    with pytest.raises(AWAY, match=f"HTTP {status}: the model is on holiday") as caught:
        call(failing(status, "the model is\non holiday"), well=False)
    assert len(endpoint.asked) == 1
    assert "\n" not in str(caught.value)


def test_no_redirect_is_followed(call: Call, endpoint: Endpoint) -> None:
    with Endpoint([said("led astray")], everywhere=True) as other, pytest.raises(AWAY, match="HTTP 307"):
        call(Answer(307, {}, {"Location": other.address + CHAT}), well=False)
    assert len(endpoint.asked) == 1
    assert other.asked == []


@pytest.mark.parametrize("body", [b"<html>Welcome</html>", b"", b"[" * 100_000, b"null", b"{}", b"[]", b'{"data": 3}'])
def test_a_page_that_is_no_answer_is_no_answer(call: Call, endpoint: Endpoint, body: bytes) -> None:
    with pytest.raises(AWAY, match="answered no"):
        call(Answer(200, body), well=False)
    assert len(endpoint.asked) == 1


def test_nobody_there(patience: Patience) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound and not listening: the port refuses
        address = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(ReflectionError, match=f"nobody answers at {address}/v1, in 3 requests"):
            patience.llm(address, attempts=3).complete(PROMPT)
    assert len(patience.waits) == 2


# GM-BUG-29, the key
@pytest.mark.parametrize("echo", [failing(401, f"Incorrect API key: {KEY}"), failing(500, KEY), failing(400, KEY)])
def test_the_key_is_sent_and_never_shown(
    call: Call, endpoint: Endpoint, caplog: pytest.LogCaptureFixture, echo: Answer
) -> None:
    caplog.set_level(logging.DEBUG)
    with pytest.raises((*AWAY, ValueError)) as caught:
        call(echo, well=False)
    assert {asked.headers["authorization"] for asked in endpoint.asked} == {f"Bearer {KEY}"}
    shown = "".join(traceback.format_exception(caught.value)) + repr(caught.value) + caplog.text
    assert "[key]" in shown
    assert KEY not in shown


def test_a_key_that_is_echoed_does_not_become_an_answer(endpoint: Endpoint, patience: Patience) -> None:
    endpoint.play([said(f"you sent {KEY}")])
    assert patience.llm(endpoint.address).complete(PROMPT).text == "you sent [key]"


def test_the_key_is_in_no_repr(endpoint: Endpoint) -> None:
    settings = load_settings(
        llm={"model": "m", "base_url": endpoint.address, "api_key": KEY},
        embedding={"model": "openai:e", "api_key": KEY, "dimensions": 3},
    )
    made = (settings, make_llm(settings), make_embedder(settings), chat_endpoint(settings.llm))
    shown = f"{made!r} {[vars(one) for one in made[1:3]]} {settings.model_dump_json()}"
    assert KEY not in shown


@pytest.mark.parametrize("key", ["two words", "schlüssel-geheim", "line\nbreak"])
def test_a_key_that_no_header_can_carry_is_refused_without_showing_it(key: str) -> None:
    with pytest.raises(ConfigurationError, match="GRAPHMEM_LLM__API_KEY") as caught:
        load_settings(llm={"api_key": key})
    assert key not in "".join(traceback.format_exception(caught.value))
    with pytest.raises(ValueError, match="printable") as alone:
        LlmSettings(api_key=SecretStr(key), base_url=key)
    assert key not in str(alone.value)


def test_the_end_of_a_file_is_no_part_of_a_key() -> None:
    key = load_settings(llm={"api_key": f"{KEY}\n"}).llm.api_key
    assert key == SecretStr(KEY)
    assert load_settings(llm={"api_key": " "}).llm.api_key is None


# GM-BUG-30
FORMS = ["{}", "{}/", "{}/v1", "{}/v1/", " {}/v1// "]


@pytest.mark.parametrize("form", FORMS)
def test_an_address_may_be_written_in_several_ways(form: str) -> None:
    for section in ("llm", "embedding"):
        settings = load_settings(**{section: {"base_url": form.format("http://host:8080")}})
        assert getattr(settings, section).base_url == "http://host:8080/v1"


def test_another_path_is_kept() -> None:
    assert load_settings(llm={"base_url": "https://host/api/openai/"}).llm.base_url == "https://host/api/openai"


@pytest.mark.parametrize(
    "bad", ["host:8080", "ftp://host", "http://", "http://u:sekret@host", "http://h?key=sekret", "http://h:port"]
)
def test_what_is_no_address_is_refused(bad: str) -> None:
    with pytest.raises(ConfigurationError, match="GRAPHMEM_LLM__BASE_URL") as caught:
        load_settings(llm={"base_url": bad})
    assert "sekret" not in "".join(traceback.format_exception(caught.value))


@pytest.fixture
def outside(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Whatever tries to leave this machine; it is refused."""
    tried: list[object] = []
    connect, look_up = socket.socket.connect, socket.getaddrinfo

    def guarded(made: socket.socket, address: Any) -> None:
        if made.family != socket.AF_UNIX and address[0] not in ("127.0.0.1", "::1"):
            tried.append(address)
            raise OSError("the network is blocked")
        connect(made, address)

    def resolved(host: Any, *more: Any, **named: Any) -> Any:
        if host not in ("127.0.0.1", "localhost", "::1", None):
            tried.append(host)
            raise OSError("the network is blocked")
        return look_up(host, *more, **named)

    monkeypatch.setattr(socket.socket, "connect", guarded)
    monkeypatch.setattr(socket, "getaddrinfo", resolved)
    return tried


def test_the_network_is_blocked(outside: list[object], patience: Patience) -> None:
    with pytest.raises(ReflectionError, match="nobody answers"):
        patience.llm("http://api.example.org", attempts=1).complete(PROMPT)
    assert len(outside) == 1


def completed() -> Stage[Completion]:
    """A stage that asks for one completion."""
    return (yield Complete(PROMPT))


def _used(memory: Memory) -> None:
    """Record, recall and complete."""
    memory.record(won("a", "Descale the coffee machine"))
    assert ids(memory.recall("descale the coffee machine")) == ["a"]
    assert run(completed(), memory._answer).text == "ok"


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize(("by", "form"), [("config", "{}"), ("environment", "{}/v1/")])
def test_every_request_reaches_the_given_endpoint(
    endpoint: Endpoint, settings: Any, outside: list[object], monkeypatch: pytest.MonkeyPatch, by: str, form: str
) -> None:
    for name in ("OPENAI_BASE_URL", "OPENAI_API_BASE"):
        monkeypatch.setenv(name, "http://api.example.org/v1")
    endpoint.play([said("ok")])
    llm = {"model": "chat-1", "base_url": form.format(endpoint.address)}
    embedding = {"model": "openai:vectors-1", "dimensions": "384"}
    given: dict[str, Any] = {"home": settings.home, "instance": settings.instance, "recall": {"threshold": 0.7}}
    if by == "environment":
        for section, values in (("LLM", llm), ("EMBEDDING", embedding)):
            for name, value in values.items():
                monkeypatch.setenv(f"GRAPHMEM_{section}__{name.upper()}", value)
    else:
        given |= {"llm": llm, "embedding": embedding}
    with Memory("t-endpoint", settings=load_settings(**given)) as memory:
        _used(memory)
    assert {(asked.path, asked.body["model"]) for asked in endpoint.asked} == {
        (CHAT, "chat-1"),
        (VECTORS, "vectors-1"),
    }
    assert outside == []


def test_config_outranks_the_environment(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHMEM_LLM__BASE_URL", "http://environment")
    monkeypatch.setenv("GRAPHMEM_LLM__API_KEY", "sk-environment")
    monkeypatch.setenv("GRAPHMEM_LLM__MODEL", "environment")
    at = chat_endpoint(load_settings(llm={"base_url": endpoint.address, "model": "config"}).llm)
    assert at is not None
    assert (at.base_url, at.model) == (f"{endpoint.address}/v1", "config")
    assert at.api_key == SecretStr("sk-environment")  # what was not given is read from there


def test_embeddings_may_have_an_endpoint_of_their_own(endpoint: Endpoint) -> None:
    with Endpoint() as other:
        settings = load_settings(
            llm={"model": "m", "base_url": endpoint.address, "api_key": KEY},
            embedding={"model": "any-name", "base_url": other.address, "dimensions": 384},
        )
        embedder = make_embedder(settings)
        assert embedder is not None
        embedder.embed(["text"], "query")
        assert [asked.path for asked in other.asked] == [VECTORS]
        assert KEY not in str(other.asked)  # the key is the language model's, and goes to no other address
        assert endpoint.asked == []


def test_the_same_address_shares_the_key(endpoint: Endpoint) -> None:
    llm = {"base_url": endpoint.address, "api_key": KEY}
    for own, sent in (({}, KEY), ({"base_url": f"{endpoint.address}/v1/"}, KEY), ({"api_key": "sk-own"}, "sk-own")):
        settings = load_settings(llm=llm, embedding={"model": "openai:e", "dimensions": 384, **own})
        embedder = make_embedder(settings)
        assert embedder is not None
        embedder.embed(["text"], "document")
        assert endpoint.asked[-1].headers["authorization"] == f"Bearer {sent}"


def test_variables_of_other_tools_steer_nothing(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    foreign = {
        "OPENAI_API_KEY": "sk-foreign",
        "OPENAI_ADMIN_KEY": "sk-foreign",
        "OPENAI_ORG_ID": "org-foreign",
        "OPENAI_PROJECT_ID": "proj-foreign",
        "OPENAI_CUSTOM_HEADERS": "X-Extra: foreign\nAuthorization: Bearer sk-foreign",
    }
    for name, value in foreign.items():
        monkeypatch.setenv(name, value)
    endpoint.play([said("ok")])
    settings = load_settings(
        llm={"model": "m", "base_url": endpoint.address}, embedding={"model": "openai:e", "dimensions": 384}
    )
    llm, embedder = make_llm(settings), make_embedder(settings)
    assert llm is not None
    assert embedder is not None
    llm.complete(PROMPT)
    embedder.embed(["text"], "query")
    for asked in endpoint.asked:
        assert "foreign" not in str(asked.headers)
        assert not [name for name in asked.headers if name.startswith("openai-")]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"llm": {"model": "m"}}, "GRAPHMEM_LLM__API_KEY"),
        ({"embedding": {"model": "openai:e", "dimensions": 3}}, "GRAPHMEM_EMBEDDING__API_KEY"),
        ({"embedding": {"model": "openai:e", "base_url": "http://h"}}, "GRAPHMEM_EMBEDDING__DIMENSIONS is not set"),
        ({"embedding": {"base_url": "http://h", "dimensions": 3}}, "names no model of an endpoint"),
        ({"embedding": {"model": "openai:", "base_url": "http://h", "dimensions": 3}}, "names no model"),
    ],
)
def test_settings_that_cannot_work_are_refused_before_anything_is_asked(
    given: dict[str, Any], says: str, outside: list[object]
) -> None:
    with pytest.raises(ConfigurationError, match=says):
        Memory("t", settings=load_settings(neo4j={"uri": "bolt://127.0.0.1:9"}, **given))
    assert outside == []


def test_what_is_in_use_is_told_without_the_key(endpoint: Endpoint) -> None:
    assert described(load_settings().embedding, load_settings().llm) == (
        ("embedding", "bge-small-en-v1.5, on this machine"),
        ("llm", "none: lessons come from rules"),
    )
    given = load_settings(
        llm={"model": "m", "base_url": endpoint.address, "api_key": KEY}, embedding={"model": "openai:e"}
    )
    told = described(given.embedding, given.llm)
    assert told == (("embedding", f"e at {endpoint.address}/v1"), ("llm", f"m at {endpoint.address}/v1"))
    public = load_settings(llm={"model": "m", "api_key": KEY}, embedding={"model": "none"})
    assert described(public.embedding, public.llm) == (
        ("embedding", "none: recall by words alone"),
        ("llm", f"m at {OPENAI}"),
    )
    assert embedding_endpoint(public.embedding, public.llm) is None


def test_no_setting_is_no_model() -> None:
    for none in (None, "", "none"):
        assert make_llm(load_settings(llm={"model": none})) is None
    memory = Memory("t", settings=load_settings(neo4j={"uri": "bolt://127.0.0.1:9"}))
    with pytest.raises(ConfigurationError, match="GRAPHMEM_LLM__MODEL"):
        run(completed(), memory._answer)


def test_every_failure_is_one_of_ours(call: Call) -> None:
    with pytest.raises(GraphmemError):
        call(failing(403), well=False)
