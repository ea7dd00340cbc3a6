"""Which write changed which memory: by a version, an absorbed fact, a link, or a source of a fact that it rests on."""

from __future__ import annotations

from sqlite_utils import Database

from scrubjay.stores.records import Touch
from scrubjay.stores.sqlite.rows import select

_VERSIONS = (
    "SELECT v.revision, v.memory, v.write_id FROM memories m JOIN memory_versions v ON v.memory = m.num"
    " WHERE m.scope = ? AND v.revision > ?"
)
"""links come and end with a version alone"""
_ABSORBED = (
    "SELECT f.revision, f.memory, NULL FROM memories m JOIN memory_facts f ON f.memory = m.num"
    " JOIN memory_versions v ON v.memory = f.memory AND v.version = f.version"
    " WHERE m.scope = ? AND f.revision > ? AND f.revision > v.revision"
)
_SOURCES = (
    "SELECT s.revision, f.memory, NULL FROM ("
    " SELECT fact_id, revision FROM sources WHERE scope = ? AND revision > ? UNION"
    " SELECT o.fact_id, c.revision FROM source_changes c JOIN sources o ON o.num = c.source"
    " WHERE o.scope = ? AND c.revision > ?) s"
    " JOIN memory_facts f ON f.fact_id = s.fact_id AND f.revision <= s.revision AND f.version = ("
    " SELECT max(x.version) FROM memory_versions x WHERE x.memory = f.memory AND x.revision <= s.revision)"
)
_MAKERS = "SELECT id, revision, min(moment) FROM writes WHERE scope = ? GROUP BY revision"
"""of the writes that left the scope at a revision, the first one made it"""


def touches(db: Database, scope: int, since: int) -> list[Touch]:
    """Of all writes after a revision, in order; a look through the scope's versions."""
    sql = (
        f"WITH changed (revision, memory, write_id) AS ({_VERSIONS} UNION {_ABSORBED} UNION {_SOURCES})"
        " SELECT DISTINCT c.revision, coalesce(c.write_id, w.id) AS write_id, m.id FROM changed c"
        f" JOIN memories m ON m.num = c.memory LEFT JOIN ({_MAKERS}) w ON w.revision = c.revision"
        " WHERE coalesce(c.write_id, w.id) IS NOT NULL ORDER BY c.revision, m.num"
    )
    rows = select(db, sql, scope, since, scope, since, scope, since, scope, since, scope)
    return [Touch(row["revision"], row["write_id"], row["id"]) for row in rows]
