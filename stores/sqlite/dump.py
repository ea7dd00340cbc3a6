"""The whole store as plain rows, to compare two stores or one store before and after."""

from __future__ import annotations

from typing import Any

from sqlite_utils import Database

_COLUMNS = {"words": "rowid, body", "vectors": "hash, length(vector)"}
_INTERNAL = ("words_", "word_places", "sqlite_")


def dump(db: Database) -> list[tuple[Any, ...]]:
    """(table, column, column, …) for every row, in order; of vectors only their size, of words only what we put in."""
    tables = sorted(name for name in db.table_names() if not name.startswith(_INTERNAL))
    return [
        (table, *row)
        for table in tables
        for row in sorted(db.execute(f"SELECT {_COLUMNS.get(table, '*')} FROM {table}").fetchall(), key=repr)
    ]
