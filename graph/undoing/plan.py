"""What an undo or redo is to do, and whether it may: from one picture of the store, changing nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from scrubjay.graph.undoing.restore import Restoration, restore, same
from scrubjay.graph.undoing.timeline import Timeline, last_of, undone_by
from scrubjay.stores.errors import AlreadyUndone, InvalidInput, LaterWrites, NothingToUndo, NotUndone, UnknownName
from scrubjay.stores.protocol import Reader
from scrubjay.stores.records import Memory, Proposal, WriteRow


@dataclass(frozen=True, slots=True)
class Asked:
    """What somebody wants: this is kept in the write's own record, from which it can be derived again."""

    kind: Literal["undo", "redo"]
    write_id: str
    together: bool = False
    """later writes that touched the same memories are undone as well, and theirs"""


@dataclass(frozen=True, slots=True)
class Restored:
    """One memory, as it is, as it is to be, and how it gets there."""

    now: Memory | None
    wanted: Memory | None
    change: Restoration

    @property
    def memory_id(self) -> str:
        found = self.now or self.wanted
        assert found is not None  # it was touched, so it exists
        return found.id


@dataclass(frozen=True, slots=True)
class Plan:
    """What will be committed."""

    asked: Asked
    row: WriteRow
    """the write that was asked for"""
    about: tuple[str, ...]
    """the writes that are undone or brought back, oldest first"""
    undo: str | None
    """redo: the undo that it takes back"""
    generation: tuple[str, ...]
    """the last undo or redo of each write in `about`: the second undo of a write is not the first one again"""
    memories: tuple[Restored, ...]
    proposals: tuple[Proposal, ...]
    """open ones of what is undone, which end with it"""
    closed: tuple[str, ...]
    """redo: proposals that the undo ended, and that do not come back"""
    revision: int


def planned(view: Reader, asked: Asked) -> Plan:
    """Raises UnknownName, InvalidInput, AlreadyUndone, NotUndone, NothingToUndo, LaterWrites."""
    row = view.write(asked.write_id)
    if row is None:
        raise UnknownName("write", asked.write_id, "`scrubjay history ID` shows the writes that made a memory")
    reversals = view.reversals(row.scope)
    return _undo(view, asked, row, reversals) if asked.kind == "undo" else _redo(view, asked, row, reversals)


def _undo(view: Reader, asked: Asked, row: WriteRow, reversals: Sequence[WriteRow]) -> Plan:
    if row.kind == "undo":
        raise InvalidInput(f"write {row.id} is itself an undo: `scrubjay redo {row.id}` takes it back")
    targets = row.about if row.kind == "redo" else (row.id,)
    for write_id in targets:
        if undo := undone_by(write_id, reversals):
            raise AlreadyUndone(write_id, undo)
    timeline = _since(view, targets, row, reversals)
    chosen = _closed(view, timeline, targets, asked)
    return _plan(view, asked, row, timeline, chosen, None)


def _redo(view: Reader, asked: Asked, row: WriteRow, reversals: Sequence[WriteRow]) -> Plan:
    undo = _undo_of(row, reversals)
    timeline = _since(view, (undo.id,), row, reversals)
    _closed(view, timeline, (undo.id,), asked)
    return _plan(view, asked, row, timeline, undo.about, undo)


def _undo_of(row: WriteRow, reversals: Sequence[WriteRow]) -> WriteRow:
    """The undo that a redo takes back: the one asked for, or that under which the write lies."""
    about = row.about if row.kind in ("undo", "redo") else (row.id,)
    lasts = {last.id: last for i in about if (last := last_of(i, reversals)) is not None}
    last = next(iter(lasts.values()), None)
    if last is None or last.kind != "undo" or len(lasts) > 1 or (row.kind == "undo" and last.id != row.id):
        raise NotUndone(row.id)
    return last


def _since(view: Reader, writes: Sequence[str], row: WriteRow, reversals: Sequence[WriteRow]) -> Timeline:
    """All that happened from the first of these writes on."""
    rows = [view.write(write_id) for write_id in writes]
    first = min(found.moment for found in rows if found is not None)
    return Timeline(view.touches(row.scope, view.revision_at(row.scope, first - 1)), reversals)


