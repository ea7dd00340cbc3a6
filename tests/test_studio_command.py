"""scrubjay studio: says where it serves, ends with Ctrl-C, and refuses before it starts."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from scrubjay.studio.cli import app
from scrubjay.studio.serving import CONFIG
from tests.langgraph_server import free_port, quiet, until_ready

SERVER = "langgraph_api"
STUDIO = [sys.executable, "-m", "scrubjay.studio.cli", "studio", "--no-browser", "--json"]


def studio(tmp_path: Path, *args: str) -> Result:
    store = str(tmp_path / "memory.db")
    return CliRunner().invoke(app, ["studio", "--store", store, *args], env={"SCRUBJAY_MODEL": "", "COLUMNS": "300"})


def test_without_the_extra_the_command_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, SERVER, None)
    result = studio(tmp_path)
    assert (result.exit_code, 'pip install "scrubjay[studio]"' in result.output) == (1, True)
    assert list(tmp_path.iterdir()) == []


def test_another_host_is_refused_unless_the_network_is_allowed(tmp_path: Path) -> None:
    result = studio(tmp_path, "--host", "0.0.0.0")
    assert (result.exit_code, "--allow-network" in result.output, list(tmp_path.iterdir())) == (2, True, [])


def test_a_port_that_is_taken_is_refused(tmp_path: Path) -> None:
    pytest.importorskip(SERVER)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        result = studio(tmp_path, "--port", str(taken.getsockname()[1]))
    assert (result.exit_code, "try another --port" in result.output, list(tmp_path.iterdir())) == (1, True, [])


def test_the_configuration_names_the_graphs_that_the_module_has() -> None:
    graphs = json.loads(CONFIG.read_text("utf-8"))["graphs"]
    assert {name: g["path"] for name, g in graphs.items()} == {
        name: f"scrubjay.studio.served:{name}" for name in ("write", "recall", "agent")
    }


def test_the_command_serves_where_it_says_and_ends_with_ctrl_c(tmp_path: Path) -> None:
    pytest.importorskip(SERVER)
    port, log = free_port(), tmp_path / "log"
    command = [*STUDIO, "--port", str(port), "--store", "other.db"]
    with log.open("w") as told, subprocess.Popen(
        command, cwd=tmp_path, env=quiet(tmp_path), stdout=subprocess.PIPE, stderr=told, text=True
    ) as process:  # fmt: skip
        try:
            until_ready(f"http://127.0.0.1:{port}", process, log)
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/info", timeout=30) as info:
                assert info.status == 200
            process.send_signal(signal.SIGINT)
            printed, _ = process.communicate(timeout=60)
        finally:
            process.kill()
    document = json.loads(printed)
    assert process.returncode == 130 and document["api"] == f"http://127.0.0.1:{port}"
    assert Path(document["store"]).exists() and "Traceback" not in log.read_text("utf-8")
