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
ANY_ID = re.compile(r"\b[mw]_[0-9a-z]{16}(?:_\d+)?")
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


def test_the_session_of_a_wrong_memory_is_what_the_commands_print(tmp_path: Path) -> None:
    """Ids differ from run to run: each one printed stands for the one that README has in its place."""
    env = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "SCRUBJAY_MODEL", "SCRUBJAY_STORE")}
    ids: dict[str, str] = {}
    for step in re.findall(r"^\$ scrubjay (.*)\n((?:[^$].*\n)*)", block("console", 1), re.MULTILINE):
        arguments = [ids.get(argument, argument) for argument in shlex.split(step[0])]
        program = [str(Path(sys.executable).with_name("scrubjay")), *arguments]
        run = subprocess.run(program, capture_output=True, text=True, cwd=tmp_path, env=env | {"SCRUBJAY_USER": "ana"})
        assert ANY_ID.sub("ID", run.stdout.strip()) == ANY_ID.sub("ID", step[1].strip())
        ids |= zip(ANY_ID.findall(step[1]), ANY_ID.findall(run.stdout), strict=True)
    assert len(ids) == 5


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
