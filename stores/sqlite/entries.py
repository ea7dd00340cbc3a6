"""What the vector index of a scope is made of: the texts of active memories, their vectors, and when they changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from sqlite_utils import Database

from scrubjay.stores.records import Filters, Hit
from scrubjay.stores.sqlite.filters import condition
from scrubjay.stores.sqlite.rows import as_array, insert, select, text_hash
from scrubjay.stores.vectors import Numbers, Rows, ScopeIndex, Slot, check_unit, unit_rows

_WITH_VECTOR = "SELECT count(*) AS n FROM memory_texts t JOIN vectors x ON x.hash = t.hash WHERE t.memory"


def dimension_of(db: Database) -> int | None:
    """The embedder's, else that of any vector stored."""
    sql = (
        "SELECT coalesce((SELECT json_extract(value, '$.dimension') FROM meta WHERE key = 'embedder'),"
        " (SELECT length(vector) / 4 FROM vectors LIMIT 1)) AS n"
    )
    found = select(db, sql)[0]["n"]
    return None if found is None else int(found)


def store_vectors(db: Database, embedded: Iterable[tuple[str, bytes]], moment: int) -> None:
    """Keep vectors by the hash of their text; memories that waited for one of them are marked as changed."""
    blobs = {text_hash(text): vector for text, vector in embedded}
    unit_rows(list(blobs.values()), dimension_of(db))
    known = _existing(db, blobs)
    new = {key: vector for key, vector in blobs.items() if key not in known}
    insert(db, "vectors", [{"hash": key, "vector": vector, "moment": moment} for key, vector in new.items()])
    if new:
        mark_waiting(db, new)


def vectors(db: Database, texts: Sequence[str]) -> list[bytes | None]:
    """Stored vectors in the order of the texts."""
    sql = "SELECT hash, vector FROM vectors WHERE hash IN (SELECT value FROM json_each(?))"
    keys = [text_hash(text) for text in texts]
    found = {row["hash"]: row["vector"] for row in select(db, sql, as_array(keys))}
    return [found.get(key) for key in keys]


def pending_texts(db: Database, scope: int, limit: int) -> list[str]:
    """Texts that active memories would be found by if they had a vector; a walk over the scope's texts."""
    waiting = select(db, _WAITING, scope, limit)
    hashes = {row["hash"] for row in waiting}
    sql = (
        "SELECT m.num, 0 AS fact, v.text FROM memories m"
        " JOIN memory_versions v ON v.memory = m.num AND v.version = m.version"
        " WHERE m.num IN (SELECT value FROM json_each(:these))"
        " UNION ALL SELECT m.num, 1, f.text FROM memories m"
        " JOIN memory_facts mf ON mf.memory = m.num AND mf.version = m.version AND mf.standing = 'current'"
        " JOIN facts f ON f.id = mf.fact_id WHERE m.num IN (SELECT value FROM json_each(:these)) ORDER BY 1, 2, 3"
    )
    these = as_array({row["memory"] for row in waiting})
    texts = [row["text"] for row in db.query(sql, {"these": these})]
    return [text for text in dict.fromkeys(texts) if text_hash(text) in hashes][:limit]


def replace_texts(db: Database, scope: int, texts: dict[int, list[str]]) -> None:
    """Memory number → the texts that it is found by now, none for one that is not active."""
    touched = as_array(texts)
    before = _with_vector(db, touched)
    db.execute("DELETE FROM memory_texts WHERE memory IN (SELECT value FROM json_each(?))", [touched])
    rows = [{"memory": memory, "hash": text_hash(text)} for memory, of_it in texts.items() for text in of_it]
    insert(db, "memory_texts", rows, known="IGNORE")
    gained = _with_vector(db, touched) - before
    db.execute("UPDATE scopes SET stamp = stamp + 1, entries = entries + ? WHERE num = ?", [gained, scope])
    sql = (
        "UPDATE memories SET stamp = (SELECT stamp FROM scopes WHERE num = ?)"
        " WHERE num IN (SELECT value FROM json_each(?))"
    )
    db.execute(sql, [scope, touched])


