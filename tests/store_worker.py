"""What other processes do to a store, for the tests of sharing: `python -m tests.store_worker NAME PATH …`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import closing

from scrubjay.stores.sqlite import SqliteStore, entries
from tests.store_backends import add, done


def add_twenty(path: str, first: str) -> None:
    """Twenty writes, one after the other."""
    with closing(SqliteStore.open(path)) as store:
        for number in range(int(first), int(first) + 20):
            done(store.commit(add(number, f"statement {number}")))


def die_in_the_middle(path: str) -> None:
    """Write, and be gone before the commit, as after `kill -9`."""
    entries.replace_texts = lambda *_: os._exit(9)
    SqliteStore.open(path).commit(add(2, "User has a dog"))


if __name__ == "__main__":
    commands: dict[str, Callable[..., None]] = {"add_twenty": add_twenty, "die_in_the_middle": die_in_the_middle}
    commands[sys.argv[1]](*sys.argv[2:])
