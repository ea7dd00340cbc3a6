"""README tells the truth: its session is what the command prints, its Python runs, its diagram is the graph."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph

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


class Agent(MessagesState):
    """A parent graph's state, as in the embedding example."""

    memory_context: str
    memory_changes: list[dict[str, object]]


def test_the_embedding_example_is_a_working_agent() -> None:
    nodes = [line for line in block("python", 1).splitlines() if line.startswith("builder.add_node")]
    with Memory.open(":memory:") as memory:
        memory.add("I live in Ghent.", user_id="ana")
        builder = StateGraph(Agent)
        for line in nodes:
            exec(line, {"builder": builder, "memory": memory})
        builder.add_edge(START, "recall")
        builder.add_edge("recall", "remember")
        graph = builder.compile(checkpointer=InMemorySaver())
        said = {"messages": [HumanMessage("I drink oolong. Where do I live?")]}
        out = graph.invoke(said, {"configurable": {"thread_id": "t1", "user_id": "ana"}})  # type: ignore[call-overload]
    assert "Ghent" in out["memory_context"]
    assert [c["after"] for c in out["memory_changes"]] == ["User drinks oolong"]
