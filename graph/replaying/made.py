"""All that one write left in the store, read the same way from the store and from a run of it elsewhere."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from scrubjay.stores.protocol import Reader
from scrubjay.stores.records import Commit, Decision, Fact, Memory, Proposal, WriteRow

TOUCHED = ("result", "target", "neighbour")
"""parts in a decision whose memory the write may have changed"""


@dataclass(frozen=True)
class Made:
    """As of the end of the write."""

    row: WriteRow
    decisions: tuple[Decision, ...]
    memories: dict[str, tuple[Memory, ...]]
    """id → all its versions, with standings, links and sources"""
    facts: dict[str, Fact]
    proposals: tuple[Proposal, ...]
    messages: dict[str, str]
    """id → text, of the write's messages that count as read"""

    @property
    def by_fact(self) -> dict[int, Decision]:
        """Fact number → its decision; 0 for a write without facts."""
        return {d.fact_number or 0: d for d in self.decisions}


def look(view: Reader, write_id: str, memory_ids: Iterable[str]) -> Made:
    """What the write made; of the memories named, whatever it did to them."""
    row = view.write(write_id)
    assert row is not None  # callers know that it is there
    decisions = own_decisions(view, row)
    memories = {i: tuple(map(plain, view.history(i))) for i in sorted(set(memory_ids))}
    facts = {s.fact.id: s.fact for versions in memories.values() for m in versions for s in m.facts}
    told = (view.fact(d.fact_id) for d in decisions if d.fact_id)
    facts |= {fact.id: fact for fact in told if fact is not None}
    said = [m["id"] for m in row.input.get("messages", [])]
    return Made(
        row, decisions, memories, {i: facts[i] for i in sorted(facts) if facts[i].write_id == write_id},
        tuple(view.proposals(row.scope, write_id=write_id, settled=True)),
        view.read_messages(row.scope, row.conversation_id, said),
    )  # fmt: skip


def own_decisions(view: Reader, row: WriteRow) -> tuple[Decision, ...]:
    """Without those of an earlier attempt of the same write, which stay beside its own."""
    return tuple(d for d in view.decisions(write_id=row.id) if d.at == row.at)


def plain(memory: Memory) -> Memory:
    """Whether a vector is still awaited depends on the embedder, not on the write."""
    return replace(memory, pending_embedding=False)


def touched(view: Reader, write_id: str) -> set[str]:
    """Memories that a write in the store made, changed or added a source to."""
    row = view.write(write_id)
    changes = row.result.get("changes", []) if row is not None else []
    changed = {i for c in changes for i in (c["memory_id"], *c.get("retired", ()))}
    decided = (d.memory_ids for d in view.decisions(write_id=write_id))
    return changed | {i for parts in decided for i, part in parts if part in TOUCHED}


def planned(commit: Commit) -> set[str]:
    """Memories that a commit makes, changes, or adds a source to."""
    decided = {i for d in commit.decisions for i, part in d.memory_ids if part in TOUCHED}
    return decided | {v.memory_id for v in commit.versions} | {a.memory_id for a in commit.absorptions}