def catch_up(db: Database, slot: Slot, scope: int) -> None:
    """Bring a slot to the state that this read transaction sees: what changed since, or all if counts disagree."""
    state = select(db, "SELECT stamp, entries FROM scopes WHERE num = ?", scope)[0]
    if slot.stamp == state["stamp"] and slot.index is not None:
        return
    slot.changed()
    if slot.index is not None and slot.stamp < state["stamp"]:
        changed = [row["num"] for row in select(db, _CHANGED, scope, slot.stamp)]
        slot.index.update(changed, *_rows(db, scope, slot.stamp, slot.index.dimension))
    if slot.index is None or slot.stamp > state["stamp"] or len(slot.index) != state["entries"]:
        slot.index = _rebuilt(db, scope)
    slot.stamp = state["stamp"]


def nearest(db: Database, slot: Slot, scope: int, query: Rows, k: int, filters: Filters) -> list[list[Hit]]:
    """The k best for each row of the query; the slot's index must be caught up."""
    if slot.index is None or len(slot.index) == 0:
        return [[] for _ in query]
    unit, admitted = check_unit(query, slot.index.dimension), _admitted(db, scope, filters)
    found = slot.search(unit, k) if admitted is None else slot.index.search(unit, k, admitted)
    sql = "SELECT num, id FROM memories WHERE num IN (SELECT value FROM json_each(?))"
    numbers = as_array({number for hits in found for number, _ in hits})
    ids = {row["num"]: row["id"] for row in select(db, sql, numbers)}
    ranked = [
        sorted((Hit(ids[n], score) for n, score in hits), key=lambda h: (-h.score, h.memory_id)) for hits in found
    ]
    return [hits[:k] for hits in ranked]


_WAITING = (
    "SELECT t.memory, t.hash FROM memories m JOIN memory_texts t ON t.memory = m.num"
    " WHERE m.scope = ? AND m.status = 'active' AND NOT EXISTS (SELECT 1 FROM vectors x WHERE x.hash = t.hash)"
    " ORDER BY m.num LIMIT ?"
)
_CHANGED = "SELECT num FROM memories WHERE scope = ? AND stamp > ?"


def _admitted(db: Database, scope: int, filters: Filters) -> Numbers | None:
    """Numbers of the memories that SQL lets through; None when nothing is filtered."""
    narrowed = condition(filters)
    if not narrowed.sql:
        return None
    sql = (
        "SELECT m.num FROM memories m JOIN memory_versions v ON v.memory = m.num AND v.version = m.version"
        f" WHERE m.scope = ? AND m.status = 'active'{narrowed.sql}"
    )
    return np.array(db.execute(sql, (scope, *narrowed.params)).fetchall(), dtype=np.int64).reshape(-1)


def _rebuilt(db: Database, scope: int) -> ScopeIndex | None:
    dimension = dimension_of(db)
    if dimension is None:
        return None
    index = ScopeIndex(dimension)
    index.update((), *_rows(db, scope, -1, dimension))
    return index


def _rows(db: Database, scope: int, since: int, dimension: int) -> tuple[Numbers, Rows]:
    sql = (
        "SELECT m.num, x.vector FROM memories m INDEXED BY memories_by_stamp JOIN memory_texts t ON t.memory = m.num"
        " JOIN vectors x ON x.hash = t.hash WHERE m.scope = ? AND m.stamp > ? ORDER BY m.num, t.hash"
    )
    rows = select(db, sql, scope, since)
    return np.array([row["num"] for row in rows], dtype=np.int64), unit_rows([row["vector"] for row in rows], dimension)


def _existing(db: Database, hashes: Iterable[str]) -> set[str]:
    sql = "SELECT hash FROM vectors WHERE hash IN (SELECT value FROM json_each(?))"
    return {row["hash"] for row in select(db, sql, as_array(hashes))}


def _with_vector(db: Database, memories: str) -> int:
    return int(select(db, f"{_WITH_VECTOR} IN (SELECT value FROM json_each(?))", memories)[0]["n"])


def mark_waiting(db: Database, hashes: Iterable[str]) -> None:
    """Active memories, of any scope, whose text had no vector until now: texts are embedded once for all."""
    sql = (
        "SELECT m.scope, m.num FROM memory_texts t JOIN memories m ON m.num = t.memory"
        " WHERE t.hash IN (SELECT value FROM json_each(?))"
    )
    waiting = select(db, sql, as_array(hashes))
    for row in waiting:
        db.execute("UPDATE scopes SET stamp = stamp + 1, entries = entries + 1 WHERE num = ?", [row["scope"]])
        db.execute(
            "UPDATE memories SET stamp = (SELECT stamp FROM scopes WHERE num = ?) WHERE num = ?",
            [row["scope"], row["num"]],
        )
