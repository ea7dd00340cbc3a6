"""How a write of each kind is run again. `add` goes through the graph; the others derive their commit from a record."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from scrubjay.graph.replaying.applying import rederived
from scrubjay.graph.undoing.run import derived as reversal
from scrubjay.nodes.settling import replayed as review
from scrubjay.stores.errors import NotReplayable
from scrubjay.stores.protocol import Reader
from scrubjay.stores.records import Commit, WriteKind, WriteRow
from scrubjay.stores.sqlite import SqliteStore

Derive = Callable[[Reader, WriteRow], Commit]
"""(the store as it was just before the write, the write's record) → the commit that it should make"""

DERIVED: dict[WriteKind, Derive] = {"undo": reversal, "redo": reversal, "review": review}


def derivation(row: WriteRow, store: SqliteStore) -> Derive:
    """`store`: the one that the write is of. Raises NotReplayable for a kind that nobody derives."""
    if row.kind == "what_if":
        return partial(rederived, store)
    if row.kind not in DERIVED:
        raise NotReplayable(row.id, f"a write of kind {row.kind} cannot be replayed yet")
    return DERIVED[row.kind]
