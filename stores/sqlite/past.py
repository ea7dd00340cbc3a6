"""The store as it was: one scope copied into a store in memory, up to a moment, and brought forward from there.

The copy is a store like any other, so a write that is run again meets the very code that it met the first time, and
may commit there. Rows keep their numbers, ids, revisions and moments; what is derived (words, texts, counts) is made
anew from them.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlite_utils import Database

from scrubjay.stores.records import Scope
from scrubjay.stores.sqlite import entries, words
from scrubjay.stores.sqlite.moments import moment_of, revision_at
from scrubjay.stores.sqlite.rows import Row, as_array, insert, select, text_hash
from scrubjay.stores.sqlite.scopes import UNSEEN, find_scope

_OF_SCOPE = "SELECT t.* FROM {} t WHERE t.scope = :scope"
_OF_MEMORY = "SELECT t.* FROM {} t JOIN memories m ON m.num = t.memory WHERE m.scope = :scope"
_BY_MOMENT = " AND t.moment > :since AND t.moment <= :until"
_BY_REVISION = " AND t.revision > :before AND t.revision <= :after"
_ROWS = {
    "messages": _OF_SCOPE + _BY_MOMENT,
    "facts": _OF_SCOPE + _BY_MOMENT,
    "sources": _OF_SCOPE + _BY_REVISION,
    "source_changes": "SELECT t.* FROM {} t JOIN sources s ON s.num = t.source WHERE s.scope = :scope" + _BY_REVISION,
    "memory_versions": _OF_MEMORY + _BY_REVISION,
    "memory_facts": _OF_MEMORY + _BY_REVISION,
    "links": _OF_MEMORY + _BY_REVISION,
    "link_ends": _OF_MEMORY + _BY_REVISION,
    "decisions": (
        "SELECT t.* FROM {} t JOIN writes w ON w.id = t.write_id"
        " WHERE w.scope = :scope AND w.moment > :since AND w.moment <= :until"
    ),
    "decision_memories": (
        "SELECT t.* FROM {} t JOIN decisions d ON d.num = t.decision JOIN writes w ON w.id = d.write_id"
        " WHERE w.scope = :scope AND w.moment > :since AND w.moment <= :until"
    ),
}
"""table → its rows of a stretch of time, in an order that foreign keys allow"""
_HEADS = """
SELECT m.num, m.id, m.scope, m.created_at, v.version, v.status, v.revision, 0 AS stamp
FROM memories m JOIN memory_versions v ON v.memory = m.num
WHERE m.scope = :scope AND v.version = (
    SELECT max(x.version) FROM memory_versions x WHERE x.memory = m.num AND x.revision <= :after
) AND v.revision > :before ORDER BY m.num
"""
_MOVED = "UPDATE memories SET version = :version, status = :status, revision = :revision WHERE num = :num"
_UNSETTLED = {"writes": "resumed_by", "proposals": "settled_by"}
"""table → the column that a later write fills in"""


def copy(source: Database, target: Database, scope: Scope, until: int) -> None:
    """Bring `target`, empty or an earlier copy of the same scope, to the state that `source` had at moment `until`."""
    number, since = find_scope(source, scope).num, moment_of(target)
    target.execute("UPDATE meta SET value = ? WHERE key = 'moment'", [str(until)])
    if number == UNSEEN:
        return
    _copy_scope(source, target, number)
    span = {
        "scope": number, "since": since, "until": until,
        "before": find_scope(target, scope).revision, "after": revision_at(source, number, until),
    }  # fmt: skip
    for table in ("messages", "facts", "sources", "source_changes"):
        _copy_rows(source, target, table, span)
    moved = _copy_heads(source, target, span)
    for table in ("memory_versions", "memory_facts", "links", "link_ends"):
        _copy_rows(source, target, table, span)
    _copy_log(source, target, span)
    _copy_vectors(source, target, span)
    target.execute("UPDATE scopes SET revision = ? WHERE num = ?", [span["after"], number])
    _refresh(target, number, moved)


def _copy_scope(source: Database, target: Database, number: int) -> None:
    """Its row, and the embedder that the vectors are of."""
    names = select(source, "SELECT num, user_id, agent_id FROM scopes WHERE num = ?", number)
    insert(target, "scopes", names, known="IGNORE")
    insert(target, "meta", select(source, "SELECT * FROM meta WHERE key = 'embedder'"), known="IGNORE")


def _copy_rows(source: Database, target: Database, table: str, span: dict[str, int]) -> list[dict[str, object]]:
    rows = list(source.query(_ROWS[table].format(table), span))
    insert(target, table, rows)
    return rows


def _copy_heads(source: Database, target: Database, span: dict[str, int]) -> list[int]:
    """Numbers of the memories that have a newer version than before."""
    heads = list(source.query(_HEADS, span))
    insert(target, "memories", heads, known="IGNORE")
    target.conn.executemany(_MOVED, heads)
    return [head["num"] for head in heads]


def _copy_log(source: Database, target: Database, span: dict[str, int]) -> None:
    """Writes, proposals and decisions; what a later write did to them has not happened yet."""
    for table, column in _UNSETTLED.items():
        sql = (
            f"SELECT t.*, (SELECT w.id FROM writes w WHERE w.id = t.{column} AND w.moment <= :until) AS then_{column}"
            f" FROM {table} t WHERE t.scope = :scope AND t.moment <= :until"
            f" AND (t.moment > :since OR t.{column} IS NOT NULL)"
        )
        rows = [_as_then(row, column) for row in source.query(sql, span)]
        target.conn.executemany(f"UPDATE {table} SET {column} = :{column} WHERE id = :id", rows)
        insert(target, table, [row for row in rows if row["moment"] > span["since"]])
    _copy_rows(source, target, "decisions", span)
    _copy_rows(source, target, "decision_memories", span)


def _as_then(row: dict[str, object], column: str) -> Row:
    then = row.pop(f"then_{column}")
    return {**row, column: then}


def _copy_vectors(source: Database, target: Database, span: dict[str, int]) -> None:
    """Those of the texts that came in, and those that texts from before were waiting for."""
    wanted = _new_texts(target, span) | _waited_for(source, target, span)
    known = {row["hash"] for row in select(target, f"SELECT hash {_AMONG}", as_array(wanted))}
    sql = f"SELECT hash, vector, moment {_AMONG} AND moment <= ?"
    new = select(source, sql, as_array(wanted - known), span["until"])
    insert(target, "vectors", new)
    if new:
        entries.mark_waiting(target, [row["hash"] for row in new])


_AMONG = "FROM vectors WHERE hash IN (SELECT value FROM json_each(?))"


def _new_texts(target: Database, span: dict[str, int]) -> set[str]:
    """Hashes of the texts of facts and versions that were just copied."""
    facts = "SELECT text FROM facts WHERE scope = :scope AND moment > :since"
    versions = (
        "SELECT t.text FROM memory_versions t JOIN memories m ON m.num = t.memory"
        " WHERE m.scope = :scope AND t.revision > :before"
    )
    return {text_hash(row["text"]) for row in target.query(f"{facts} UNION {versions}", span)}


def _waited_for(source: Database, target: Database, span: dict[str, int]) -> set[str]:
    """Hashes of vectors that came late, as far as an active memory of the copy is found by them."""
    late = source.query("SELECT hash FROM vectors WHERE moment > :since AND moment <= :until", span)
    sql = "SELECT hash FROM memory_texts WHERE hash IN (SELECT value FROM json_each(?))"
    return {row["hash"] for row in select(target, sql, as_array(row["hash"] for row in late))}


def _refresh(db: Database, scope: int, memories: Iterable[int]) -> None:
    """Words and texts of memories that moved."""
    sql = (
        "SELECT m.num, v.text, v.attributes, v.status, (SELECT json_group_array(f.text) FROM memory_facts mf"
        " JOIN facts f ON f.id = mf.fact_id WHERE mf.memory = m.num AND mf.version = m.version"
        " AND mf.standing = 'current') AS facts FROM memories m"
        " JOIN memory_versions v ON v.memory = m.num AND v.version = m.version"
        " WHERE m.num IN (SELECT value FROM json_each(?))"
    )
    texts: dict[int, list[str]] = {}
    for row in select(db, sql, as_array(memories)):
        texts[row["num"]] = words.relearn(db, scope, row)
    if texts:
        entries.replace_texts(db, scope, texts)
