"""Serving the graphs with `langgraph dev`. Settings reach the served module by environment variables."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from scrubjay.stores.errors import InvalidInput, MissingExtra

CONFIG = Path(__file__).with_name("langgraph.json")
QUIET = {
    "LANGSMITH_TRACING": "false",
    "LANGGRAPH_CLI_NO_ANALYTICS": "1",
    "LANGGRAPH_NO_VERSION_CHECK": "true",
}
"""what keeps the server from calling home; whoever sets these otherwise is obeyed"""
LOCAL = ("127.0.0.1", "localhost")
PAGE = "https://smith.langchain.com/studio/?baseUrl="


@dataclass(frozen=True)
class Served:
    """Where the server listens, and what it hands to the graphs."""

    host: str
    port: int
    settings: Mapping[str, str | None]
    """STORE, MODEL … as SCRUBJAY_STORE, SCRUBJAY_MODEL …; None leaves a variable out"""

    @property
    def api(self) -> str:
        return f"http://{self.host}:{self.port}"

    @property
    def page(self) -> str:
        """Hosted by LangChain: the browser needs a network, and talks to the API from there."""
        return f"{PAGE}{self.api}"

    @property
    def local(self) -> bool:
        return self.host in LOCAL

    def must_be_free(self) -> None:
        """Raises InvalidInput for a port that is taken: the server would silently choose another one."""
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((self.host, self.port))
            except OSError as error:
                raise InvalidInput(f"{self.host}:{self.port} cannot be used ({error}): try another --port") from None

    @property
    def environment(self) -> dict[str, str]:
        named = {f"SCRUBJAY_{name}": value for name, value in self.settings.items() if value}
        return {**QUIET, **os.environ, **named}


def setting(name: str) -> str | None:
    """SCRUBJAY_STORE, SCRUBJAY_MODEL, …; blank is not set."""
    return os.environ.get(f"SCRUBJAY_{name}", "").strip() or None


def must_be_installed() -> None:
    """Raises MissingExtra without LangGraph's command line and its server."""
    for package in ("langgraph_cli", "langgraph_api", "langgraph_runtime_inmem"):
        if find_spec(package) is None:
            raise MissingExtra("studio", package)


def serve(served: Served, *, browser: bool) -> None:
    """Runs until Ctrl-C, in this process, so that whoever ends it ends the server; its log goes to standard error."""
    os.environ.update(served.environment)
    sys.stdout.flush()
    given = ["dev", "--config", str(CONFIG), "--host", served.host, "--port", str(served.port), "--no-reload"]
    with redirect_stdout(sys.stderr):
        import_module("langgraph_cli.cli").cli(
            given + ([] if browser else ["--no-browser"]), prog_name="langgraph", standalone_mode=False
        )
    raise KeyboardInterrupt  # the server ends by itself only when it was interrupted, and then returns
