"""`make bench`: net time of a write and of a search, bytes of checkpoint, start-up of the command line.

The model is left out (a scripted decider answers at once), everything else is real: the embedded embedder, both
search legs, one checkpoint a node, SQLite on disk.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count, product
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from scrubjay.graph.deciders.scripted import ScriptedDecider
from scrubjay.graph.memory import Memory
from scrubjay.prompts.judge import JudgeJointRequest
from scrubjay.prompts.request import Request
from scrubjay.stores.records import Commit, Fact, NewVersion, Scope, WriteRow

SIZES = (100, 1_000, 10_000)
RUNS = 30
USER = "bench"
WHO = ("User", "User's sister", "User's manager", "User's neighbour", "User's old friend Ruth")
DOES = ("likes", "often talks about", "is learning about", "wrote a note on", "wants to read about")
WHAT = ("tea", "trains", "ferns", "maps", "bread", "bees", "clocks", "kites", "glass", "salt")
WHERE = ("in Lisbon", "in Oslo", "near Turin", "by the sea", "in the mountains", "at school", "at work", "at home")
WHEN = ("in spring", "on Mondays", "every winter", "after dinner", "before work")


def texts(total: int) -> Iterator[str]:
    """Distinct sentences, near enough to one another that each has ten candidates."""
    for number, parts in zip(range(total), product(WHEN, WHERE, WHAT, DOES, WHO), strict=False):
        when, where, what, does, who = parts
        yield f"{who} {does} {what} {where} {when}" + (f" since {1950 + number % 70}" if number % 3 else "")


def fill(memory: Memory, total: int) -> None:
    """`total` memories in one commit, with real vectors."""
    said = list(texts(total))
    vectors, _ = memory.vectors.of(said)
    row = WriteRow(
        id="w_fill", key="fill", scope=Scope(USER), conversation_id="default", run_id=None, outcome="applied",
        at="2026-01-01T00:00:00+00:00", incomplete=(), input={}, settings={}, calls=(),
        result={"changes": [], "problems": []}, revision_read=0,
    )  # fmt: skip
    facts = tuple(Fact(f"f_fill_{i}", "w_fill", t, recorded_at=row.at) for i, t in enumerate(said))
    versions = tuple(
        NewVersion(f"m_fill_{i}", 1, f.text, "active", "other", "user", (), None, None, {}, ((f.id, "current"),))
        for i, f in enumerate(facts)
    )
    memory.store.commit(Commit(row, None, facts=facts, versions=versions, embedded=tuple(vectors.items())))


def decider(verdict: str) -> ScriptedDecider:
    """Answers at once: one fact a write, judged as `verdict` against the first candidate."""
    number = count()

    def extract(request: Request[Any]) -> dict[str, Any]:
        text = f"User keeps notebook {next(number)} ({verdict}) about bees and ferns in the mountains"
        return {"facts": [{"text": text, "quote": QUOTE, "attributes": []}]}

    def judge(request: Request[Any]) -> dict[str, Any]:
        assert isinstance(request, JudgeJointRequest)
        text = request.facts[0].text
        return {"groups": [{"facts": ["F1"], "memories": ["1"], "relation": verdict, "reason": "bench", "text": text}]}

    return ScriptedDecider({"extract": [extract] * 10_000, "judge": [judge] * 10_000})


QUOTE = "I keep a notebook about bees and ferns in the mountains"
MESSAGE = (f"{QUOTE}, and here is what else happened today. " * 11)[:1024]


@dataclass(frozen=True)
class Row:
    """One line of the table; milliseconds are medians."""

    size: int
    add: float
    replace: float
    async_add: float
    search: float
    checkpoint_kb: float
    candidates: int


def timed(run: Callable[[int], Any]) -> float:
    """Median milliseconds after two runs that do not count."""
    spent = []
    for i in range(RUNS + 2):
        start = perf_counter()
        run(i)
        spent.append((perf_counter() - start) * 1000)
    return median(spent[2:])


def measure(size: int, folder: Path) -> Row:
    path = folder / f"{size}.db"
    with Memory.open(path, model=decider("independent")) as memory:
        fill(memory, size)
        add = timed(lambda i: memory.add(MESSAGE, user_id=USER))
        write = memory.add(MESSAGE, user_id=USER)
        candidates = len(write.decisions[0].body["candidates"])
        search = timed(lambda i: memory.search(f"who likes ferns in the mountains {i}", user_id=USER))
        kilobytes = checkpoint_bytes(Path(f"{path}.checkpoints"), write.write_id) / 1000
        async_add = asyncio.run(async_writes(memory))
    with Memory.open(path, model=decider("supersedes")) as memory:
        replace = timed(lambda i: memory.add(MESSAGE, user_id=USER))
    return Row(size, add, replace, async_add, search, kilobytes, candidates)


async def async_writes(memory: Memory) -> float:
    spent = []
    for _ in range(RUNS):
        start = perf_counter()
        await memory.aadd(MESSAGE, user_id=USER)
        spent.append((perf_counter() - start) * 1000)
    return median(spent[2:])


def checkpoint_bytes(path: Path, thread: str) -> int:
    """Everything that the saver keeps of one write."""
    with sqlite3.connect(path) as db:
        sums = [
            f"SELECT coalesce(sum(length({column})), 0) FROM {table} WHERE thread_id = ?"
            for table, column in (("checkpoints", "checkpoint"), ("checkpoints", "metadata"), ("writes", "value"))
        ]
        return sum(int(db.execute(query, (thread,)).fetchone()[0]) for query in sums)


def list_seconds(path: Path) -> float:
    """`scrubjay list` from the shell, median of five."""
    command = [str(Path(sys.executable).with_name("scrubjay")), "list", "--store", str(path), "--user", USER]
    spent = []
    for _ in range(5):
        start = perf_counter()
        subprocess.run([*command, "--limit", "20"], check=True, stdout=subprocess.DEVNULL, env=os.environ)
        spent.append(perf_counter() - start)
    return median(spent)


HEAD = ("memories", "write: add", "replace", "async add", "search", "checkpoints", "candidates")


def main() -> None:
    print(f"net milliseconds, medians of {RUNS} runs on {os.cpu_count()} cores; the model is left out")
    print("".join(f"{name:>13}" for name in HEAD))
    with tempfile.TemporaryDirectory() as folder:
        for size in SIZES:
            r = measure(size, Path(folder))
            times = "".join(f"{t:>13.1f}" for t in (r.add, r.replace, r.async_add, r.search))
            print(f"{r.size:>13,}{times}{r.checkpoint_kb:>10.1f} kB{r.candidates:>13}", flush=True)
        seconds = list_seconds(Path(folder) / f"{SIZES[-1]}.db")
        print(f"`scrubjay list` from the shell, at {SIZES[-1]:,} memories: {seconds:.2f} s")


if __name__ == "__main__":
    main()
