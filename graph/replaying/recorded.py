"""What a run needs of the record: the writes there are, whether a record is whole, what people said during a run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from scrubjay.graph.replaying.player import Stop
from scrubjay.nodes.nonsense import UNREADABLE
from scrubjay.nodes.verdicts import put_over
from scrubjay.stores.errors import NotReplayable, ScrubjayError, UnknownName
from scrubjay.stores.records import Scope, WriteRow
from scrubjay.stores.sqlite import SqliteStore

PAGE = 200
NEEDED = {"tag", "prompt", "hash", "value", "raw", "problems", "error", "model", "repairs"}
"""of a recorded call"""


def edits(row: WriteRow) -> tuple[Stop, ...]:
    """Verdicts that were edited by hand are edited again once the judge has spoken."""
    edited = row.result.get("by_hand", [])
    if not edited:
        return ()
    return (Stop("judge", lambda state: {"relations": put_over(state["relations"], edited)}),)


@contextmanager
def readable(row: WriteRow) -> Iterator[None]:
    """Raises NotReplayable where a record holds what nothing can read: a state that was edited before its commit."""
    try:
        yield
    except ScrubjayError:
        raise
    except UNREADABLE as error:
        raise NotReplayable(row.id, f"its record cannot be read ({type(error).__name__}: {error})") from error


def known_write(store: SqliteStore, write_id: str) -> WriteRow:
    """Raises UnknownName."""
    row = store.write(write_id)
    if row is None:
        raise UnknownName(
            "write", write_id, "no such write, or its user was forgotten; `scrubjay history ID` shows ids"
        )
    return row


def check_whole(row: WriteRow) -> None:
    """Raises NotReplayable for a record that no longer holds what a run needs."""
    pruned = row.kind == "add" and ("messages" not in row.input or "context" not in row.settings)
    if pruned or any(NEEDED - call.keys() for call in row.calls):
        raise NotReplayable(row.id, "its record was pruned: messages, settings or replies are gone")


def write_ids(store: SqliteStore, scope: Scope) -> list[str]:
    """Oldest first: by the moment of their commit."""
    found: list[str] = []
    while page := store.writes(scope, limit=PAGE, offset=len(found)):
        found += [row.id for row in page]
    return found[::-1]
