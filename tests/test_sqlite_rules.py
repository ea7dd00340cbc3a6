"""What the file itself enforces, whoever writes to it, and how its schema moves on."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlite_utils import Database

from scrubjay.stores.records import Link
from scrubjay.stores.sqlite import SqliteStore
from scrubjay.stores.sqlite.schema import MIGRATIONS, migrate, version_of
from tests.store_backends import ANA, add, change, the

KEPT = {
    "facts": "text = 'x'",
    "sources": "quote = 'x'",
    "memory_versions": "text = 'x'",
    "memory_facts": "standing = 'past'",
    "links": "kind = 'related'",
    "decisions": "body = '{}'",
    "decision_memories": "part = 'x'",
}
"""table → a change that somebody might try"""


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """A stranger's connection to a store with a row in each table that is kept."""
    with closing(SqliteStore.open(tmp_path / "memory.db")) as store:
        store.commit(add(1, "User lives in Seattle"))
        store.commit(add(2, "User lives in Austin", links=(Link("contradicts", "m1.1"),)))
    with closing(sqlite3.connect(tmp_path / "memory.db")) as opened:
        yield opened


@pytest.mark.parametrize("table", KEPT)
def test_what_is_kept_cannot_be_changed(connection: sqlite3.Connection, table: str) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="as they were written"):
        connection.execute(f"UPDATE {table} SET {KEPT[table]}")


@pytest.mark.parametrize("table", KEPT)
def test_what_is_kept_cannot_be_deleted(connection: sqlite3.Connection, table: str) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="for ever"):
        connection.execute(f"DELETE FROM {table}")


@pytest.mark.parametrize("table", KEPT)
def test_forgetting_a_scope_opens_the_way_for_its_rows(connection: sqlite3.Connection, table: str) -> None:
    connection.execute("INSERT INTO forgetting SELECT num FROM scopes WHERE user_id = 'ana'")
    connection.execute(f"DELETE FROM {table}")
    assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)


@pytest.mark.parametrize("table", KEPT)
def test_forgetting_another_scope_opens_nothing(connection: sqlite3.Connection, table: str) -> None:
    connection.execute("INSERT INTO scopes (user_id, agent_id) VALUES ('ben', '')")
    connection.execute("INSERT INTO forgetting SELECT num FROM scopes WHERE user_id = 'ben'")
    with pytest.raises(sqlite3.IntegrityError, match="for ever"):
        connection.execute(f"DELETE FROM {table}")


def make_a_shelf(db: Database) -> None:
    db.execute("CREATE TABLE shelf (id INTEGER)")


def fill_and_fail(db: Database) -> None:
    db.execute("INSERT INTO shelf VALUES (1)")
    raise RuntimeError("no")


def test_a_migration_runs_once_and_leaves_its_name() -> None:
    db = Database(sqlite3.connect(":memory:", isolation_level=None))
    migrate(db)
    migrate(db, (*MIGRATIONS, make_a_shelf))
    migrate(db, (*MIGRATIONS, make_a_shelf))
    names = [row["name"] for row in db.query("SELECT name FROM migrations ORDER BY position")]
    assert names == ["create_first_tables", "keep_resumed_writes", "keep_moments", "make_a_shelf"]
    assert version_of(db) == len(MIGRATIONS) + 1


def test_a_store_that_could_not_be_made_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrubjay.stores.sqlite.connections.MIGRATIONS", (*MIGRATIONS, make_a_shelf, fill_and_fail))
    monkeypatch.setattr("scrubjay.stores.sqlite.schema.migrate.__defaults__", ((make_a_shelf, fill_and_fail),))
    with pytest.raises(RuntimeError):
        SqliteStore.open(tmp_path / "memory.db")
    assert [path.stat().st_size for path in tmp_path.iterdir()] == [0]


def test_an_old_store_is_brought_up_to_date_with_its_rows_and_triggers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(SqliteStore.open(tmp_path / "memory.db")) as store:
        store.commit(add(1, "User lives in Seattle"))
    newer = (*MIGRATIONS, make_a_shelf)
    monkeypatch.setattr("scrubjay.stores.sqlite.connections.MIGRATIONS", newer)
    monkeypatch.setattr("scrubjay.stores.sqlite.schema.migrate.__defaults__", (newer,))
    with closing(SqliteStore.open(tmp_path / "memory.db")) as store:
        store.commit(change(2, the(store.get("m1.1")), "User lives in Austin"))
        assert store.meta()["schema_version"] == len(newer)
        assert [memory.text for memory in store.active(ANA)] == ["User lives in Austin"]
    with closing(sqlite3.connect(tmp_path / "memory.db")) as opened, pytest.raises(sqlite3.IntegrityError):
        opened.execute("DELETE FROM facts")
