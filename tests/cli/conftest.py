from __future__ import annotations

import pytest

from graphmem import Settings
from graphmem.settings import Connection
from tests.cli.shell import Inside, Shell, environment


@pytest.fixture
def shell(settings: Settings, at: Connection, tenant: str) -> Shell:
    """The command line as a process, for this test's tenant."""
    return Shell(environment(settings, at, tenant))


@pytest.fixture
def graphmem(shell: Shell) -> Inside:
    """The same command line in this process."""
    return Inside(shell.env)


@pytest.fixture
def wordy(graphmem: Inside) -> Inside:
    """The command line without an embedding model, where vectors do not matter."""
    return Inside(graphmem.env | {"GRAPHMEM_EMBEDDING__MODEL": "none"})
