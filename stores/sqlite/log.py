"""Reading the record: writes, decisions, facts and messages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from sqlite_utils import Database

from scrubjay.stores.records import Decision, Fact, Message, WriteRow
from scrubjay.stores.sqlite.rows import Row, as_array, decision_of, fact_of, message_of, select, write_of

_WRITES = "SELECT w.*, sc.user_id, sc.agent_id FROM writes w JOIN scopes sc ON sc.num = w.scope"


def write(db: Database, write_id: str) -> WriteRow | None:
    return next((write_of(row) for row in select(db, f"{_WRITES} WHERE w.id = ?", write_id)), None)


def write_by_key(db: Database, scope: int, key: str) -> WriteRow | None:
    """The one that holds the key: of several, the last."""
    rows = select(db, f"{_WRITES} WHERE w.scope = ? AND w.key = ? AND w.resumed_by IS NULL", scope, key)
    return next((write_of(row) for row in rows), None)


def writes(db: Database, scope: int | None, limit: int, offset: int) -> list[WriteRow]:
    """Newest first; `scope` None means all."""
    where, params = ("", ()) if scope is None else (" WHERE w.scope = ?", (scope,))
    rows = select(db, f"{_WRITES}{where} ORDER BY w.num DESC LIMIT ? OFFSET ?", *params, limit, offset)
    return [write_of(row) for row in rows]


def reversals(db: Database, scope: int) -> list[WriteRow]:
    """Undos and redos, oldest first; `kind <> 'add'` is what the index of the few is on."""
    sql = f"{_WRITES} WHERE w.scope = ? AND w.kind <> 'add' AND w.kind IN ('undo', 'redo') ORDER BY w.num"
    return [write_of(row) for row in select(db, sql, scope)]


def decisions(db: Database, write_id: str | None, memory_id: str | None) -> list[Decision]:
    """Those that fit all that is given, oldest first."""
    where, params = ["1"], list[str]()
    if write_id is not None:
        where.append("write_id = ?")
        params.append(write_id)
    if memory_id is not None:
        where.append("num IN (SELECT decision FROM decision_memories WHERE memory_id = ?)")
        params.append(memory_id)
    return _with_memories(db, select(db, f"SELECT * FROM decisions WHERE {' AND '.join(where)} ORDER BY num", *params))


def _with_memories(db: Database, rows: list[dict[str, Any]]) -> list[Decision]:
    sql = (
        "SELECT decision, memory_id, part FROM decision_memories"
        " WHERE decision IN (SELECT value FROM json_each(?)) ORDER BY decision, position"
    )
    parts: defaultdict[int, list[tuple[str, str]]] = defaultdict(list)
    for row in select(db, sql, as_array(row["num"] for row in rows)):
        parts[row["decision"]].append((row["memory_id"], row["part"]))
    return [decision_of(row, parts[row["num"]]) for row in rows]


def fact(db: Database, fact_id: str) -> Fact | None:
    return next((fact_of(row) for row in select(db, "SELECT * FROM facts WHERE id = ?", fact_id)), None)


def recent_facts(db: Database, scope: int, conversation_id: str, limit: int) -> list[Fact]:
    """The last ones, oldest first."""
    return [fact_of(row) for row in _last(db, "facts", scope, conversation_id, limit)]


def recent_messages(db: Database, scope: int, conversation_id: str, limit: int) -> list[Message]:
    """The last ones, oldest first."""
    return [message_of(row) for row in _last(db, "messages", scope, conversation_id, limit)]


def read_messages(db: Database, scope: int, conversation_id: str, ids: Sequence[str]) -> dict[str, str]:
    """Text by id, of those that were read already."""
    sql = (
        "SELECT id, text FROM messages WHERE scope = ? AND conversation_id = ?"
        " AND id IN (SELECT value FROM json_each(?)) ORDER BY num"
    )
    return {row["id"]: row["text"] for row in select(db, sql, scope, conversation_id, as_array(ids))}


def _last(db: Database, table: str, scope: int, conversation_id: str, limit: int) -> list[Row]:
    sql = f"SELECT * FROM {table} WHERE scope = ? AND conversation_id = ? ORDER BY num DESC LIMIT ?"
    return list(reversed(select(db, sql, scope, conversation_id, max(limit, 0))))
