"""Which writes are in force: an undone write no longer counts, one that was brought back does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scrubjay.stores.records import Touch, WriteRow


def undone_by(write_id: str, reversals: Sequence[WriteRow]) -> str | None:
    """The undo under which a write lies; None where it is in force. `reversals`: oldest first."""
    last = last_of(write_id, reversals)
    return last.id if last is not None and last.kind == "undo" else None


def last_of(write_id: str, reversals: Sequence[WriteRow]) -> WriteRow | None:
    """The last undo or redo of a write."""
    return next((row for row in reversed(reversals) if write_id in row.about), None)


def in_force(writes: Sequence[str], reversals: Mapping[str, WriteRow]) -> list[str]:
    """Of writes in their order, those whose effect is left: an undo cancels with what it undid, a redo brings it back.

    An undo of something older than the first of them stays, as a change like any other.
    """
    left: list[str] = []
    for write_id in writes:
        row = reversals.get(write_id)
        mine = [i for i in row.about if i in writes] if row else []
        undo = str(row.input["undo"]) if row and row.kind == "redo" else ""
        if row and row.kind == "undo" and mine and set(mine) <= set(left):
            left = [i for i in left if i not in mine]
        elif undo in left:
            left.remove(undo)
        elif undo and mine:
            left += [i for i in mine if i not in left]
        else:
            left.append(write_id)
    return left


@dataclass(frozen=True)
class Timeline:
    """What the writes of a scope did since some revision."""

    touches: Sequence[Touch]
    reversals: Sequence[WriteRow]

    def of(self, memory_id: str) -> list[Touch]:
        return [t for t in self.touches if t.memory_id == memory_id]

    def touched_by(self, writes: Sequence[str]) -> list[str]:
        """Memories, in the order in which they were touched first."""
        return list(dict.fromkeys(t.memory_id for t in self.touches if t.write_id in writes))

    def live(self, touches: Sequence[Touch]) -> list[str]:
        known = {row.id: row for row in self.reversals}
        return in_force(list(dict.fromkeys(t.write_id for t in touches)), known)
