"""Killed with -9 in the midst of a write, resumed by LangGraph or told again: as if nothing had happened (C31)."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scrubjay import Memory
from tests.killed_worker import PLACES, opened, tell

ROOT = Path(__file__).resolve().parent.parent
WRITE = f"w_{11:016d}"


def resumed(memory: Memory) -> None:
    """LangGraph goes on from the last checkpoint."""
    memory.engine.graph.invoke(None, {"configurable": {"thread_id": WRITE, "user_id": "ana"}})


def told_again(memory: Memory) -> None:
    tell(memory)


def both(memory: Memory) -> None:
    resumed(memory)
    tell(memory)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What a run that nobody kills leaves."""
    with opened(tmp_path_factory.mktemp("calm") / "memory.db") as memory:
        tell(memory)
        return left(memory)


def left(memory: Memory) -> Any:
    """Everything but who took how long."""
    rows = [row for row in memory.store.dump() if row[0] not in ("writes", "meta", "scopes", "memories")]
    ids = sorted({str(row[1]) for row in memory.store.dump() if row[0] == "memories"})
    return (
        rows,
        ids,
        memory.list(user_id="ana"),
        memory.store.recent_messages(memory.list(user_id="ana")[0].scope, "default", 9),
    )


@pytest.mark.parametrize("way", [resumed, told_again, both])
@pytest.mark.parametrize("place", PLACES)
def test_a_write_that_was_killed_is_applied_once(
    place: str, way: Callable[[Memory], None], undisturbed: Any, tmp_path: Path
) -> None:
    path = tmp_path / "memory.db"
    run = subprocess.run([sys.executable, "-m", "tests.killed_worker", str(path), place], cwd=ROOT, check=False)
    assert run.returncode == -9
    with opened(path) as memory:
        way(memory)
        assert left(memory) == undisturbed


def test_the_write_that_is_killed_adds_replaces_and_deletes(undisturbed: Any) -> None:
    assert [m.text for m in undisturbed[2]] == [
        "User moved to Bergen (previously: User lives in Porto)",
        "User plays chess",
    ]
