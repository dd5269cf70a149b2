"""One private server by name: its folder and what is in it."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pydantic import SecretStr

from graphmem.errors import ServerError
from graphmem.server.optional import require
from graphmem.server.ports import Ports
from graphmem.settings import Connection, Settings

USER = "neo4j"
DATABASE = "neo4j"  # the one database of the Community edition


@dataclass(frozen=True, slots=True)
class Instance:
    """The folder of one private server; only its owner can read it."""

    home: Path
    name: str

    @property
    def conf(self) -> Path:
        """Neo4j's configuration, written anew at every start."""
        return self.home / "conf" / "neo4j.conf"

    @property
    def log(self) -> Path:
        """What the server prints, since its last start; `logs` has Neo4j's own files too."""
        return self.home / "logs" / "console.log"

    @property
    def data(self) -> Path:
        """The databases."""
        return self.home / "data"

    @property
    def password_file(self) -> Path:
        """The password of the account `neo4j`, mode 0600."""
        return self.home / "password"

    @property
    def connection_file(self) -> Path:
        """How clients reach it while it runs, mode 0600."""
        return self.home / "connection.json"

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Nobody else starts or stops this instance meanwhile; the folder exists."""
        try:
            self.home.mkdir(parents=True, exist_ok=True, mode=0o700)
            (self.home / "logs").mkdir(exist_ok=True)
            self.conf.parent.mkdir(exist_ok=True)
            lock = require("filelock").FileLock(self.home / "instance.lock")
            with lock:
                yield
        except PermissionError as error:
            raise ServerError(f"{error.filename} cannot be written; make it writable, or set GRAPHMEM_HOME") from error

    def started_before(self) -> bool:
        """Whether it has databases."""
        return (self.data / "databases").is_dir()

    def password(self) -> str:
        """The password, made up at the first call. Raises ServerError when the databases' password is lost."""
        try:
            return self.password_file.read_text("utf-8")
        except FileNotFoundError as error:
            if self.started_before():
                raise ServerError(
                    f"{self.password_file} is gone, and without it the databases in {self.data} cannot be opened; "
                    "put it back, or move the folder away to begin anew"
                ) from error
        write_private(self.password_file, secrets.token_hex(24))
        return self.password_file.read_text("utf-8")

    def ports(self) -> Ports | None:
        """The ports of its last start, which neo4j.conf keeps; None if it never started."""
        try:
            text = self.conf.read_text("utf-8")
        except (FileNotFoundError, NotADirectoryError):
            return None
        found = dict(re.findall(r"^server\.(bolt|http)\.listen_address=.*:(\d+)$", text, re.MULTILINE))
        return Ports(int(found["bolt"]), int(found["http"])) if len(found) == 2 else None

    def connection(self, ports: Ports) -> Connection:
        """How to reach it on these ports."""
        return Connection(
            uri=f"bolt://127.0.0.1:{ports.bolt}",
            user=USER,
            password=SecretStr(self.password()),
            browser=f"http://127.0.0.1:{ports.http}/browser/",
            origin="private server",
        )


def instance_of(settings: Settings) -> Instance:
    """The instance that the settings name; its folder need not exist."""
    return Instance(settings.instance_home.resolve(), settings.instance)


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner can read, all of it or nothing."""
    draft = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
