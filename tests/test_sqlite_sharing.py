"""One file, many hands: threads of a process, several stores, several processes, and one that is killed."""

from __future__ import annotations

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from sqlite_utils import Database

from scrubjay.stores.records import Committed, Conflict, Hit, Scope
from scrubjay.stores.sqlite import SqliteStore
from tests.store_backends import ANA, BEN, DIMENSION, add, change, done, rows, the, vector


def run(*calls: tuple[str, ...]) -> list[int]:
    """Run tests/store_worker.py with each of the argument lists at the same time and return the exit codes."""
    root = Path(__file__).parent.parent
    started = [subprocess.Popen([sys.executable, "-m", "tests.store_worker", *call], cwd=root) for call in calls]
    return [process.wait() for process in started]


def test_processes_that_open_and_write_at_once_lose_nothing(tmp_path: Path) -> None:
    path = str(tmp_path / "memory.db")
    assert run(*(("add_twenty", path, first) for first in ("100", "200", "300"))) == [0, 0, 0]
    with closing(SqliteStore.open(path)) as store:
        assert (store.count_active(ANA), store.revision(ANA)) == (60, 60)
        assert len(store.nearest(ANA, rows(vector("q")), 99)[0]) == 60


def test_a_process_killed_in_a_write_leaves_nothing_of_it(tmp_path: Path) -> None:
    path = str(tmp_path / "memory.db")
    with closing(SqliteStore.open(path)) as store:
        store.commit(add(1, "User lives in Seattle"))
        before = store.dump()
    assert run(("die_in_the_middle", path)) == [9]
    with closing(SqliteStore.open(path)) as store:
        assert store.dump() == before
        assert done(store.commit(add(2, "User has a dog"))).revision == 2


def test_one_store_finds_what_another_wrote_changed_and_retired(tmp_path: Path) -> None:
    with closing(SqliteStore.open(tmp_path / "m.db")) as one, closing(SqliteStore.open(tmp_path / "m.db")) as other:
        one.commit(add(1, "a", "b", "c"))
        assert len(other.nearest(ANA, rows(vector("q")), 9)[0]) == 3
        one.commit(change(2, the(one.get("m1.1")), "new a"))
        one.commit(change(3, the(one.get("m1.2")), "b", "deleted"))
        one.commit(add(4, "d"))
        assert other.nearest(ANA, rows(vector("new a"), vector("d")), 1) == [[Hit("m1.1", 1.0)], [Hit("m4.1", 1.0)]]
        assert {hit.memory_id for hit in other.nearest(ANA, rows(vector("b")), 9)[0]} == {"m1.1", "m1.3", "m4.1"}


def test_two_plans_made_on_the_same_revision_cannot_both_be_carried_out(tmp_path: Path) -> None:
    with closing(SqliteStore.open(tmp_path / "m.db")) as one, closing(SqliteStore.open(tmp_path / "m.db")) as other:
        assert isinstance(one.commit(add(1, "a", expected=0)), Committed)
        assert other.commit(add(2, "a", expected=0)) == Conflict(1, ("m1.1",))


@pytest.mark.parametrize("path", [":memory:", "memory.db"])
def test_threads_share_one_store(path: str, tmp_path: Path) -> None:
    with closing(SqliteStore.open(path if path == ":memory:" else tmp_path / path)) as store:

        def use(number: int) -> bool:
            store.commit(add(number, f"statement {number}"))
            (hits,) = store.nearest(ANA, rows(vector(f"statement {number}")), 1)
            return hits == [Hit(f"m{number}.1", 1.0)] and store.lexical(ANA, f"{number}", 5) != []

        with ThreadPoolExecutor(8) as pool:
            assert all(pool.map(use, range(1, 41)))
        assert store.revision(ANA) == 40


def test_a_reader_sees_one_state_and_waits_for_no_writer(tmp_path: Path) -> None:
    with closing(SqliteStore.open(tmp_path / "m.db")) as store:
        store.commit(add(1, "a"))

        def write(db: Database) -> int:
            db.execute("UPDATE scopes SET revision = 7")
            with ThreadPoolExecutor(1) as pool:
                return pool.submit(store.revision, ANA).result(timeout=60)

        assert store._connections.write(write) == 1
        assert store.revision(ANA) == 7


def test_the_vector_index_is_made_anew_when_its_rows_do_not_add_up(tmp_path: Path) -> None:
    with closing(SqliteStore.open(tmp_path / "m.db")) as store:
        store.commit(add(1, "a", "b"))
        store.nearest(ANA, rows(vector("a")), 1)
        slot = store._indexes.slot(ANA)
        assert slot.index is not None
        slot.index.update([1], np.empty(0, dtype=np.int64), np.empty((0, DIMENSION), dtype=np.float32))
        store.commit(add(2, "c"))
        assert len(store.nearest(ANA, rows(vector("a")), 9)[0]) == 3


def test_scopes_beyond_the_cache_are_still_answered(tmp_path: Path) -> None:
    with closing(SqliteStore.open(":memory:")) as store:
        for number in range(1, 81):
            store.commit(add(number, "a", scope=Scope(f"user {number}")))
            store.nearest(Scope(f"user {number}"), rows(vector("a")), 1)
        assert store.nearest(Scope("user 1"), rows(vector("a")), 1) == [[Hit("m1.1", 1.0)]]


def test_a_search_in_one_scope_does_not_wait_for_another(tmp_path: Path) -> None:
    with closing(SqliteStore.open(tmp_path / "m.db")) as store:
        store.commit(add(1, "a", scope=BEN))
        found: list[list[Hit]] = []
        with store._indexes.slot(ANA).lock:
            thread = threading.Thread(target=lambda: found.extend(store.nearest(BEN, rows(vector("a")), 1)))
            thread.start()
            thread.join(timeout=60)
        assert found == [[Hit("m1.1", 1.0)]]


def test_reading_does_not_pay_for_faiss(tmp_path: Path) -> None:
    code = (
        "import sys; from scrubjay.stores.sqlite import SqliteStore; from scrubjay.stores.records import Scope;"
        f"store = SqliteStore.open({str(tmp_path / 'm.db')!r}); store.active(Scope('ana')); store.get('m');"
        "store.lexical(Scope('ana'), 'tea', 5); store.close();"
        "print('faiss' in sys.modules, 'langgraph' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["False", "False"]
