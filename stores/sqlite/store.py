"""The store protocol over one SQLite file; each method is one transaction around one function."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self

from sqlite_utils import Database

from scrubjay.stores.records import Commit, Committed, Conflict, Json, Scope
from scrubjay.stores.sqlite import commits, embedder, entries, past
from scrubjay.stores.sqlite.connections import Connections
from scrubjay.stores.sqlite.dump import dump
from scrubjay.stores.sqlite.moments import next_moment
from scrubjay.stores.sqlite.paths import MEMORY, check_path, may_write
from scrubjay.stores.sqlite.reader import Picture, Reads
from scrubjay.stores.sqlite.rows import select
from scrubjay.stores.sqlite.schema import version_of
from scrubjay.stores.sqlite.transactions import Result
from scrubjay.stores.vectors import IndexCache, Slot

_COUNTS = {
    "scopes": "scopes",
    "memories": "memories",
    "active": "memories WHERE status = 'active'",
    "versions": "memory_versions",
    "facts": "facts",
    "writes": "writes",
    "decisions": "decisions",
    "vectors": "vectors",
}


class SqliteStore(Reads):
    """Memories in one file, shared by threads and processes. Made by `open`."""

    def __init__(self, path: str, connections: Connections) -> None:
        self.path = path
        self._connections = connections
        self._indexes = IndexCache()

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, busy_timeout: float = 10.0, readonly: bool | None = None) -> Self:
        """Open a store or make a new one; ":memory:" lives as long as the object.

        `busy_timeout`: seconds to wait for others that write. `readonly`: for a look at what is there; nothing is made
        or changed on disk and writes raise StoreError; None for whatever the file's permissions say. Raises
        InvalidInput for what is no path, StoreUnreadable for a file that is not ours or is damaged and StoreTooNew for
        one of a later version, all before anything in the file is touched.
        """
        name = check_path(path)
        if name == MEMORY:
            return cls(name, Connections(name, busy_timeout))
        if readonly is None:
            readonly = not may_write(Path(name))
        return cls(name, Connections(name, busy_timeout, readonly=readonly))

    # -- writing
    def commit(self, commit: Commit) -> Committed | Conflict:
        """All of it or nothing.

        The revision moves by one when a version, a standing, a link or a source came in, and stays for a write that
        recalls nothing new (empty, failed), so that nobody's plan is upset by it; `write.revision` is the scope's
        revision after the write either way.
        """
        return self._connections.write(lambda db: commits.commit(db, commit))

    def keep_vectors(self, embedded: Sequence[tuple[str, bytes]]) -> None:
        """Raises EmbedderError for what is no unit vector of the store's dimension."""
        self._connections.write(lambda db: entries.store_vectors(db, embedded, next_moment(db)))

    # -- reading
    def picture(self, look: Callable[[Picture], Result]) -> Result:
        """`look` must read through what it is given alone, and wait for nobody: it holds a read transaction open."""
        return self._connections.read(lambda db: look(Picture(db, self._indexes)))

    def as_of(self, scope: Scope, moment: int) -> Self:
        copy = self.open(MEMORY)
        self.bring(copy, scope, moment)
        return copy

    def bring(self, copy: SqliteStore, scope: Scope, moment: int) -> None:
        def look(source: Database) -> None:
            copy._connections.write(lambda target: past.copy(source, target, scope, moment))

        self._read(look)

    def _read(self, look: Callable[[Database], Result]) -> Result:
        return self._connections.read(look)

    def _read_index(self, slot: Slot, look: Callable[[Database], Result]) -> Result:
        """The lock before the picture, so that the index cannot be ahead; in memory the other way round, since there
        a picture is itself a lock that others hold while they wait for this one."""
        if self.path == MEMORY:
            return self.picture(lambda picture: picture._read_index(slot, look))
        with slot.lock:
            return self._read(look)

    # -- the store itself
    def meta(self) -> Json:
        """schema_version, embedder (a name or None), dimension, thresholds, counts."""
        counts = ", ".join(f"(SELECT count(*) FROM {table}) AS {name}" for name, table in _COUNTS.items())

        def look(db: Database) -> Json:
            known = embedder.bound(db) or {"name": None, "dimension": None, "thresholds": {}}
            return {
                "schema_version": version_of(db),
                "embedder": known["name"],
                "dimension": known["dimension"],
                "thresholds": known["thresholds"],
                "counts": select(db, f"SELECT {counts}")[0],
            }

        return self._connections.read(look)

    def bind_embedder(self, name: str, dimension: int, thresholds: Json) -> Json:
        if self._connections.read(embedder.bound):  # to compare is no write, and a search does it too
            return self._connections.read(lambda db: embedder.bind(db, name, dimension, thresholds))
        return self._connections.write(lambda db: embedder.bind(db, name, dimension, thresholds))

    def dump(self) -> list[tuple[Any, ...]]:
        """Every row of the store in a fixed order: two stores that hold the same give the same list."""
        return self._connections.read(lambda db: dump(db))

    def check_writable(self) -> None:
        """Raises StoreError after `close`, and for a store that is only read."""
        self._connections.check_writable()

    def close(self) -> None:
        """Close the file; a second call does nothing. Other methods raise StoreError from then on."""
        self._connections.close()
