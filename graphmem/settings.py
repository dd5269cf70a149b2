"""Settings, read from ``GRAPHMEM_*`` or given as arguments; the only module that reads the environment.

Arguments outrank the environment. Nested settings are joined by two underscores: ``GRAPHMEM_NEO4J__URI``.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated, Literal

import platformdirs
from pydantic import (
    AliasChoices,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    StringConstraints,
    ValidationError,
)
from pydantic_settings import BaseSettings, SettingsConfigDict, SettingsError

from graphmem.endpoints import EmbeddingSettings, LlmSettings, McpSettings, Section
from graphmem.errors import ConfigurationError, StoreUnavailable
from graphmem.policies import (
    CentralitySettings,
    ConsolidationSettings,
    OutboxSettings,
    RedactionSettings,
    RetentionSettings,
    ScheduleSettings,
)

NOWHERE = "bolt://127.0.0.1:0"  # an address at which nobody can answer
_SIZE = r"^[1-9][0-9]*[kmg]$"
LogLevel = Annotated[
    Literal["debug", "info", "warning", "error"], BeforeValidator(lambda said: str(said).strip().lower())
]
InstanceName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,30}$")]


class Neo4jSettings(Section):
    """Where the database is; without a URI the private server of `graphmem up` is used."""

    uri: str | None = Field(None, description="bolt://, neo4j:// or neo4j+s:// address of a Neo4j 2026.08 or newer")
    user: str = Field("neo4j", description="database account")
    password: SecretStr | None = Field(None, description="its password; no password means no authentication")
    database: str | None = Field(None, description="database name; the account's home database if not given")
    timeout: float = Field(15.0, gt=0, description="seconds to wait for a connection, and for retries in all")


class FulltextSettings(Section):
    """How the full-text index splits text into words."""

    analyzer: str = Field("cjk", description="a Neo4j full-text analyzer; 'cjk' also splits text without spaces")


class Weights(Section):
    """The weights of the rerank, each at least 0 (S = Σ weight · component, false_hit subtracted)."""

    semantic: float = Field(1.0, ge=0)
    outcome: float = Field(0.08, ge=0)
    recency: float = Field(0.05, ge=0)
    specificity: float = Field(0.10, ge=0)
    false_hit: float = Field(0.5, ge=0)
    centrality: float = Field(0.05, ge=0)
    lexical: float = Field(0.25, ge=0)


class RecallSettings(Section):
    """How recall searches, scores and decides."""

    weights: Weights = Weights()
    threshold: float | None = Field(
        None, ge=0, le=1, description="θ, the least relevance of a hit; the embedder's if not given"
    )
    band: float = Field(0.05, ge=0, le=1, description="δ: from θ up to θ + δ the decision is 'verify'")
    vector_candidates: int = Field(60, ge=1, le=1000, description="nearest neighbours fetched from the vector index")
    text_candidates: int = Field(20, ge=1, le=1000, description="matches fetched from the full-text index")
    seeds: int = Field(5, ge=0, le=100, description="best candidates whose neighbourhood is expanded")
    fanout: int = Field(10, ge=0, le=1000, description="neighbours looked at per expanded memory and hop")
    neighbours: int = Field(30, ge=0, le=1000, description="neighbours kept per hop")
    shown: int = Field(20, ge=1, le=1000, description="candidates of the ranking that an answer holds")
    half_life_days: float = Field(90.0, gt=0, description="age in days at which the recency component is 0.5")
    prior: float = Field(2.0, gt=0, description="how many uses the outcome of a memory itself counts for")
    lexical_half: float = Field(20.0, gt=0, description="c in lexical = bm25 / (bm25 + c)")
    context_floor: float = Field(0.60, ge=-1, lt=1, description="c₀: below this cosine two contexts share no false hit")
    context_close: float = Field(0.92, ge=-1, le=1, description="from this cosine on two contexts are one")
    context_margin: float = Field(
        0.02, gt=0, le=1, description="how much nearer to a memory than to where it misled a question must be"
    )
    zero_shot_attempts: int = Field(3, ge=1, le=100, description="attempts granted when nothing fits")


class ServerSettings(Section):
    """The private Neo4j of `graphmem up`; a change takes effect at its next start."""

    heap: str = Field("1g", pattern=_SIZE, description="Java heap of the server, such as 512m or 2g")
    page_cache: str = Field(
        "512m", pattern=_SIZE, description="memory that caches the store's files, such as 512m or 2g"
    )
    bolt_port: int = Field(
        7687, ge=0, le=65535, description="wanted Bolt port; another if it is taken, any free one for 0"
    )
    http_port: int = Field(
        7474, ge=0, le=65535, description="wanted Browser port; another if it is taken, any free one for 0"
    )
    start_timeout: float = Field(180.0, gt=0, description="seconds to wait until the server answers")
    repository: str | None = Field(
        None,
        pattern=r"^https?://",
        description="Maven repository to download from; the public one, or its mirror, if not given",
    )


class Settings(BaseSettings):
    """All settings of one client."""

    model_config = SettingsConfigDict(
        env_prefix="GRAPHMEM_",
        env_nested_delimiter="__",
        frozen=True,
        extra="ignore",
        hide_input_in_errors=True,
        nested_model_default_partial_update=True,
    )

    tenant: str | None = Field(None, description="the tenant whose memories are used")
    user: str | None = Field(None, description="one of the tenant's users; none means what the tenant shares")
    home: Path = Field(
        default_factory=lambda: platformdirs.user_data_path("graphmem", appauthor=False),
        description="state of the private server",
    )
    cache: Path = Field(
        default_factory=lambda: platformdirs.user_cache_path("graphmem", appauthor=False),
        description="downloads, safe to delete",
    )
    java_home: Path | None = Field(
        None,
        validation_alias=AliasChoices("GRAPHMEM_JAVA_HOME", "java_home"),
        description="a Java for the private server; JAVA_HOME is honoured too, and one that is too old is passed over",
    )
    instance: InstanceName = Field("default", description="which private server")
    log: LogLevel | None = Field(
        None, description="what the command line logs on stderr: debug, info, warning or error; nothing if not given"
    )
    neo4j: Neo4jSettings = Neo4jSettings()
    embedding: EmbeddingSettings = EmbeddingSettings()
    llm: LlmSettings = LlmSettings()
    redaction: RedactionSettings = RedactionSettings()
    consolidation: ConsolidationSettings = ConsolidationSettings()
    retention: RetentionSettings = RetentionSettings()
    centrality: CentralitySettings = CentralitySettings()
    schedule: ScheduleSettings = ScheduleSettings()
    outbox: OutboxSettings = OutboxSettings()
    receipt_days: float = Field(365.0, gt=0, description="days after which the receipt of a recall expires")
    fulltext: FulltextSettings = FulltextSettings()
    recall: RecallSettings = RecallSettings()
    server: ServerSettings = ServerSettings()
    mcp: McpSettings = McpSettings()

    @property
    def outbox_path(self) -> Path:
        """The file of the outbox."""
        return (self.outbox.path or self.home / "outbox.sqlite").expanduser().absolute()

    @property
    def instance_home(self) -> Path:
        """The folder of the private server named by `instance`."""
        return self.home / "instances" / self.instance


class Connection(BaseModel):
    """How to reach one database. The private server writes it as ``connection.json`` (mode 0600) while it runs.

    `down` names that file where the private server does not run: nobody is to be asked until it is there again.
    """

    model_config = ConfigDict(frozen=True)

    uri: str
    user: str
    password: SecretStr | None = None
    database: str | None = None
    browser: str | None = None
    origin: Literal["settings", "private server"] = "settings"
    down: Path | None = None

    def now(self) -> Connection:
        """This one, or where a private server that was down runs by now. Raises StoreUnavailable while it does not."""
        if self.down is None:
            return self
        if not self.down.exists():
            raise StoreUnavailable(f"the private server '{self.down.parent.name}' does not run; run 'graphmem up'")
        return _written(self.down, self.database)


def child_environment(**added: str) -> dict[str, str]:
    """The environment for a program that graphmem starts."""
    return os.environ | added


def load_settings(**given: object) -> Settings:
    """Read the settings, `given` outranking the environment.

    Raises ConfigurationError that names the faulty setting.
    """
    try:
        return Settings(**given)  # type: ignore[arg-type]  # pydantic checks them
    except ValidationError as error:
        first = error.errors()[0]
        where = "GRAPHMEM_" + "__".join(str(part) for part in first["loc"]).upper()
        why = first["msg"].removeprefix("Value error, ")
        raise ConfigurationError(f"setting {where} is not usable: {why}") from error
    except SettingsError as error:
        told = str(error).split(" from source")[0]
        raise ConfigurationError(f"{told}: a setting of several values is written as JSON") from error


def connection(settings: Settings) -> Connection:
    """Where the database of these settings is: the given URI, else the private server's.

    One that does not run now is told as `down`. Raises ConfigurationError when there is neither.
    """
    neo4j = settings.neo4j
    if neo4j.uri is not None:
        return Connection(uri=neo4j.uri, user=neo4j.user, password=neo4j.password, database=neo4j.database)
    path = settings.instance_home / "connection.json"
    if path.exists():
        return _written(path, neo4j.database)
    if not (settings.instance_home / "password").exists():
        raise ConfigurationError(
            f"no database: GRAPHMEM_NEO4J__URI is not set and no private server '{settings.instance}' was started; "
            "run 'graphmem up', or set the address"
        )
    return Connection(uri=NOWHERE, user="", database=neo4j.database, origin="private server", down=path)


def _written(path: Path, database: str | None) -> Connection:
    try:
        written = Connection.model_validate(json.loads(path.read_text("utf-8")))
    except (ValueError, OSError) as error:
        raise ConfigurationError(f"{path} is damaged; run 'graphmem up' to write it again") from error
    return written.model_copy(update={"database": database or written.database, "origin": "private server"})
