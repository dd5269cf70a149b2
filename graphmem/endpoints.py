"""Endpoints: of models that speak the OpenAI protocol, and at which address each is asked; of the server of tools."""

from __future__ import annotations

import re
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, SecretStr

from graphmem.errors import ConfigurationError

OPENAI = "https://api.openai.com/v1"
OFFLINE = "bge-small-en-v1.5"
NONE = "none"
_PREFIX = "openai:"


def _some(value: object) -> object:
    return None if isinstance(value, str) and not value.strip() else value


def _base_url(given: str) -> str:
    """The address without a slash at its end; one without any path is given the usual ``/v1``."""
    parts = urlsplit(given.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("must be the http:// or https:// address of an OpenAI-compatible endpoint")
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise ValueError("must have no user, password, query or fragment; a key has a setting of its own")
    _ = parts.port  # raises ValueError when it is no number
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/') or '/v1'}"


def _api_key(given: SecretStr) -> SecretStr:
    key = given.get_secret_value().strip()  # a key that was read from a file ends with a line break
    if not re.fullmatch(r"[!-~]+", key):
        raise ValueError("must be printable ASCII without blanks")
    return SecretStr(key)


BaseUrl = Annotated[Annotated[str, AfterValidator(_base_url)] | None, BeforeValidator(_some)]
ApiKey = Annotated[Annotated[SecretStr, AfterValidator(_api_key)] | None, BeforeValidator(_some)]


class Section(BaseModel):
    """A group of settings; what was given is never repeated in an error, since it may be a key."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class EmbeddingSettings(Section):
    """Which model turns text into vectors.

    An endpoint's model is asked at `base_url`, else at the language model's, else at OpenAI's. Without a key of its own
    it uses the language model's, but only if both are at the same address. How long to wait and how often to ask are
    the language model's settings.
    """

    model: str = Field(
        OFFLINE,
        description="'bge-small-en-v1.5' (offline), 'none' (lexical recall only), 'openai:NAME' for a model of an "
        "OpenAI-compatible endpoint; with a base_url NAME alone will do",
    )
    threads: int = Field(2, ge=1, le=64, description="CPU threads of the offline model")
    base_url: BaseUrl = Field(None, description="address of the endpoint; without a path, /v1 is added")
    api_key: ApiKey = Field(None, description="its key, if it wants one")
    dimensions: int | None = Field(None, ge=1, le=4096, description="numbers in a vector of the endpoint's model")
    max_tokens: int = Field(512, ge=8, description="longest text that the endpoint's model takes at once")


class LlmSettings(Section):
    """Which language model reflects, if any; `timeout`, `attempts` and `retry_cap` hold for embeddings too.

    The variables of OpenAI's own tools (``OPENAI_BASE_URL``, ``OPENAI_API_KEY``, …) are not read.
    """

    model: Annotated[str | None, BeforeValidator(_some)] = Field(
        None, description="name of the model at the endpoint; none: lessons come from rules"
    )
    base_url: BaseUrl = Field(
        None,
        description="address of an OpenAI-compatible endpoint, OpenAI's if not given; without a path, /v1 is added",
    )
    api_key: ApiKey = Field(None, description="its key, if it wants one")
    timeout: float = Field(60.0, gt=0, description="seconds to wait for one answer")
    attempts: int = Field(5, ge=1, le=20, description="most requests for one answer, the first included")
    retry_cap: float = Field(
        60.0, ge=0, description="longest wait in seconds between two requests; told to wait longer, graphmem gives up"
    )
    data_tokens: int = Field(
        12_000, ge=500, description="most tokens of memories in one prompt, at four characters each"
    )
    prompt_price: float = Field(0.0, ge=0, description="price of a million tokens that the model reads, for the cost")
    completion_price: float = Field(0.0, ge=0, description="price of a million tokens that the model writes")

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float:
        """What so many tokens cost, in the currency of the prices."""
        return (prompt_tokens * self.prompt_price + completion_tokens * self.completion_price) / 1_000_000


class Endpoint(Section):
    """One model at one address, and how patiently it is asked."""

    model: str
    base_url: str
    api_key: SecretStr | None = None
    timeout: float
    attempts: int
    retry_cap: float


def chat_endpoint(llm: LlmSettings) -> Endpoint | None:
    """Where the language model is asked; None without one.

    Raises ConfigurationError when OpenAI's own address is left without a key.
    """
    if llm.model is None or llm.model == NONE:
        return None
    return _endpoint("LLM", llm.model, llm.base_url or OPENAI, llm.api_key, llm)


def embedding_endpoint(embedding: EmbeddingSettings, llm: LlmSettings) -> Endpoint | None:
    """Where the embedding model is asked; None when it is the offline one, or none.

    Raises ConfigurationError when the settings contradict themselves, or leave OpenAI's own address without a key.
    """
    named = embedding.model.startswith(_PREFIX)
    if embedding.model == NONE or not (named or embedding.base_url):
        return None
    model = embedding.model.removeprefix(_PREFIX)
    if not model or embedding.model == OFFLINE:
        raise ConfigurationError(
            f"GRAPHMEM_EMBEDDING__MODEL is {embedding.model!r}, which names no model of an endpoint; "
            "set it to 'openai:NAME', or unset GRAPHMEM_EMBEDDING__BASE_URL"
        )
    at = embedding.base_url or llm.base_url or OPENAI
    shared = llm.api_key if at == (llm.base_url or OPENAI) else None  # a key goes to no address but its own
    return _endpoint("EMBEDDING", model, at, embedding.api_key or shared, llm)


def described(embedding: EmbeddingSettings, llm: LlmSettings) -> tuple[tuple[str, str], ...]:
    """The two models in use and where each is asked, for people; keys are not shown.

    Raises ConfigurationError as the endpoints do.
    """
    vectors, chat = embedding_endpoint(embedding, llm), chat_endpoint(llm)
    return (
        ("embedding", f"{vectors.model} at {vectors.base_url}" if vectors else _at_home(embedding)),
        ("llm", f"{chat.model} at {chat.base_url}" if chat else "none: lessons come from rules"),
    )


def _at_home(embedding: EmbeddingSettings) -> str:
    return "none: recall by words alone" if embedding.model == NONE else f"{embedding.model}, on this machine"


def _endpoint(section: str, model: str, base_url: str, api_key: SecretStr | None, llm: LlmSettings) -> Endpoint:
    if base_url == OPENAI and api_key is None:
        raise ConfigurationError(
            f"model '{model}' would be asked at {OPENAI}, which wants a key: set GRAPHMEM_{section}__API_KEY, "
            f"or GRAPHMEM_{section}__BASE_URL for another endpoint"
        )
    return Endpoint(
        model=model,
        base_url=base_url,
        api_key=api_key,
        timeout=llm.timeout,
        attempts=llm.attempts,
        retry_cap=llm.retry_cap,
    )


class McpSettings(Section):
    """Who may reach `graphmem mcp --http`, and under which names."""

    token: ApiKey = Field(None, description="what clients must show; at least 32 characters, and none over stdio")
    hosts: tuple[str, ...] = Field(
        (), max_length=100, description="names under which it is reached, beside localhost and its address"
    )
