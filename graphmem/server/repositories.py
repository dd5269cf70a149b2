"""Which Maven repositories artifacts come from: the setting, else Maven's mirror, else what jgo knows."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit
from xml.etree import ElementTree

from graphmem.errors import ConfigurationError
from graphmem.server.optional import require
from graphmem.settings import Settings


def repositories(settings: Settings, maven_settings: Path | None = None) -> tuple[str, ...]:
    """The repositories to ask, in order. `maven_settings` defaults to ``~/.m2/settings.xml``."""
    if settings.server.repository:
        return (settings.server.repository.rstrip("/"),)
    mirror = _mirror(maven_settings or Path.home() / ".m2" / "settings.xml")
    if mirror:
        return (mirror.rstrip("/"),)
    known = require("jgo.maven").MavenContext().remote_repos | require("jgo.config").GlobalSettings.load().repositories
    return tuple(url.rstrip("/") for url in known.values())


def without_credentials(url: str) -> str:
    """The address as it may be shown: user and password taken out."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


def _mirror(path: Path) -> str | None:
    """The mirror of the public repository that Maven's own settings name."""
    try:
        root = ElementTree.parse(path).getroot()  # noqa: S314 - the user's own file
    except FileNotFoundError:
        return None
    except (ElementTree.ParseError, OSError) as error:
        raise ConfigurationError(
            f"{path} is not readable ({error}); mend it, or set GRAPHMEM_SERVER__REPOSITORY"
        ) from error
    for mirror in root.iterfind("{*}mirrors/{*}mirror"):
        patterns = {pattern.strip() for pattern in mirror.findtext("{*}mirrorOf", "").split(",")}
        if patterns & {"*", "external:*", "central"} and "!central" not in patterns:
            return mirror.findtext("{*}url", "").strip() or None
    return None
