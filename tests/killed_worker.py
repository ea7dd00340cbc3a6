"""A process that is killed in the midst of a write: `python -m tests.killed_worker PATH PLACE`."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from scrubjay import Memory

BEFORE = ("I live in Porto.", "I love rye bread.")
SAID = "I moved to Bergen. I play chess. Please forget that I love rye bread."
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
PLACES = ("before the commit", "after the commit", "after the last checkpoint")


class Ids:
    """The same ids in every run."""

    def __init__(self) -> None:
        self.made = 0

    def __call__(self, _: datetime) -> str:
        self.made += 1
        return f"{self.made:016d}"


def opened(path: Path) -> Memory:
    """With the words from before; a second process goes on counting where the first one stopped."""
    ids = Ids()
    memory = Memory.open(path, clock=lambda: NOON, new_id=ids)
    for sentence in BEFORE:
        memory.add([{"role": "user", "content": sentence, "id": sentence}], user_id="ana")
    ids.made = 10
    return memory


def tell(memory: Memory) -> Any:
    return memory.add([{"role": "user", "content": SAID, "id": "said"}], user_id="ana")


def die(*_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def run_then(what: Callable[..., Any], then: Callable[..., None]) -> Callable[..., Any]:
    def both(*given: Any, **named: Any) -> Any:
        found = what(*given, **named)
        then(found)
        return found

    return both


def main(path: Path, place: str) -> None:
    memory = opened(path)
    if place == PLACES[0]:
        memory.store.commit = die  # type: ignore[method-assign, assignment]
    elif place == PLACES[1]:
        memory.store.commit = run_then(memory.store.commit, die)  # type: ignore[method-assign]
    elif place == PLACES[2]:
        memory.engine.write = run_then(memory.engine.write, die)  # type: ignore[method-assign]
    tell(memory)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
