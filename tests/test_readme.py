"""README tells the truth: its session is what the command prints, its Python runs, its diagram is the graph."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scrubjay import Memory

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")
MEMORY_ID = re.compile(r"m_[0-9a-z]+_\d+")


def block(language: str, number: int = 0) -> str:
    """The text of a fenced block."""
    found: list[str] = re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)
    return found[number]


def test_the_session_is_what_the_command_prints() -> None:
    command, _, printed = block("console").partition("\n")
    arguments = shlex.split(command.removeprefix("$ "))[1:]
    program = str(Path(sys.executable).with_name("scrubjay"))
    wide = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "SCRUBJAY_MODEL", "SCRUBJAY_STORE")}
    run = subprocess.run([program, *arguments], capture_output=True, text=True, check=True, env=wide)
    assert MEMORY_ID.sub("m_", run.stdout.strip()) == MEMORY_ID.sub("m_", printed.strip())


def test_the_python_example_runs_without_a_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    said = block("python").replace('model="openai:gpt-4o-mini"', 'model="rules"')
    run = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, check=True)
    assert "User moved to Ghent" in run.stdout


def test_every_linked_file_is_there() -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_embedding_example_is_a_working_agent() -> None:
    with Memory.open(":memory:") as memory:
        memory.add("I live in Ghent.", user_id="ana")
        names: dict[str, Any] = {"memory": memory, "__name__": "readme"}
        exec(block("python", 1), names)
        state = names["agent"].get_state(names["config"]).values
        assert "Ghent" in state["messages"][-1].content
        assert [c["after"] for c in state["memory_changes"]] == ["User drinks oolong"]


def test_the_steps_of_a_write_can_be_walked_through() -> None:
    assert "memory.engine.graph.get_state_history" in README
    with Memory.open(":memory:") as memory:
        thread = {"configurable": {"thread_id": memory.add("I live in Ghent.", user_id="ana").write_id}}
        steps = [s.next for s in memory.engine.graph.get_state_history(thread)]  # type: ignore[arg-type]
    assert ("extract",) in steps and ("commit",) in steps
