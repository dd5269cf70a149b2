"""A Maven repository on 127.0.0.1 that can misbehave."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler

from graphmem.server.lock import Artifact, Part


@dataclass
class Repository:
    """Files by path. `faults` are used up one a request: a status, 'drop', 'whole' (ignores Range) or 'unmeasured'."""

    port: int = 0
    files: dict[str, bytes] = field(default_factory=dict)
    faults: dict[str, list[int | str]] = field(default_factory=lambda: defaultdict(list))
    requests: list[tuple[str, str | None]] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/maven/mirror"

    def publish(self, part: Part, coordinates: str, content: bytes, served: bytes | None = None) -> Artifact:
        """Lock `content`, serve it, or `served` in its place."""
        artifact = Artifact(part, coordinates, len(content), hashlib.sha256(content).hexdigest())
        self.files[artifact.repository_path] = content if served is None else served
        return artifact


def handler(repository: Repository) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            asked = self.headers.get("Range")
            path = self.path.rpartition("/maven/mirror/")[2]
            repository.requests.append((path, asked))
            fault = repository.faults[path].pop(0) if repository.faults[path] else None
            content = repository.files.get(path)
            if isinstance(fault, int) or content is None:
                self.send_response(fault if isinstance(fault, int) else 404)
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            start = int(asked.removeprefix("bytes=").rstrip("-")) if asked and fault != "whole" else 0
            self.send_response(206 if start else 200)
            if start:
                self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
            if fault == "unmeasured":
                self.send_header("Connection", "close")
            else:
                self.send_header("Content-Length", str(len(content) - start))
            self.end_headers()
            rest = content[start:]
            self.wfile.write(rest[: len(rest) // 2] if fault == "drop" else rest)
            self.close_connection = fault in ("drop", "unmeasured")

        def log_message(self, *parts: object) -> None:
            """Keep the test's output clean."""

    return Handler
