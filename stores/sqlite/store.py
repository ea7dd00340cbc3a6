"""The store protocol over one SQLite file; each method is one transaction around one function."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

from sqlite_utils import Database

from scrubjay.stores.protocol import NO_FILTERS, Vectors
from scrubjay.stores.records import (
    Commit,
    Committed,
    Conflict,
    Decision,
    Fact,
    Filters,
    Hit,
    Json,
    Memory,
    Message,
    Scope,
    WriteRow,
)
from scrubjay.stores.sqlite import commits, embedder, entries, log, memories, words
from scrubjay.stores.sqlite.connections import Connections
from scrubjay.stores.sqlite.dump import dump
from scrubjay.stores.sqlite.filters import condition
from scrubjay.stores.sqlite.paths import MEMORY, check_path, may_write
from scrubjay.stores.sqlite.rows import select
from scrubjay.stores.sqlite.schema import version_of
from scrubjay.stores.sqlite.scopes import UNSEEN, find_scope
from scrubjay.stores.vectors import IndexCache

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


class SqliteStore:
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

    # -- reading memories
    def revision(self, scope: Scope) -> int:
        return self._connections.read(lambda db: find_scope(db, scope).revision)

    def get(self, memory_id: str, *, version: int | None = None) -> Memory | None:
        return self._connections.read(lambda db: memories.one(db, memory_id, version))

    def get_many(self, memory_ids: Sequence[str]) -> list[Memory]:
        return self._connections.read(lambda db: memories.many(db, memory_ids))

    def active(
        self,
        scope: Scope,
        *,
        filters: Filters = NO_FILTERS,
        revision: int | None = None,
        limit: int | None = None,
        offset: int = 0,
    ) -> list[Memory]:
        return self._connections.read(
            lambda db: memories.active(db, find_scope(db, scope).num, filters, revision, limit, offset)
        )

    def count_active(self, scope: Scope) -> int:
        sql = "SELECT count(*) AS n FROM memories WHERE scope = ? AND status = 'active'"
        return self._connections.read(lambda db: int(select(db, sql, find_scope(db, scope).num)[0]["n"]))

    def history(self, memory_id: str) -> list[Memory]:
        return self._connections.read(lambda db: memories.history(db, memory_id))

    def stating(self, scope: Scope, texts: Sequence[str]) -> list[list[tuple[str, Fact]]]:
        return self._connections.read(lambda db: memories.stating(db, find_scope(db, scope).num, texts))

    # -- searching
    def nearest(self, scope: Scope, query: Vectors, k: int, *, filters: Filters = NO_FILTERS) -> list[list[Hit]]:
        """Raises EmbedderError for a query that is not made of unit vectors of the store's dimension."""

        slot = self._indexes.slot(scope)

        def look(db: Database) -> list[list[Hit]]:
            number = find_scope(db, scope).num
            if number == UNSEEN:
                return [[] for _ in query]
            entries.catch_up(db, slot, number)
            return entries.nearest(db, slot, number, query, k, filters)

        with slot.lock:
            return self._connections.read(look)

    def lexical(self, scope: Scope, text: str, k: int, *, filters: Filters = NO_FILTERS) -> list[Hit]:
        narrowed = condition(filters)
        return self._connections.read(lambda db: words.search(db, find_scope(db, scope).num, text, k, narrowed))

    # -- vectors
    def vectors(self, texts: Sequence[str]) -> list[bytes | None]:
        return self._connections.read(lambda db: entries.vectors(db, texts))

    def pending_texts(self, scope: Scope, limit: int) -> list[str]:
        return self._connections.read(lambda db: entries.pending_texts(db, find_scope(db, scope).num, limit))

    def keep_vectors(self, embedded: Sequence[tuple[str, bytes]]) -> None:
        """Raises EmbedderError for what is no unit vector of the store's dimension."""
        self._connections.write(lambda db: entries.store_vectors(db, embedded))

    # -- records
    def write(self, write_id: str) -> WriteRow | None:
        return self._connections.read(lambda db: log.write(db, write_id))

    def write_by_key(self, scope: Scope, key: str) -> WriteRow | None:
        return self._connections.read(lambda db: log.write_by_key(db, find_scope(db, scope).num, key))

    def writes(self, scope: Scope | None = None, *, limit: int = 100, offset: int = 0) -> list[WriteRow]:
        return self._connections.read(
            lambda db: log.writes(db, None if scope is None else find_scope(db, scope).num, limit, offset)
        )

    def decisions(self, *, write_id: str | None = None, memory_id: str | None = None) -> list[Decision]:
        return self._connections.read(lambda db: log.decisions(db, write_id, memory_id))

    def fact(self, fact_id: str) -> Fact | None:
        return self._connections.read(lambda db: log.fact(db, fact_id))

    def recent_facts(self, scope: Scope, conversation_id: str, limit: int) -> list[Fact]:
        return self._connections.read(
            lambda db: log.recent_facts(db, find_scope(db, scope).num, conversation_id, limit)
        )

    def recent_messages(self, scope: Scope, conversation_id: str, limit: int) -> list[Message]:
        return self._connections.read(
            lambda db: log.recent_messages(db, find_scope(db, scope).num, conversation_id, limit)
        )

    def read_messages(self, scope: Scope, conversation_id: str, ids: Sequence[str]) -> dict[str, str]:
        return self._connections.read(lambda db: log.read_messages(db, find_scope(db, scope).num, conversation_id, ids))

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
