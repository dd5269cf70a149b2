"""A server on which Graph Data Science is not loaded: the job says so in a sentence, and recall works."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphmem import Memory, Settings
from graphmem.errors import ConfigurationError
from graphmem.jobs import centrality
from graphmem.scope import Scope
from graphmem.server import conf
from graphmem.server.halt import down
from graphmem.server.start import up
from graphmem.settings import load_settings
from tests.embedders import HashEmbedder
from tests.memories import ids, won


def test_without_gds_the_job_says_so_and_recall_works(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(conf._FIXED, "dbms.security.procedures.allowlist", "db.*,dbms.*,tx.*")
    own = load_settings(
        home=tmp_path, cache=settings.cache, instance="plain",
        server={"heap": "512m", "page_cache": "128m", "bolt_port": 0, "http_port": 0},
    )  # fmt: skip
    up(own)
    try:
        with Memory("acme", settings=own, embedder=HashEmbedder(name="hash")) as memory:
            memory.record(won("a", "rotate the key of the mailer"))
            with pytest.raises(ConfigurationError, match=r"^Graph Data Science is not installed on bolt://") as told:
                centrality(own, Scope("acme"))
            assert "\n" not in str(told.value)
            assert ids(memory.recall("rotate the key of the mailer")) == ["a"]
            assert memory.get("a").centrality is None
    finally:
        down(own)
