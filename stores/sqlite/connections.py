"""One connection that writes and a handful that read.

Why not one connection for all: a writer that waits for another process (up to the busy timeout) would hold every reader
of this process too; with a write-ahead log readers need not wait for anybody. (Measured with four reading threads: the
same throughput; while a writer waited 1.5 s, the slowest read took 1.5 s behind one lock and 0.1 s here.) Why not one a
thread: async nodes call the store from a pool of threads that come and go. Writers of one process queue at a lock,
which wakes the next one at once, where SQLite's busy handler sleeps.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable
from pathlib import Path

from sqlite_utils import Database

from scrubjay.stores.errors import StoreBusy, StoreError
from scrubjay.stores.sqlite.header import APPLICATION_ID, check_file, check_version
from scrubjay.stores.sqlite.paths import MEMORY
from scrubjay.stores.sqlite.schema import MIGRATIONS, migrate, version_of
from scrubjay.stores.sqlite.transactions import Result, atomic, translated

_IDLE_READERS = 8
_OLDEST = (3, 37)
"""STRICT tables"""


class Connections:
    """Hands out connections inside transactions; safe to share between threads."""

    def __init__(self, path: str, busy_timeout: float, *, readonly: bool = False) -> None:
        self._path, self._busy_timeout, self._readonly = path, busy_timeout, readonly
        self._write_lock = threading.RLock()
        self._mine = threading.local()
        self._pool_lock = threading.Lock()
        self._idle: list[Database] = []
        self._closed = False
        if sqlite3.sqlite_version_info < _OLDEST:
            raise StoreError(f"SQLite {sqlite3.sqlite_version} is too old, 3.37 is needed: use a newer Python")
        if path != MEMORY:
            check_file(Path(path), len(MIGRATIONS), readonly=readonly)
        self._writer = self._connect()
        try:
            self._prepare()
        except BaseException:
            self._writer.close()
            raise

    def write(self, work: Callable[[Database], Result]) -> Result:
        """`work` in a write transaction; one at a time in this process. Raises StoreBusy after the busy timeout."""
        self.check_writable()
        return self._alone(lambda: atomic(self._writer, "IMMEDIATE", self._path, work))

    def read(self, work: Callable[[Database], Result]) -> Result:
        """`work` in a read transaction: one unchanging picture of the store, whatever others write meanwhile."""
        if self._path == MEMORY:
            return self._alone(lambda: atomic(self._writer, "DEFERRED", self._path, work))
        reader = self._borrow()
        try:
            return atomic(reader, "DEFERRED", self._path, work)
        finally:
            self._give_back(reader)

    def _alone(self, work: Callable[[], Result]) -> Result:
        """`work` while no other thread uses the writer.

        An interrupt may fall between the taking of a lock and any note of it, so the lock itself must know whether this
        thread holds it: an RLock does, and refuses to be released by anybody else.
        """
        if getattr(self._mine, "inside", False):  # a signal handler, say, that writes in the midst of a write
            raise StoreBusy(f"{self._path} is in use by this very thread: finish that first")
        try:
            if not self._write_lock.acquire(timeout=self._busy_timeout):
                raise StoreBusy(f"{self._path} is held by another thread: try again, or raise busy_timeout")
            self._mine.inside = True
            self.check_open()
            return work()
        finally:
            self._mine.inside = False
            try:  # noqa: SIM105  suppress() is a call, and an interrupt could fall into it
                self._write_lock.release()
            except RuntimeError:
                pass  # never taken

    def check_open(self) -> None:
        """Raises StoreError after `close`."""
        if self._closed:
            raise StoreError(f"the store {self._path} is closed: open it again")

    def check_writable(self) -> None:
        """Raises StoreError after `close`, and where it was opened to be read only."""
        self.check_open()
        if self._readonly:
            raise StoreError(f"{self._path} is open read-only: check its permissions, or open another store")

    def close(self) -> None:
        """Close all; a second call does nothing. The last one to close folds the log into the file."""
        with self._write_lock, self._pool_lock:
            self._closed = True
            for db in [*self._idle, self._writer]:
                db.close()
            self._idle.clear()

    def _borrow(self) -> Database:
        with self._pool_lock:
            self.check_open()
            if self._idle:
                return self._idle.pop()
        reader = self._connect()
        reader.execute("PRAGMA query_only = ON")
        return reader

    def _give_back(self, reader: Database) -> None:
        with self._pool_lock:
            clean = not reader.conn.in_transaction  # else it would show the next reader an old picture
            if clean and not self._closed and len(self._idle) < _IDLE_READERS:
                self._idle.append(reader)
                return
        reader.close()

    def _connect(self) -> Database:
        name, uri = (self._uri(), True) if self._readonly else (self._path, False)
        with translated(self._path):
            connection = sqlite3.connect(
                name, timeout=self._busy_timeout, isolation_level=None, check_same_thread=False, uri=uri
            )
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA synchronous = NORMAL")
            return Database(connection, execute_plugins=False)

    def _uri(self) -> str:
        """Without the right to write; where nobody writes, also without the files that a log needs beside it."""
        quiet = not os.path.exists(f"{self._path}-wal")
        return f"{Path(self._path).as_uri()}?{'immutable=1' if quiet else 'mode=ro'}"

    def _prepare(self) -> None:
        """Bring the schema up to date, then switch to the write-ahead log.

        In this order, so that a new file's header names us before anything else can be seen of it.
        """
        with translated(self._path):
            found = version_of(self._writer)
        if self._readonly:
            return self._check_current(found)
        if found < len(MIGRATIONS):
            atomic(self._writer, "IMMEDIATE", self._path, self._migrate)
        check_version(self._path, found, len(MIGRATIONS))
        if self._path != MEMORY:
            switch_to_log(self._writer.conn, self._path, self._busy_timeout)

    def _check_current(self, found: int) -> None:
        if found < len(MIGRATIONS):
            raise StoreError(
                f"{self._path} has schema version {found}, this scrubjay reads {len(MIGRATIONS)}: "
                "open it once where it may be written, so that it is brought up to date"
            )

    def _migrate(self, db: Database) -> None:
        check_version(self._path, version_of(db), len(MIGRATIONS))
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        migrate(db)


def switch_to_log(connection: sqlite3.Connection, path: str, busy_timeout: float) -> None:
    """SQLite does not wait for the lock that this needs, so we do: another process may be opening the same file."""
    deadline = time.monotonic() + busy_timeout
    while True:
        try:
            with translated(path):
                connection.execute("PRAGMA journal_mode = WAL")
            return
        except StoreBusy:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.005)
