"""How a write of each kind is run again. `add` goes through the graph; the others derive their commit from a record."""

from __future__ import annotations

from collections.abc import Callable

from scrubjay.stores.errors import NotReplayable
from scrubjay.stores.records import Commit, WriteKind, WriteRow
from scrubjay.stores.sqlite import SqliteStore

Derive = Callable[[SqliteStore, WriteRow], Commit]
"""(the store as it was just before the write, the write's record) → the commit that it should make"""

_DERIVED: dict[WriteKind, Derive] = {}


def replays(kind: WriteKind) -> Callable[[Derive], Derive]:
    """Registers what derives the commits of a kind."""

    def register(derive: Derive) -> Derive:
        _DERIVED[kind] = derive
        return derive

    return register


def derivation(row: WriteRow) -> Derive:
    """Raises NotReplayable for a kind that nobody registered."""
    if row.kind not in _DERIVED:
        raise NotReplayable(row.id, f"a write of kind {row.kind} cannot be replayed yet")
    return _DERIVED[row.kind]
