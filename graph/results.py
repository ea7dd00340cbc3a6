"""What a caller gets back from a write, read from its record."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from scrubjay.graph.undoing.timeline import undone_by
from scrubjay.stores.protocol import Store
from scrubjay.stores.records import Decision, Json, Memory, Outcome, WriteRow


@dataclass(frozen=True)
class WriteResult:
    """What one write did, read back from its record."""

    write_id: str
    outcome: Outcome
    decisions: list[Decision]
    """one a fact, in order"""
    changes: list[Json]
    """memory_id, action, before, after, retired, write_id, outcome"""
    memories: list[Memory]
    """the newest versions of the memories that it made or changed"""
    calls: dict[str, int]
    """model requests by tag, repairs and retries not counted"""
    incomplete: tuple[str, ...] = ()
    """windows that got no answer: the same key again finishes them"""
    problems: tuple[Json, ...] = ()
    first: bool = True
    """False: this key was written before, and that write is what you see"""
    undone_by: str | None = None
    """the undo under which this write lies: what it changed is not so now, though its messages stay read"""


def result_of(store: Store, row: WriteRow, *, first: bool = True) -> WriteResult:
    """The result of a write, from its record."""
    changes = row.result["changes"]
    done = [c for c in changes if c["outcome"] == "applied"]
    touched = dict.fromkeys(i for c in done for i in (c["memory_id"], *c["retired"]))
    return WriteResult(
        write_id=row.id, outcome=row.outcome, decisions=store.decisions(write_id=row.id), changes=changes,
        memories=store.get_many(list(touched)), calls=dict(Counter(c["tag"] for c in row.calls)),
        incomplete=row.incomplete, problems=tuple(row.result["problems"]), first=first,
        undone_by=undone_by(row.id, store.reversals(row.scope)),
    )  # fmt: skip
