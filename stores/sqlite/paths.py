"""What may be given as the path of a store."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from scrubjay.stores.errors import InvalidInput, StoreUnreadable

MEMORY = ":memory:"


def check_path(path: object) -> str:
    """The path as absolute text, so that the store stays where it is when the current folder changes; MEMORY as it is.

    Raises InvalidInput for what is no path and StoreUnreadable for what is no place for a file.
    """
    if not isinstance(path, (str, os.PathLike)) or not isinstance(name := os.fspath(path), str):
        raise InvalidInput(f"the path of a store is {path!r}: give text or a Path, or {MEMORY!r}")
    if name == MEMORY:
        return name
    if not name or "\0" in name or any("\ud800" <= c <= "\udfff" for c in name):
        raise InvalidInput(f"the path of a store is {name!r}: it must not be empty, nor hold NUL or half a character")
    if name.startswith("file:"):
        raise InvalidInput(f"the path of a store is {name!r}: give a path, not a URI; {MEMORY!r} for none on disk")
    if name.endswith(("/", os.sep)):
        raise StoreUnreadable(f"{name} names a folder: give the path of a file in it")
    return os.path.abspath(name)


def check_place(path: Path) -> None:
    """Raises StoreUnreadable unless there is a file, or room for one: a pipe would be waited for, a device emptied."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        if not path.parent.is_dir():
            raise StoreUnreadable(f"{path} cannot be made: the folder {path.parent} does not exist") from None
        return
    except OSError as error:
        raise StoreUnreadable(f"{path} cannot be opened: {error.strerror}") from error
    if stat.S_ISDIR(mode):
        raise StoreUnreadable(f"{path} cannot be opened: it is a folder, give the path of a file")
    if not stat.S_ISREG(mode):
        raise StoreUnreadable(f"{path} cannot be opened: it is a device or a pipe, give the path of a file")


def may_write(path: Path) -> bool:
    """Whether this process may change the file and, where no log lies beside it yet, make one."""
    if not os.path.exists(path):
        return True
    return os.access(path, os.W_OK) and (os.path.exists(f"{path}-wal") or os.access(path.parent, os.W_OK))
