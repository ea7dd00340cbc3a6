"""What one write left in the store: memories added, changed, retired, each with the text before and after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from scrubjay.stores.records import Json, Memory

Kind = Literal["added", "changed", "retired", "past"]
"""past: older than what it would supersede, kept as history from the start"""


class Versions(Protocol):
    """What is needed of a store."""

    def history(self, memory_id: str) -> list[Memory]: ...


@dataclass(frozen=True)
class Gain:
    """One memory that the write touched."""

    kind: Kind
    memory: Memory
    """the version that the write made"""
    before: str | None
    """the text of the version before, None for version 1"""
    replaced: tuple[str, ...] = ()
    """texts of the memories that this one took the place of"""

    def as_json(self) -> Json:
        return {
            "kind": self.kind, "memory_id": self.memory.id, "version": self.memory.version,
            "status": self.memory.status, "before": self.before, "after": self.memory.text,
        }  # fmt: skip


def gains_of(store: Versions, write_id: str, changes: Sequence[Json]) -> list[Gain]:
    """In the order of the changes. A memory that ended only in part is `changed`."""
    told = dict.fromkeys(i for c in changes for i in (c["memory_id"], *c["retired"]))
    found = [gain for memory_id in told if (gain := _gain(store.history(memory_id), write_id))]
    instead = {i: c["memory_id"] for c in changes if c["action"] == "replace" for i in c["retired"]}
    replaced: dict[str, list[str]] = {}
    for gain in found:
        if gain.memory.id in instead and gain.before is not None:
            replaced.setdefault(instead[gain.memory.id], []).append(gain.before)
    return [
        Gain(g.kind, g.memory, g.before, tuple(replaced.get(g.memory.id, ()))) if g.kind == "added" else g
        for g in found
    ]


def _gain(versions: Sequence[Memory], write_id: str) -> Gain | None:
    """From the last version that this write made; later writes may have made more."""
    mine = [i for i, version in enumerate(versions) if version.write_id == write_id]
    if not mine:
        return None
    memory = versions[mine[-1]]
    before = versions[mine[0] - 1].text if mine[0] else None
    return Gain(_kind(memory, before), memory, before)


def _kind(memory: Memory, before: str | None) -> Kind:
    if memory.status in ("active", "pending"):
        return "added" if before is None else "changed"
    return "past" if before is None else "retired"
