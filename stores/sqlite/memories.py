"""Reading memories: one query for the versions, one each for their facts, sources and links, however many there are."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from sqlite_utils import Database

from scrubjay.stores.records import Fact, FactStanding, Filters, Link, Memory, Scope
from scrubjay.stores.sqlite.filters import COUNTS, condition
from scrubjay.stores.sqlite.rows import Row, as_array, fact_of, names_of, normal_hash, select, source_of

LATEST = 2**62
"""a revision later than any"""

T = TypeVar("T")

_VERSIONS = """
SELECT m.num, m.id, m.created_at, sc.user_id, sc.agent_id, v.*, n.recorded_at AS recorded_to,
    v.status = 'active' AND NOT EXISTS (SELECT 1 FROM vectors WHERE vectors.hash = v.hash) AS pending_embedding
FROM memories m
JOIN scopes sc ON sc.num = m.scope
JOIN memory_versions v ON v.memory = m.num
LEFT JOIN memory_versions n ON n.memory = v.memory AND n.version = v.version + 1 AND n.revision <= ?
"""
_NEWEST = "v.version = m.version"
_NEWEST_BY_THEN = (
    "v.version = (SELECT max(x.version) FROM memory_versions x WHERE x.memory = m.num AND x.revision <= ?)"
)
_WANTED = """
WITH wanted (memory, version) AS (
    SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?)
)
"""
_ENDED = (
    "SELECT 1 FROM link_ends e WHERE e.memory = l.memory AND e.kind = l.kind AND e.other = l.other"
    " AND e.version > l.version AND e.revision <= ?"
)
_BY_STANDING = "CASE mf.standing WHEN 'current' THEN 0 WHEN 'past' THEN 1 ELSE 2 END, mf.fact_id"


def one(db: Database, memory_id: str, version: int | None) -> Memory | None:
    """The newest version, or the one asked for."""
    which, params = (_NEWEST, ()) if version is None else ("v.version = ?", (version,))
    found = _complete(db, select(db, f"{_VERSIONS} WHERE m.id = ? AND {which}", LATEST, memory_id, *params), LATEST)
    return found[0] if found else None


def many(db: Database, memory_ids: Sequence[str], *, provenance: bool) -> list[Memory]:
    """Newest versions in the order asked for."""
    sql = f"{_VERSIONS} WHERE m.id IN (SELECT value FROM json_each(?)) AND {_NEWEST}"
    rows = select(db, sql, LATEST, as_array(memory_ids))
    found = {memory.id: memory for memory in _complete(db, rows, LATEST, provenance=provenance)}
    return [found[memory_id] for memory_id in memory_ids if memory_id in found]


def texts(db: Database, memory_ids: Sequence[str]) -> list[str]:
    """Of the newest versions in the order asked for."""
    sql = (
        "SELECT m.id, v.text FROM memories m JOIN memory_versions v ON v.memory = m.num AND v.version = m.version"
        " WHERE m.id IN (SELECT value FROM json_each(?))"
    )
    found = {row["id"]: row["text"] for row in select(db, sql, as_array(memory_ids))}
    return [found[memory_id] for memory_id in memory_ids if memory_id in found]


def history(db: Database, memory_id: str) -> list[Memory]:
    """Every version, oldest first."""
    rows = select(db, f"{_VERSIONS} WHERE m.id = ? ORDER BY v.version", LATEST, memory_id)
    return _complete(db, rows, LATEST)


def active(
    db: Database, scope: int, filters: Filters, revision: int | None, limit: int | None, offset: int
) -> list[Memory]:
    """Active memories, oldest first, as of a revision."""
    until = LATEST if revision is None else revision
    which, params = (f"m.status = 'active' AND {_NEWEST}", ()) if revision is None else (_NEWEST_BY_THEN, (revision,))
    narrowed = condition(filters, revision)
    sql = (
        f"{_VERSIONS} WHERE m.scope = ? AND {which} AND v.status = 'active'{narrowed.sql}"
        " ORDER BY m.num LIMIT ? OFFSET ?"
    )
    rows = select(db, sql, until, scope, *params, *narrowed.params, -1 if limit is None else limit, offset)
    return _complete(db, rows, until)


def stood(db: Database, memory_ids: Sequence[str], revision: int | None) -> dict[str, Memory]:
    """As of a revision, with their own links alone."""
    until = LATEST if revision is None else revision
    sql = f"{_VERSIONS} WHERE m.id IN (SELECT value FROM json_each(?)) AND {_NEWEST_BY_THEN} ORDER BY m.num"
    rows = select(db, sql, until, as_array(memory_ids), until)
    return {memory.id: memory for memory in _complete(db, rows, until, own=True)}


def stating(db: Database, scope: int, texts: Sequence[str]) -> list[list[tuple[str, Fact]]]:
    """For each text the active memories, oldest first, with a current fact that says it."""
    keys = [normal_hash(text) for text in texts]
    sql = (
        "SELECT m.id AS memory_id, f.* FROM facts f"
        " JOIN memory_facts mf ON mf.fact_id = f.id AND mf.standing = 'current'"
        " JOIN memories m ON m.num = mf.memory AND m.version = mf.version AND m.status = 'active'"
        " WHERE f.scope = ? AND f.normal IN (SELECT value FROM json_each(?)) ORDER BY m.num, f.id"
    )
    found: defaultdict[str, list[tuple[str, Fact]]] = defaultdict(list)
    for row in select(db, sql, scope, as_array(keys)):
        found[row["normal"]].append((row["memory_id"], fact_of(row)))
    return [found[key] for key in keys]


def _complete(
    db: Database, rows: Sequence[Row], until: int, *, provenance: bool = True, own: bool = False
) -> list[Memory]:
    """Add facts, sources and links as they were known at the end of revision `until`; `own`: no links of others."""
    if not rows:
        return []
    wanted = as_array([row["num"], row["version"]] for row in rows)
    facts = _grouped(_standings(db, wanted, until), lambda row: FactStanding(fact_of(row), row["standing"]))
    sources = _grouped(_sources(db, wanted, until) if provenance else [], source_of)
    linked = _links(db, wanted, until, own=own) if provenance else []
    links = _grouped(linked, lambda row: Link(row["kind"], row["other_id"]))
    return [
        _memory(row, facts[key], sources[key], links[key]) for row in rows for key in [(row["num"], row["version"])]
    ]


def _grouped(rows: Sequence[Row], make: Callable[[Row], T]) -> defaultdict[tuple[int, int], list[T]]:
    groups: defaultdict[tuple[int, int], list[T]] = defaultdict(list)
    for row in rows:
        groups[row["of_memory"], row["of_version"]].append(make(row))
    return groups


def _standings(db: Database, wanted: str, until: int) -> list[dict[str, Any]]:
    sql = (
        f"{_WANTED} SELECT w.memory AS of_memory, w.version AS of_version, mf.standing, f.* FROM wanted w"
        " JOIN memory_facts mf ON mf.memory = w.memory AND mf.version = w.version AND mf.revision <= ?"
        f" JOIN facts f ON f.id = mf.fact_id ORDER BY {_BY_STANDING}"
    )
    return select(db, sql, wanted, until)


def _sources(db: Database, wanted: str, until: int) -> list[dict[str, Any]]:
    sql = (
        f"{_WANTED} SELECT w.memory AS of_memory, w.version AS of_version, s.* FROM wanted w"
        " JOIN memory_facts mf ON mf.memory = w.memory AND mf.version = w.version AND mf.revision <= ?"
        f" JOIN sources s ON s.fact_id = mf.fact_id AND s.revision <= ? WHERE {COUNTS} ORDER BY {_BY_STANDING}, s.num"
    )
    return select(db, sql, wanted, until, until, until)


def _links(db: Database, wanted: str, until: int, *, own: bool) -> list[dict[str, Any]]:
    """Its own links of this version and earlier ones, and unless `own` the two kinds that are read from both ends."""
    mine = (
        "SELECT w.memory AS of_memory, w.version AS of_version, l.kind, o.id AS other_id FROM wanted w"
        " JOIN links l ON l.memory = w.memory AND l.version <= w.version JOIN memories o ON o.num = l.other"
        f" WHERE l.revision <= ? AND NOT EXISTS ({_ENDED} AND e.version <= w.version)"
    )
    others = (
        "SELECT w.memory, w.version, l.kind, o.id FROM wanted w"
        " JOIN links l ON l.other = w.memory AND l.kind IN ('contradicts', 'related')"
        f" JOIN memories o ON o.num = l.memory WHERE l.revision <= ? AND NOT EXISTS ({_ENDED})"
    )
    if own:
        return select(db, f"{_WANTED} {mine} ORDER BY 3, 4", wanted, until, until)
    return select(db, f"{_WANTED} {mine} UNION {others} ORDER BY 3, 4", wanted, until, until, until, until)


def _memory(row: Row, facts: list[FactStanding], sources: list[Any], links: list[Link]) -> Memory:
    return Memory(
        id=row["id"],
        scope=Scope(row["user_id"], row["agent_id"]),
        version=row["version"],
        text=row["text"],
        status=row["status"],
        type=row["type"],
        subject=row["subject"],
        attributes=names_of(row["attributes"]),
        valid_from=row["valid_from"],
        valid_to=row["valid_to"],
        recorded_from=row["recorded_at"],
        recorded_to=row["recorded_to"],
        created_at=row["created_at"],
        write_id=row["write_id"],
        metadata=json.loads(row["metadata"]),
        facts=tuple(facts),
        sources=tuple(sources),
        links=tuple(links),
        pending_embedding=bool(row["pending_embedding"]),
    )
