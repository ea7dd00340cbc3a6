"""Look at a file before SQLite does: opening is enough to change a foreign file or to leave -wal files beside it."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from scrubjay.stores.errors import StoreTooNew, StoreUnreadable
from scrubjay.stores.sqlite.paths import check_place

APPLICATION_ID = 0x53435242
"""what `PRAGMA application_id` says of our files, "SCRB" """

_MAGIC = b"SQLite format 3\x00"
_HEADER = 100
_MOMENT = 0.1
_TABLES = {"memories", "memory_versions", "facts", "sources", "decisions", "writes", "words"}
"""some that every version has"""


def check_file(path: Path, newest: int, *, readonly: bool = False) -> None:
    """Refuse a file that is not ours, is cut short, or is newer than `newest`; a missing or empty one is fine.

    Reads the 100 bytes of SQLite's header (file format, section 1.3), then asks SQLite without the right to write: with
    a write-ahead log beside the file its version may be newer than the header says, without one the file must be whole.
    A file that looks damaged is looked at twice, since for a moment so does one that another process is just making.
    `readonly`: one that is missing or empty is refused too.
    """
    if readonly and not _read_header(path):
        raise StoreUnreadable(f"{path} holds no store: the first write to another path makes one")
    problem = _problem(path, newest)
    if problem:
        time.sleep(_MOMENT)
        problem = _problem(path, newest)
    if problem:
        raise StoreUnreadable(f"{path} {problem}; the file was left untouched")


def check_companion(path: Path, application_id: int, tables: set[str]) -> None:
    """The same for a file that is kept beside a store: SQLite's, and marked as ours or holding nothing but `tables`."""
    header = _read_header(path)
    if not header:
        return
    if len(header) < _HEADER or not header.startswith(_MAGIC):
        raise StoreUnreadable(f"{path} is no file of SQLite: move it away; it was left untouched")
    owner = _number(header, 68)
    if owner != application_id and (owner or _tables(path) - tables):
        raise StoreUnreadable(f"{path} is an SQLite file of another program: move it away; it was left untouched")


def _tables(path: Path) -> set[str]:
    how = "mode=ro" if _in_use(path) else "immutable=1"
    try:
        return {str(name) for (name,) in _ask(path, how, "SELECT name FROM sqlite_master WHERE type = 'table'")}
    except sqlite3.Error as error:
        raise StoreUnreadable(f"{path} cannot be read ({error}): move it away; it was left untouched") from error


def _problem(path: Path, newest: int) -> str:
    """What is wrong with the file, "" if nothing is; raises StoreTooNew."""
    header = _read_header(path)
    if not header:
        return ""
    if len(header) < _HEADER or not header.startswith(_MAGIC):
        return "is not a Scrubjay store: give another path"
    if _number(header, 68) != APPLICATION_ID:
        return "is an SQLite file of another program: give another path"
    version = _logged_version(path) if os.path.exists(f"{path}-wal") else _number(header, 60)
    check_version(path, max(version, _number(header, 60)), newest)
    if version == 0:
        return "is damaged, it has no schema version: restore it from a copy"
    damage = _damage(path, header)
    return f"is damaged, {damage}: restore it from a copy" if damage and not _in_use(path) else ""


def check_version(path: Path | str, version: int, newest: int) -> None:
    """Raise StoreTooNew for a schema that this code does not know."""
    if version > newest:
        raise StoreTooNew(
            f"{path} has schema version {version}, this scrubjay knows up to {newest}: "
            "upgrade scrubjay; the file was left untouched"
        )


def _read_header(path: Path) -> bytes:
    check_place(path)
    try:
        with open(path, "rb") as file:
            return file.read(_HEADER)
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise StoreUnreadable(f"{path} cannot be opened: {error.strerror}") from error


def _number(header: bytes, offset: int) -> int:
    return int.from_bytes(header[offset : offset + 4], "big")


def _in_use(path: Path) -> bool:
    """Somebody writes to the file, or was killed doing so: it is whole only together with the log or journal."""
    return any(os.path.exists(f"{path}{end}") for end in ("-wal", "-journal"))


def _damage(path: Path, header: bytes) -> str:
    page = int.from_bytes(header[16:18], "big")
    if path.stat().st_size < _number(header, 28) * (65536 if page == 1 else page):
        return "it is cut short"
    return _missing_tables(path)


def _missing_tables(path: Path) -> str:
    try:
        names = {str(name) for (name,) in _ask(path, "immutable=1", "SELECT name FROM sqlite_master")}
    except sqlite3.DatabaseError as error:
        return str(error)
    missing = sorted(_TABLES - names)
    return f"it lacks {', '.join(missing)}" if missing else ""


def _logged_version(path: Path) -> int:
    try:
        return int(_ask(path, "mode=ro", "PRAGMA user_version")[0][0])
    except sqlite3.Error as error:
        raise StoreUnreadable(f"{path} cannot be opened ({error}): it was left untouched") from error


def _ask(path: Path, how: str, sql: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True)) as connection:
        return connection.execute(sql).fetchall()
