"""Transactions and the names that SQLite's errors get here."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal, TypeVar

from sqlite_utils import Database

from scrubjay.stores.errors import InvalidInput, StoreBusy, StoreError, StoreUnreadable

Result = TypeVar("Result")

_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_UNREADABLE = {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT}


def atomic(
    db: Database, mode: Literal["IMMEDIATE", "DEFERRED"], path: str, work: Callable[[Database], Result]
) -> Result:
    """The only place where a transaction begins and ends; any error, ours too, rolls all of it back.

    IMMEDIATE takes the write lock at once (a read that turns into a write later cannot wait, it fails), DEFERRED gives
    a reader one unchanging picture. Errors of SQLite leave as StoreBusy, StoreUnreadable or StoreError. `work` is
    called, not yielded to: a Ctrl-C that falls between a generator's yield and the `with` block skips the rollback.
    """
    with translated(path):
        try:
            if db.conn.in_transaction:  # whoever was interrupted twice left it; nobody else uses this connection now
                db.conn.execute("ROLLBACK")
            db.conn.execute(f"BEGIN {mode}")
            result = work(db)
            db.conn.execute("COMMIT")
        except BaseException:
            if db.conn.in_transaction:
                db.conn.execute("ROLLBACK")
            raise
        return result


@contextmanager
def translated(path: str) -> Iterator[None]:
    """Turn SQLite's errors into the store's, which name the file."""
    try:
        yield
    except sqlite3.Error as error:
        raise _named(error, path) from error
    except UnicodeEncodeError as error:
        raise InvalidInput("a text holds a lone surrogate: clean it before it reaches the store") from error
    except OverflowError as error:
        raise InvalidInput("an integer does not fit into 64 bits") from error


def _named(error: sqlite3.Error, path: str) -> StoreError:
    code = getattr(error, "sqlite_errorcode", None)
    primary = None if code is None else code & 0xFF
    if primary in _BUSY:
        return StoreBusy(f"{path} is held by another process ({error}): try again, or raise busy_timeout")
    if primary in _UNREADABLE:
        return StoreUnreadable(f"{path} cannot be read ({error}): restore it from a copy")
    if primary == sqlite3.SQLITE_CANTOPEN:
        return StoreUnreadable(f"{path} cannot be opened or made ({error}): check its folder and the permissions there")
    if primary == sqlite3.SQLITE_FULL:
        return StoreError(f"no space is left for {path} ({error}): nothing was written; free some space")
    if primary == sqlite3.SQLITE_READONLY:
        return StoreError(f"{path} is read-only ({error}): nothing was written; check its permissions")
    if primary == sqlite3.SQLITE_CONSTRAINT:
        return StoreError(f"the rules of {path} refuse this ({error}): nothing was written")
    return StoreError(f"{path} failed ({error}): nothing was written")
