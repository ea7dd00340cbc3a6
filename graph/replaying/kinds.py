"""How a write of each kind is run again. `add` goes through the graph; the others derive their commit from a record."""

from __future__ import annotations

from collections.abc import Callable

from scrubjay.graph.undoing.run import derived as reversal
from scrubjay.nodes.settling import replayed as review
from scrubjay.stores.errors import NotReplayable
from scrubjay.stores.protocol import Reader
from scrubjay.stores.records import Commit, WriteKind, WriteRow

Derive = Callable[[Reader, WriteRow], Commit]
"""(the store as it was just before the write, the write's record) → the commit that it should make"""

DERIVED: dict[WriteKind, Derive] = {"undo": reversal, "redo": reversal, "review": review}


def derivation(row: WriteRow) -> Derive:
    """Raises NotReplayable for a kind that is not in the table."""
    if row.kind not in DERIVED:
        raise NotReplayable(row.id, f"a write of kind {row.kind} cannot be replayed yet")
    return DERIVED[row.kind]
