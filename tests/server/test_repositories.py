"""Where downloads come from."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphmem.errors import ConfigurationError
from graphmem.server.repositories import repositories, without_credentials
from graphmem.settings import load_settings

MAVEN = """<settings xmlns="urn:maven:settings"><mirrors>
  <mirror><id>other</id><mirrorOf>elsewhere</mirrorOf><url>https://other.example/maven</url></mirror>
  <mirror><id>corporate</id><mirrorOf>{of}</mirrorOf><url> https://mirror.example/maven/ </url></mirror>
</mirrors></settings>"""


def test_the_setting_outranks_mavens_mirror(tmp_path: Path) -> None:
    maven = tmp_path / "settings.xml"
    maven.write_text(MAVEN.format(of="*"))
    settings = load_settings(server={"repository": "https://mine.example/maven/"})
    assert repositories(settings, maven) == ("https://mine.example/maven",)


@pytest.mark.parametrize("of", ["central", "*", "external:*", "x, central", "*,!elsewhere"])
def test_mavens_mirror_is_used(tmp_path: Path, of: str) -> None:
    maven = tmp_path / "settings.xml"
    maven.write_text(MAVEN.format(of=of))
    assert repositories(load_settings(), maven) == ("https://mirror.example/maven",)


@pytest.mark.parametrize("of", ["elsewhere", "*,!central"])
def test_a_mirror_of_something_else_is_not(tmp_path: Path, of: str) -> None:
    maven = tmp_path / "settings.xml"
    maven.write_text(MAVEN.format(of=of))
    found = repositories(load_settings(), maven)
    assert found
    assert all(url.startswith("https://") and "example" not in url for url in found)


def test_a_repository_configured_for_the_maven_client_is_asked_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "jgo.conf"
    config.write_text("[repositories]\nours = https://ours.example/maven\n")
    monkeypatch.setenv("JGO_CONFIG_FILE", str(config))
    assert "https://ours.example/maven" in repositories(load_settings(), tmp_path / "none.xml")


def test_unreadable_maven_settings_are_named(tmp_path: Path) -> None:
    maven = tmp_path / "settings.xml"
    maven.write_text("<settings>")
    with pytest.raises(ConfigurationError, match=r"settings\.xml is not readable.*GRAPHMEM_SERVER__REPOSITORY"):
        repositories(load_settings(), maven)


def test_an_address_is_shown_without_its_credentials() -> None:
    assert without_credentials("https://me:pw@host:81/maven") == "https://host:81/maven"
