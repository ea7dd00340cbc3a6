"""`langgraph dev` on a free port of this machine, with a store of its own; it ends with the tests, whatever happens."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langgraph_sdk.client import SyncLangGraphClient, get_sync_client

from scrubjay.stores.records import Decision, Memory, Scope
from scrubjay.stores.sqlite import SqliteStore

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 120.0
"""seconds until a server that is up on no machine is given up"""
DEV = [sys.executable, "-m", "langgraph_cli", "dev", "--config", str(ROOT / "studio" / "langgraph.json")]


@dataclass(frozen=True)
class Server:
    """A running server, its client and the store that it writes to."""

    client: SyncLangGraphClient
    store: Path
    log: Path

    def thread(self) -> str:
        return str(self.client.threads.create()["thread_id"])

    def assistant(self, graph: str) -> str:
        """The default assistant of a graph."""
        return str(self.client.assistants.search(graph_id=graph)[0]["assistant_id"])

    def schemas(self, graph: str) -> dict[str, Any]:
        return dict(self.client.assistants.get_schemas(self.assistant(graph)))

    def write(self, text: str, user: str, thread: str | None = None, **asked: Any) -> str:
        """One write of one message, as far as its breakpoints let it; the thread that it ran on."""
        thread = thread or self.thread()
        self.client.runs.wait(thread, "write", input=said(text), context={"user_id": user}, **asked)
        return thread

    def go_on(self, thread: str, **asked: Any) -> Any:
        """Resume; what the run returns."""
        return self.client.runs.wait(thread, "write", input=None, **asked)

    def state(self, thread: str) -> Any:
        return self.client.threads.get_state(thread)

    def checkpoint_before(self, thread: str, node: str) -> str:
        steps = self.client.threads.get_history(thread, limit=50)
        return str(next(s for s in steps if s["next"] == [node])["checkpoint"]["checkpoint_id"])

    def memories(self, user: str) -> list[Memory]:
        """Active ones, oldest first, read from the file."""
        store = SqliteStore.open(self.store)
        try:
            return list(store.active(Scope(user, "")))
        finally:
            store.close()

    def texts(self, user: str) -> list[str]:
        return [m.text for m in self.memories(user)]

    def decisions(self, write_id: str) -> list[Decision]:
        store = SqliteStore.open(self.store)
        try:
            return list(store.decisions(write_id=write_id))
        finally:
            store.close()


def said(text: str) -> dict[str, Any]:
    """A message as Studio sends it."""
    return {"messages": [{"type": "human", "content": text, "id": f"message: {text}"}]}


@contextmanager
def serving(folder: Path) -> Iterator[Server]:
    """Up when it yields; raises AssertionError with the log for a server that does not come up."""
    port, log = free_port(), folder / "log"
    command = [*DEV, "--no-browser", "--no-reload", "--port", str(port)]
    with log.open("w") as out, running(command, folder, out) as process:
        url = f"http://127.0.0.1:{port}"
        until_ready(url, process, log)
        client = get_sync_client(url=url)
        try:
            yield Server(client, folder / "memory.db", log)
        finally:
            client.http.client.close()


@contextmanager
def running(command: list[str], folder: Path, out: Any) -> Iterator[subprocess.Popen[str]]:
    """A process in a group of its own: it and its children are gone afterwards."""
    process = subprocess.Popen(
        command, cwd=folder, stdout=out, stderr=subprocess.STDOUT, env=quiet(folder), start_new_session=True, text=True
    )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def quiet(folder: Path) -> dict[str, str]:
    """No key, no call home, a store in the folder."""
    kept = {
        k: v for k, v in os.environ.items() if not k.startswith(("OPENAI_", "SCRUBJAY_", "LANGSMITH_", "LANGCHAIN_"))
    }
    return {
        **kept, "SCRUBJAY_STORE": str(folder / "memory.db"), "SCRUBJAY_MODEL": "rules", "LANGSMITH_TRACING": "false",
        "LANGGRAPH_CLI_NO_ANALYTICS": "1", "LANGGRAPH_NO_VERSION_CHECK": "true",
    }  # fmt: skip


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def until_ready(url: str, process: subprocess.Popen[str], log: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while not answers(f"{url}/ok"):
        if process.poll() is not None or time.monotonic() > deadline:
            raise AssertionError(f"the server did not come up ({process.poll()}):\n{log.read_text('utf-8')}")
        time.sleep(0.1)


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as reply:
            return bool(reply.status == 200)
    except (urllib.error.URLError, ConnectionError, TimeoutError):
        return False