def _closed(view: Reader, timeline: Timeline, targets: Sequence[str], asked: Asked) -> tuple[str, ...]:
    """The writes that go together, in order; raises LaterWrites where there are more than was asked for."""
    chosen = list(targets)
    while later := _later(view, timeline, chosen):
        known = {row.id for row in timeline.reversals}
        if not asked.together or asked.kind == "redo" or known & later.keys():
            raise LaterWrites(asked.write_id, asked.kind, {i: tuple(m) for i, m in later.items()})
        chosen += later
    return tuple(sorted(chosen, key=lambda i: _moment(view, i)))


def _moment(view: Reader, write_id: str) -> int:
    row = view.write(write_id)
    return row.moment if row else 0


def _later(view: Reader, timeline: Timeline, chosen: Sequence[str]) -> dict[str, list[str]]:
    """Write → memories of those chosen that it changed too, and has not been undone."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for memory_id in timeline.touched_by(chosen):
        for write_id in _others(view, timeline, chosen, memory_id):
            found[write_id].append(memory_id)
    for write_id in _settlers(view, timeline, chosen):
        found.setdefault(write_id, [])
    return dict(found)


def _others(view: Reader, timeline: Timeline, chosen: Sequence[str], memory_id: str) -> list[str]:
    """Contents are compared, not version numbers: what was changed and changed back stands in nobody's way."""
    touches = timeline.of(memory_id)
    mine = [i for i, t in enumerate(touches) if t.write_id in chosen]
    now = view.stood([memory_id]).get(memory_id)
    unchanged = same(now, view.stood([memory_id], touches[mine[-1]].revision).get(memory_id))
    if unchanged and len({touches[i].write_id for i in mine}) == 1:
        return []
    left = [i for i in timeline.live(touches[mine[0] :]) if i not in chosen]
    return left if left or unchanged else [t.write_id for t in touches[mine[-1] + 1 :]]


def _settlers(view: Reader, timeline: Timeline, chosen: Sequence[str]) -> list[str]:
    """Later writes that decided on a proposal of these."""
    settled = [p.settled_by for i in chosen for p in view.proposals(write_id=i, settled=True) if p.settled_by]
    known = {row.id for row in timeline.reversals}
    return [i for i in dict.fromkeys(settled) if i not in (*chosen, *known) and not undone_by(i, timeline.reversals)]


def _plan(
    view: Reader, asked: Asked, row: WriteRow, timeline: Timeline, about: tuple[str, ...], undo: WriteRow | None
) -> Plan:
    reverted = about if undo is None else (undo.id,)
    memories = [m for m in _restored(view, timeline, reverted) if m.change.anything]
    proposals = [p for i in reverted for p in view.proposals(write_id=i)]
    if not memories and not proposals:
        raise NothingToUndo(asked.write_id, asked.kind)
    lasts = [last_of(i, timeline.reversals) for i in about]
    closed = [p.id for i in about if undo for p in view.proposals(write_id=i, settled=True) if p.settled_by == undo.id]
    return Plan(
        asked, row, about, undo.id if undo else None, tuple(last.id if last else "" for last in lasts),
        tuple(memories), tuple(proposals), tuple(closed), view.revision(row.scope),
    )  # fmt: skip


def _restored(view: Reader, timeline: Timeline, writes: Sequence[str]) -> list[Restored]:
    """Every memory that the writes touched, against its state before the first of them."""
    ids = timeline.touched_by(writes)
    first: dict[str, int] = {}
    for touch in timeline.touches:
        if touch.write_id in writes:
            first.setdefault(touch.memory_id, touch.revision)
    wanted = _states(view, first)
    now = view.stood(ids)
    return [Restored(now.get(i), wanted.get(i), restore(now.get(i), wanted.get(i))) for i in ids]


def _states(view: Reader, first: Mapping[str, int]) -> dict[str, Memory]:
    """Each memory at the end of the revision before the one given."""
    found: dict[str, Memory] = {}
    for revision in sorted(set(first.values())):
        found |= view.stood([i for i, r in first.items() if r == revision], revision - 1)
    return found
