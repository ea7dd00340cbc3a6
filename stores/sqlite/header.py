"""Look at a file before SQLite does: opening is enough to change a foreign file or to leave -wal files beside it."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from scrubjay.stores.errors import StoreTooNew, StoreUnreadable

APPLICATION_ID = 0x53435242
"""what `PRAGMA application_id` says of our files, "SCRB" """

_MAGIC = b"SQLite format 3\x00"
_HEADER = 100


def check_file(path: Path, newest: int) -> None:
    """Refuse a file that is not ours, is cut short, or is newer than `newest`; a missing or empty one is fine.

    Reads the 100 bytes of SQLite's header (file format, section 1.3) and, only if a write-ahead log lies beside the
    file, asks SQLite without the right to write, since the version may then be newer than the header says.
    """
    header = _read_header(path)
    if not header:
        return
    if len(header) < _HEADER or not header.startswith(_MAGIC):
        raise StoreUnreadable(f"{path} is not a Scrubjay store: give another path; the file was left untouched")
    if _number(header, 68) != APPLICATION_ID:
        raise StoreUnreadable(
            f"{path} is an SQLite file of another program: give another path; the file was left untouched"
        )
    logged = os.path.exists(f"{path}-wal")
    if not logged:
        _check_length(path, header)
    check_version(path, _logged_version(path) if logged else _number(header, 60), newest)


def check_version(path: Path | str, version: int, newest: int) -> None:
    """Raise StoreTooNew for a schema that this code does not know."""
    if version > newest:
        raise StoreTooNew(
            f"{path} has schema version {version}, this scrubjay knows up to {newest}: "
            "upgrade scrubjay; the file was left untouched"
        )


def _read_header(path: Path) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(_HEADER)
    except FileNotFoundError:
        if path.parent.is_dir():
            return b""
        raise StoreUnreadable(f"{path} cannot be made: the folder {path.parent} does not exist") from None
    except OSError as error:
        raise StoreUnreadable(f"{path} cannot be opened: {error.strerror}") from error


def _number(header: bytes, offset: int) -> int:
    return int.from_bytes(header[offset : offset + 4], "big")


def _check_length(path: Path, header: bytes) -> None:
    page = int.from_bytes(header[16:18], "big")
    expected = _number(header, 28) * (65536 if page == 1 else page)
    if path.stat().st_size < expected:
        raise StoreUnreadable(f"{path} is cut short: restore it from a copy; the file was left untouched")


def _logged_version(path: Path) -> int:
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        try:
            return int(connection.execute("PRAGMA user_version").fetchone()[0])
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise StoreUnreadable(f"{path} cannot be opened ({error}): it was left untouched") from error
