"""What an undo or redo did, for people and for programs: one line a memory, with the words that went and came."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from scrubjay.stores.errors import UnknownName
from scrubjay.stores.records import Decision, Json, WriteRow
from scrubjay.studio.documents import decision_json, short_memory
from scrubjay.studio.opening import How, must_exist, writing
from scrubjay.studio.screen import Screen, emit
from scrubjay.studio.short_ids import full_id

if TYPE_CHECKING:
    from scrubjay.graph.results import WriteResult

WAYS = {"undo": "undone", "redo": "brought back"}


def reverse(kind: str, store: Path, asked: str, user: str | None, *, together: bool, json: bool) -> None:
    """Find the write, of `user` where one is given, undo or redo it, and tell. Raises UnknownName and UndoErrors."""
    must_exist(store)
    with writing(store, How(), banner=False) as memory:
        _, write_id = full_id(memory.store, asked, ("write",))
        if user not in (None, memory.write(write_id).scope.user_id):
            raise UnknownName("write", asked, f"user {user} has none of that id")
        result = memory.undo(write_id, together=together) if kind == "undo" else memory.redo(write_id)
        row = memory.write(result.write_id)
    if json:
        emit(document(result, row))
    else:
        tell(Screen(), result, row)


def document(result: WriteResult, row: WriteRow) -> Json:
    return {
        "write_id": row.id, "kind": row.kind, "about": list(row.about), "outcome": result.outcome,
        "first": result.first, "changes": result.changes, "decisions": [decision_json(d) for d in result.decisions],
        "memories": [{**short_memory(m), "status": m.status} for m in result.memories],
        "problems": list(result.problems),
    }  # fmt: skip


def tell(screen: Screen, result: WriteResult, row: WriteRow) -> None:
    screen.line((f"write {row.id}", "bold"), f"  {', '.join(row.about)} {WAYS[row.kind]}")
    rows = [(what(d), d.body["memory_id"], words(screen, d)) for d in result.decisions if d.body["memory_id"]]
    if rows:
        screen.table([("memory", "id"), ("id", "id"), "text"], rows, indent=2)
    for line in closing(result.decisions):
        screen.line(line, indent=2)
    for problem in result.problems:
        screen.line((problem["text"], "dim"), indent=2)


def closing(decisions: Sequence[Decision]) -> list[str]:
    """Proposals that ended with what was undone."""
    closed = dict.fromkeys(i for d in decisions for i in d.body["proposals"])
    return [f"proposal {i}: closed" for i in closed]


def what(decision: Decision) -> str:
    """What happened to the memory, in one word."""
    status = decision.body["status"]
    if decision.action == "none":
        return "sources"
    if status["before"] == "active" and status["after"] == "active":
        return "changed"
    return "back" if status["after"] == "active" else str(status["after"])


def words(screen: Screen, decision: Decision) -> Text:
    """A word diff; where only the sources changed, how many went and came."""
    before, after = decision.body["before"] or "", decision.body["after"] or ""
    told = screen.changed(before, after)
    moved = decision.body["sources"]
    counts = [f"{len(moved[k])} {k}" for k in ("withdrawn", "back") if moved[k]]
    return told + Text(f"  [sources: {', '.join(counts)}]", "dim") if counts else told
