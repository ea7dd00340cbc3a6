"""A copy in which a commit is carried out, looked at, and taken back: the next one finds the copy as it was."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlite_utils import Database

from scrubjay.stores.records import Commit, Committed, Conflict
from scrubjay.stores.sqlite import commits
from scrubjay.stores.sqlite.reader import Picture
from scrubjay.stores.sqlite.store import SqliteStore


class _TakenBack(Exception):
    """Rolls the transaction back and carries out what was seen."""

    def __init__(self, seen: Any) -> None:
        self.seen = seen


class Rehearsal(SqliteStore):
    """Made by `open(":memory:")` and filled by another store's `bring`."""

    def rehearse(
        self, commit: Commit, look: Callable[[Picture, Committed], object] | None = None
    ) -> tuple[Committed | Conflict, Any]:
        """(what `commit` gives, what `look` saw right after it); nothing of it stays.

        `look` must not search by vectors: the index would remember what is taken back.
        """

        def work(db: Database) -> None:
            done = commits.commit(db, commit)
            seen = look(Picture(db, self._indexes), done) if look and isinstance(done, Committed) else None
            raise _TakenBack((done, seen))

        try:
            self._connections.write(work)
        except _TakenBack as end:
            done, seen = end.seen
            return done, seen
        raise AssertionError("a rehearsal always ends by taking back")
