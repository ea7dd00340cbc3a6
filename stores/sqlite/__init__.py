"""The SQLite store: one file, several threads and processes, every write one transaction."""

from scrubjay.stores.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
