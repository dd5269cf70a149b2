"""The command line as users have it: arguments, an environment and streams in, output and an exit code out.

`Shell` runs a process, as users do; `Inside` runs the same entry point in this process, which starts in no time.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import pytest

from graphmem import Settings
from graphmem.cli import main
from graphmem.settings import Connection

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "graphmem"]


def clean(**given: str) -> dict[str, str]:
    """The environment without any setting of graphmem but the given ones."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GRAPHMEM_")}
    return kept | {"PYTHONPATH": str(ROOT), "NO_COLOR": ""} | given


def environment(settings: Settings, at: Connection, tenant: str) -> dict[str, str]:
    """What a shell needs to work with this run's server as one tenant."""
    assert at.password is not None
    return clean(
        GRAPHMEM_TENANT=tenant,
        GRAPHMEM_CACHE=str(settings.cache),
        GRAPHMEM_OUTBOX__PATH=str(settings.outbox_path),
        GRAPHMEM_NEO4J__URI=at.uri,
        GRAPHMEM_NEO4J__USER=at.user,
        GRAPHMEM_NEO4J__PASSWORD=at.password.get_secret_value(),
    )


def strict(text: str) -> Any:
    """Read JSON; what only Python takes for JSON is refused."""

    def refuse(constant: str) -> NoReturn:
        raise ValueError(f"{constant} is no JSON")

    return json.loads(text, parse_constant=refuse)


@dataclass(frozen=True)
class Ran:
    """What a command printed, and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What a command that did its work printed."""
        assert self.code == 0, self.err
        return strict(self.out)

    @property
    def refusal(self) -> str:
        """The one line in which a command said why it did nothing."""
        assert self.code == 1, (self.code, self.out, self.err)
        assert self.err.startswith("graphmem: "), self.err
        assert self.err.count("\n") == 1, self.err
        return self.err.removeprefix("graphmem: ").rstrip("\n")


@dataclass(frozen=True)
class Shell:
    """Runs `graphmem` as a process, in an environment."""

    env: dict[str, str] = field(repr=False)

    def __call__(self, *arguments: str | Path, stdin: str | bytes = b"", **more: str) -> Ran:
        ran = subprocess.run(
            [*COMMAND, *map(str, arguments)],
            input=_bytes(stdin),
            env=self.env | more,
            capture_output=True,
            check=False,
            timeout=120,
        )
        return Ran(ran.returncode, ran.stdout.decode("utf-8"), ran.stderr.decode("utf-8"))


@dataclass(frozen=True)
class Inside:
    """Runs the entry point of `graphmem` in this process, in an environment."""

    env: dict[str, str] = field(repr=False)

    def __call__(self, *arguments: str | Path, stdin: str | bytes = b"", **more: str) -> Ran:
        streams = {name: io.TextIOWrapper(io.BytesIO(), "ascii") for name in ("stdout", "stderr")}
        streams["stdin"] = io.TextIOWrapper(io.BytesIO(_bytes(stdin)), "ascii")
        with pytest.MonkeyPatch.context() as patch:
            for name in os.environ:
                patch.delenv(name)
            for name, value in (self.env | more).items():
                patch.setenv(name, value)
            for name, stream in streams.items():
                patch.setattr(sys, name, stream)
            patch.setattr(sys, "argv", ["graphmem", *map(str, arguments)])
            with pytest.raises(SystemExit) as ended:
                main()
        code = ended.value.code
        assert isinstance(code, int)
        return Ran(code, *(_text(streams[name]) for name in ("stdout", "stderr")))


def _bytes(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    written = stream.buffer
    assert isinstance(written, io.BytesIO)
    return written.getvalue().decode("utf-8")
