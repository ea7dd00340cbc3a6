"""Opening files: ours, foreign, damaged, newer; and what happens when the disk or another writer is in the way."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlite_utils import Database

from scrubjay.stores.errors import InvalidInput, StoreBusy, StoreError, StoreTooNew, StoreUnreadable
from scrubjay.stores.sqlite import SqliteStore
from scrubjay.stores.sqlite.header import APPLICATION_ID
from scrubjay.stores.sqlite.schema import MIGRATIONS, migrate
from tests.store_backends import ANA, add, rows, vector


def filled(path: Path) -> list[tuple[object, ...]]:
    """Make a store with a few memories in it, close it, and return its rows."""
    with closing(SqliteStore.open(path)) as store:
        for number in range(1, 30):
            store.commit(add(number, *(f"statement {number} {n} " + "words " * 20 for n in range(5))))
        return store.dump()


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, byte for byte."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def text_file(path: Path) -> None:
    path.write_text("dear diary, " * 100)


def short_file(path: Path) -> None:
    path.write_bytes(b"SQLite format 3\x00")


def foreign_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE memories (id TEXT)")
        connection.commit()


def cut_store(path: Path) -> None:
    filled(path)
    path.write_bytes(path.read_bytes()[:-5000])


def store_with_a_broken_schema(path: Path) -> None:
    filled(path)
    whole = path.read_bytes()
    path.write_bytes(whole[:100] + b"\xff" * 3996 + whole[4096:])


def store_without_a_version(path: Path) -> None:
    filled(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 0")


def store_without_a_table(path: Path) -> None:
    filled(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE writes")


UNREADABLE = [
    text_file, short_file, foreign_database, cut_store, store_with_a_broken_schema, store_without_a_table,
    store_without_a_version,
]  # fmt: skip


@pytest.mark.parametrize("make", UNREADABLE)
def test_what_is_not_a_whole_store_is_refused_and_left_untouched(make: Callable[[Path], None], tmp_path: Path) -> None:
    make(tmp_path / "memory.db")
    before = contents(tmp_path)
    with pytest.raises(StoreUnreadable, match=r"memory\.db"):
        SqliteStore.open(tmp_path / "memory.db")
    assert contents(tmp_path) == before


def test_a_store_of_a_later_version_is_refused_and_left_untouched(tmp_path: Path) -> None:
    filled(tmp_path / "memory.db")
    with closing(sqlite3.connect(tmp_path / "memory.db")) as connection:
        connection.execute("PRAGMA user_version = 99")
    before = contents(tmp_path)
    with pytest.raises(StoreTooNew, match="99"):
        SqliteStore.open(tmp_path / "memory.db")
    assert contents(tmp_path) == before


def test_a_later_version_that_only_the_log_tells_is_refused_too(tmp_path: Path) -> None:
    filled(tmp_path / "memory.db")
    with closing(sqlite3.connect(tmp_path / "memory.db")) as connection:
        connection.execute("PRAGMA user_version = 99")
        before = {name: contents(tmp_path)[name] for name in ("memory.db", "memory.db-wal")}
        with pytest.raises(StoreTooNew, match="99"):
            SqliteStore.open(tmp_path / "memory.db")
        assert {name: contents(tmp_path)[name] for name in before} == before


def test_a_log_left_by_a_crash_is_not_folded_into_a_newer_file(tmp_path: Path) -> None:
    filled(tmp_path / "memory.db")
    (tmp_path / "crashed").mkdir()
    with closing(sqlite3.connect(tmp_path / "memory.db")) as connection:
        connection.execute("PRAGMA user_version = 99")
        for name in ("memory.db", "memory.db-wal"):
            (tmp_path / "crashed" / name).write_bytes((tmp_path / name).read_bytes())
    before = contents(tmp_path / "crashed")
    with pytest.raises(StoreTooNew):
        SqliteStore.open(tmp_path / "crashed" / "memory.db")
    assert {name: contents(tmp_path / "crashed").get(name) for name in before} == before


def test_a_log_left_by_a_crash_is_read(tmp_path: Path) -> None:
    (tmp_path / "crashed").mkdir()
    with closing(SqliteStore.open(tmp_path / "memory.db")) as store:
        store.commit(add(1, "User lives in Seattle"))
        for name in ("memory.db", "memory.db-wal"):
            (tmp_path / "crashed" / name).write_bytes((tmp_path / name).read_bytes())
        with closing(SqliteStore.open(tmp_path / "crashed" / "memory.db")) as saved:
            assert saved.dump() == store.dump()


def test_a_folder_is_no_store(tmp_path: Path) -> None:
    with pytest.raises(StoreUnreadable, match="cannot be opened"):
        SqliteStore.open(tmp_path)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreUnreadable, match="does not exist"):
        SqliteStore.open(tmp_path / "nowhere" / "memory.db")


@pytest.mark.parametrize("path", [None, 5, 3.5, True, b"x", ["m.db"], "", "a\0b", "\ud800.db", "file:zz?mode=memory"])
def test_what_is_no_path_is_refused(path: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidInput, match="path"):
        SqliteStore.open(path)
    assert contents(tmp_path) == {}


@pytest.mark.parametrize("path", ["new/", "memory.db/", "x" * 300, "memory.db/inside"])
def test_a_path_that_no_file_can_have_is_refused(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(tmp_path / "memory.db")
    before = contents(tmp_path)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StoreUnreadable):
        SqliteStore.open(path)
    assert contents(tmp_path) == before


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes have no place in the file system here")
def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "memory.db")
    with pytest.raises(StoreUnreadable, match="pipe"):
        SqliteStore.open(tmp_path / "memory.db")


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs a folder in which nobody may make a file")
def test_a_file_that_cannot_be_made_is_told_so() -> None:
    with pytest.raises(StoreUnreadable, match="cannot be opened or made"):
        SqliteStore.open("/proc/memory.db")


def test_a_store_stays_the_same_when_the_current_folder_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    with closing(SqliteStore.open("memory.db")) as store:
        store.commit(add(1, "User lives in Seattle"))
        monkeypatch.chdir(tmp_path / "elsewhere")
        assert store.count_active(ANA) == 1
    assert contents(tmp_path / "elsewhere") == {}


# -- only reading


def test_a_store_that_is_only_read_is_left_as_it_was_with_nothing_beside_it(tmp_path: Path) -> None:
    rows_of_it = filled(tmp_path / "memory.db")
    before = contents(tmp_path)
    with closing(SqliteStore.open(tmp_path / "memory.db", readonly=True)) as store:
        assert (store.dump(), store.lexical(ANA, "statement 7", 1) != []) == (rows_of_it, True)
        assert store.nearest(ANA, rows(vector("x")), 1)[0] != []
        with pytest.raises(StoreError, match="read-only"):
            store.commit(add(99, "User lives in Seattle"))
        assert contents(tmp_path) == before
    assert contents(tmp_path) == before


def test_a_file_that_may_not_be_written_is_only_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(tmp_path / "memory.db")
    before = contents(tmp_path)
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    with closing(SqliteStore.open(tmp_path / "memory.db")) as store:
        assert store.count_active(ANA) == 29 * 5
        assert contents(tmp_path) == before


def test_who_only_reads_sees_what_another_process_has_just_written(tmp_path: Path) -> None:
    filled(tmp_path / "memory.db")
    with closing(SqliteStore.open(tmp_path / "memory.db")) as writer:
        writer.commit(add(99, "User lives in Seattle"))
        with closing(SqliteStore.open(tmp_path / "memory.db", readonly=True)) as reader:
            assert reader.get("m99.1") == writer.get("m99.1")


def test_an_embedder_that_is_bound_is_compared_without_a_write(tmp_path: Path) -> None:
    with closing(SqliteStore.open(tmp_path / "memory.db")) as store:
        store.bind_embedder("use", 16, {"recall": 0.4})
    with closing(SqliteStore.open(tmp_path / "memory.db", readonly=True)) as store:
        assert store.bind_embedder("use", 16, {}) == {"recall": 0.4}


@pytest.mark.parametrize("make", [lambda path: path.touch(), lambda path: None])
def test_who_only_reads_makes_no_store(make: Callable[[Path], None], tmp_path: Path) -> None:
    make(tmp_path / "memory.db")
    before = contents(tmp_path)
    with pytest.raises(StoreUnreadable, match="no store"):
        SqliteStore.open(tmp_path / "memory.db", readonly=True)
    assert contents(tmp_path) == before


def test_an_older_store_that_may_only_be_read_says_what_to_do(tmp_path: Path) -> None:
    first_version(tmp_path / "memory.db")
    with pytest.raises(StoreError, match="open it once where it may be written"):
        SqliteStore.open(tmp_path / "memory.db", readonly=True)


def test_an_empty_file_becomes_a_store(tmp_path: Path) -> None:
    (tmp_path / "memory.db").touch()
    with closing(SqliteStore.open(tmp_path / "memory.db")) as store:
        store.commit(add(1, "User lives in Seattle"))
        assert store.count_active(ANA) == 1


def test_a_store_opens_again_as_it_was_and_leaves_one_file(tmp_path: Path) -> None:
    before = filled(tmp_path / "memory.db")
    assert list(contents(tmp_path)) == ["memory.db"]
    with closing(SqliteStore.open(str(tmp_path / "memory.db"))) as store:
        assert store.dump() == before
        assert store.path == str(tmp_path / "memory.db")


def first_version(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        db = Database(connection, execute_plugins=False)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        migrate(db, MIGRATIONS[:1])
        connection.execute("INSERT INTO scopes (num, user_id, agent_id) VALUES (1, 'ana', '')")
        values = "'w1', 1, 'key', 'talk', '', 'failed', '[]', '{}', '{}', '[]', '{}', 0, 0"
        columns = "id, scope, key, conversation_id, at, outcome, incomplete, input, settings, calls, result"
        connection.execute(f"INSERT INTO writes ({columns}, revision_read, revision) VALUES ({values})")


def test_a_store_of_the_first_version_is_brought_up_to_date_and_keeps_its_writes(tmp_path: Path) -> None:
    first_version(tmp_path / "memory.db")
    with closing(SqliteStore.open(tmp_path / "memory.db")) as store:
        kept = store.write_by_key(ANA, "key")
        assert kept is not None and (kept.id, kept.outcome, kept.resumed_by) == ("w1", "failed", None)


def test_a_page_that_is_damaged_is_told_when_it_is_read(tmp_path: Path) -> None:
    filled(tmp_path / "memory.db")
    whole = (tmp_path / "memory.db").read_bytes()
    (tmp_path / "memory.db").write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    with pytest.raises(StoreUnreadable), closing(SqliteStore.open(tmp_path / "memory.db")) as store:
        store.active(ANA)


def test_a_full_disk_leaves_the_store_as_it_was(tmp_path: Path) -> None:
    filled(tmp_path / "memory.db")
    with closing(SqliteStore.open(tmp_path / "memory.db")) as store:
        before = store.dump()
        store._connections._writer.execute("PRAGMA max_page_count = 1")
        with pytest.raises(StoreError, match="no space"):
            store.commit(add(99, "User " + "reads " * 5000))
        assert store.dump() == before


def test_a_read_only_file_is_named_when_written_to(tmp_path: Path) -> None:
    filled(tmp_path / "memory.db")
    with closing(SqliteStore.open(tmp_path / "memory.db")) as store:
        store._connections._writer.execute("PRAGMA query_only = ON")
        with pytest.raises(StoreError, match="read-only"):
            store.commit(add(99, "User lives in Seattle"))


def test_a_writer_that_waits_too_long_is_told_so_and_readers_do_not_wait(tmp_path: Path) -> None:
    filled(tmp_path / "memory.db")
    with (
        closing(SqliteStore.open(tmp_path / "memory.db", busy_timeout=0.05)) as store,
        closing(sqlite3.connect(tmp_path / "memory.db", isolation_level=None)) as other,
    ):
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy, match="busy_timeout"):
            store.commit(add(99, "User lives in Seattle"))
        assert store.count_active(ANA) == 29 * 5
        other.execute("ROLLBACK")
        assert store.commit(add(99, "User lives in Seattle")) is not None


@pytest.mark.parametrize("path", [":memory:", "memory.db"])
def test_a_closed_store_says_so_and_closes_twice(path: str, tmp_path: Path) -> None:
    store = SqliteStore.open(path if path == ":memory:" else tmp_path / path)
    store.close()
    store.close()
    for use in (lambda: store.count_active(ANA), lambda: store.commit(add(1, "User lives in Seattle"))):
        with pytest.raises(StoreError, match="closed"):
            use()


def test_an_sqlite_that_is_too_old_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 36, 0))
    with pytest.raises(StoreError, match="3.37"):
        SqliteStore.open(":memory:")


def test_stores_in_memory_are_apart(tmp_path: Path) -> None:
    with closing(SqliteStore.open(":memory:")) as one, closing(SqliteStore.open(":memory:")) as other:
        one.commit(add(1, "User lives in Seattle"))
        assert (one.count_active(ANA), other.count_active(ANA)) == (1, 0)
        assert other.nearest(ANA, rows(vector("User lives in Seattle")), 1) == [[]]
