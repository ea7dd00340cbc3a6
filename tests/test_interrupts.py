"""Ctrl-C at any moment: the store is as before or as after, nothing stays locked, and the same object goes on."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from scrubjay.graph.turnstile import Turnstile
from scrubjay.stores.errors import StoreBusy
from scrubjay.stores.records import Commit, Hit
from scrubjay.stores.sqlite import SqliteStore
from tests.store_backends import ANA, add, change, done, rows, the, vector, write

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
"""an interrupt that falls into the end of a generator is reported by Python and goes no further"""
EVERY = 7
"""moments are tried one in so many, from another start each, to keep the test short"""


@contextmanager
def interrupted_at(moment: int) -> Iterator[Callable[[], bool]]:
    """KeyboardInterrupt where Python looks for signals: on entry to a function and after a call into C.

    Only in our own code; yields what tells whether the moment came.
    """
    seen = 0

    def look(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal seen
        if event in ("call", "c_return") and frame.f_globals.get("__name__", "").startswith("scrubjay."):
            seen += 1
            if seen == moment:
                raise KeyboardInterrupt

    sys.setprofile(look)
    try:
        yield lambda: seen >= moment
    finally:
        sys.setprofile(None)


def moments(start: int, work: Callable[[], object]) -> Iterator[KeyboardInterrupt]:
    """Interrupt `work` at one moment after another until it gets through; the errors are kept, as a prompt would."""
    kept: list[KeyboardInterrupt] = []
    for moment in range(start, 100_000, EVERY):
        try:
            with interrupted_at(moment) as came:
                work()
                if not came():
                    return
        except KeyboardInterrupt as error:
            kept.append(error)
            yield error


def free(path: Path) -> bool:
    """Somebody else may write."""
    with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("ROLLBACK")
    return True


@pytest.mark.parametrize("start", range(1, EVERY + 1))
def test_an_interrupted_write_leaves_no_transaction_and_no_lock(start: int, tmp_path: Path) -> None:
    with closing(SqliteStore.open(tmp_path / "m.db", busy_timeout=0.0)) as store:
        for number, _ in enumerate(moments(start, lambda: store.commit(add(1, "User has a dog"))), 100):
            assert free(tmp_path / "m.db")
            assert done(store.commit(add(number, "User has a cat"))).id == f"w{number}"
        assert the(store.get("m1.1")).text == "User has a dog"


@pytest.mark.parametrize("start", range(1, EVERY + 1))
def test_an_interrupted_search_shows_nobody_an_old_picture(start: int, tmp_path: Path) -> None:
    with closing(SqliteStore.open(tmp_path / "m.db")) as store:
        store.commit(add(1, "a", "b"))
        for number, _ in enumerate(moments(start, lambda: store.nearest(ANA, rows(vector("q")), 3)), 2):
            store.commit(change(number, the(store.get("m1.1")), f"text {number}"))
            assert store.revision(ANA) == number
            assert store.nearest(ANA, rows(vector(f"text {number}")), 1) == [[Hit("m1.1", 1.0)]]


@pytest.mark.parametrize("start", range(1, EVERY + 1))
def test_an_interrupted_read_of_a_store_in_memory_blocks_no_write(start: int) -> None:
    with closing(SqliteStore.open(":memory:", busy_timeout=0.0)) as store:
        store.commit(add(1, "a"))
        for number, _ in enumerate(moments(start, lambda: store.active(ANA)), 2):
            assert done(store.commit(Commit(write(number), None))).id == f"w{number}"


def test_a_write_in_the_midst_of_a_write_of_the_same_thread_is_refused(tmp_path: Path) -> None:
    with closing(SqliteStore.open(tmp_path / "m.db")) as store:
        with pytest.raises(StoreBusy, match="this very thread"):
            store._connections.write(lambda db: store.commit(add(1, "User has a dog")))
        assert done(store.commit(add(1, "User has a dog"))).revision == 1


@pytest.mark.parametrize("start", range(1, EVERY + 1))
def test_an_interrupted_turn_blocks_nobody(start: int) -> None:
    turnstile = Turnstile()

    def turn() -> None:
        with turnstile.pass_(ANA):
            pass

    for _ in moments(start, turn):
        turn()
        assert turnstile._queues == {}
