"""A real HTTP endpoint that speaks the OpenAI protocol, answers by a script and keeps what it was asked."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

from tests.embedders import HashEmbedder

CHAT = "/v1/chat/completions"
VECTORS = "/v1/embeddings"


@dataclass(frozen=True)
class Asked:
    """One request: its path, its headers by lower-case name, its JSON."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def system(self) -> str:
        """What stands in the system's role."""
        return self._said("system")

    @property
    def user(self) -> str:
        """What stands in the user's message."""
        return self._said("user")

    def _said(self, role: str) -> str:
        return "\n".join(message["content"] for message in self.body["messages"] if message["role"] == role)


@dataclass(frozen=True)
class Answer:
    """One response; a body of bytes is sent as it is. Without a status the line is cut; `wait` holds it back."""

    status: int | None = 200
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    wait: threading.Event | None = None


Script = Callable[[Asked], Answer]


def said(text: Any, finish: str = "stop", refusal: str | None = None, tokens: tuple[int, int] = (11, 7)) -> Answer:
    """A completion; what is no text is sent as its JSON."""
    content = text if isinstance(text, str) or text is None else json.dumps(text)
    message = {"role": "assistant", "content": content, "refusal": refusal}
    return Answer(
        body={
            "id": "c", "object": "chat.completion", "created": 1, "model": "served-1",
            "choices": [{"index": 0, "message": message, "finish_reason": finish}],
            "usage": {"prompt_tokens": tokens[0], "completion_tokens": tokens[1], "total_tokens": sum(tokens)},
        }
    )  # fmt: skip


def vectors(asked: Asked) -> Answer:
    """A vector for each text, of hashed words."""
    found = HashEmbedder(asked.body.get("dimensions", 384)).embed(asked.body["input"])
    rows = [{"object": "embedding", "index": place, "embedding": list(row)} for place, row in enumerate(found)]
    return Answer(body={"object": "list", "model": "served-1", "data": rows[::-1], "usage": {}})


def failing(status: int, message: str = "no", code: str | None = None, **headers: str) -> Answer:
    """An error as the protocol words it; headers are given with underscores."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status, {"error": {"message": message, "type": code, "code": code, "param": None}}, named)


class Endpoint:
    """The endpoint; chat is answered by the script, in order and then by its last answer, embeddings by hashed words.

    `script` is a list of answers, or a function of what was asked. With `everywhere` it answers embeddings as well.
    """

    def __init__(self, script: Iterable[Answer] | Script = (), everywhere: bool = False) -> None:
        self.asked: list[Asked] = []
        self.play(script, everywhere)
        self._guard = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def address(self) -> str:
        """Without a path."""
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def chats(self) -> list[Asked]:
        """What was asked of the language model."""
        return [one for one in self.asked if one.path == CHAT]

    def play(self, script: Iterable[Answer] | Script, everywhere: bool = False) -> None:
        """Begin another script."""
        self._script = script if callable(script) else list(script)
        self._everywhere = everywhere

    def __enter__(self) -> Endpoint:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _answer(self, asked: Asked) -> Answer:
        with self._guard:
            self.asked.append(asked)
            if asked.path == VECTORS and not self._everywhere:
                return vectors(asked)
            if asked.path not in (CHAT, VECTORS):
                return failing(404, f"no such path: {asked.path}")
            if callable(self._script):
                return self._script(asked)
            if not self._script:
                return failing(500, "nothing is left in the script")
            return self._script.pop(0) if len(self._script) > 1 else self._script[0]

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                sent = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                answer = endpoint._answer(Asked(self.path, headers, json.loads(sent)))
                if answer.wait is not None:
                    answer.wait.wait(10)
                if answer.status is None:
                    self.close_connection = True
                    return
                raw = isinstance(answer.body, bytes)
                body = answer.body if raw else json.dumps(answer.body).encode()
                with contextlib.suppress(ConnectionError):  # who asked may not have waited
                    self.send_response(answer.status)
                    for name, value in {"Content-Type": "application/json", **answer.headers}.items():
                        self.send_header(name, value)
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)

            def log_message(self, *arguments: object) -> None:
                """Be quiet."""

        return Handler
