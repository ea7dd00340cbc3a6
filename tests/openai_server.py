"""A server on this machine that speaks OpenAI's chat completions, with scripted answers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


@dataclass
class Server:
    """`answers` is used up from the front: a text to reply with, or (status, body)."""

    answers: list[str | tuple[int, dict[str, Any]]]
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    finish_reason: str = "stop"
    url: str = ""

    def answer(self) -> tuple[int, dict[str, Any]]:
        scripted = self.answers.pop(0)
        return (200, self._completion(scripted)) if isinstance(scripted, str) else scripted

    def _completion(self, text: str) -> dict[str, Any]:
        message = {"role": "assistant", "content": text}
        choice = {"index": 0, "message": message, "finish_reason": self.finish_reason}
        usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
        return {
            "id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage,
        }  # fmt: skip


@contextmanager
def serving(*answers: str | tuple[int, dict[str, Any]], finish_reason: str = "stop") -> Iterator[Server]:
    """The server, while the block runs."""
    script = Server(list(answers), finish_reason=finish_reason)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            script.requests.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            script.keys.append(self.headers["authorization"])
            status, body = script.answer()
            sent = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(sent)))
            self.end_headers()
            self.wfile.write(sent)

        def log_message(self, format: str, *args: Any) -> None:
            """Silence."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        script.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield script
        finally:
            server.shutdown()
            thread.join()
