"""Moments: one counter over the whole file, moved by every commit and by vectors that come late.

Revisions say what a scope's memories were at some time; a moment says that of everything else as well (which messages
were read, which vectors were there, who held a key), so that a write can be run again against the store as it was.
"""

from __future__ import annotations

from sqlite_utils import Database

from scrubjay.stores.sqlite.rows import select

TABLES = """
ALTER TABLE writes ADD COLUMN kind TEXT NOT NULL DEFAULT 'add';
ALTER TABLE writes ADD COLUMN about TEXT NOT NULL DEFAULT '[]';
ALTER TABLE writes ADD COLUMN moment INTEGER NOT NULL DEFAULT 0;
ALTER TABLE messages ADD COLUMN moment INTEGER NOT NULL DEFAULT 0;
ALTER TABLE facts ADD COLUMN moment INTEGER NOT NULL DEFAULT 0;
ALTER TABLE vectors ADD COLUMN moment INTEGER NOT NULL DEFAULT 0;
CREATE INDEX writes_by_moment ON writes (scope, moment);
CREATE INDEX vectors_by_moment ON vectors (moment);
CREATE INDEX writes_of_other_kinds ON writes (scope, kind) WHERE kind <> 'add';
CREATE TABLE link_ends (
    memory INTEGER NOT NULL,
    version INTEGER NOT NULL,
    kind TEXT NOT NULL,
    other INTEGER NOT NULL REFERENCES memories (num),
    revision INTEGER NOT NULL,
    PRIMARY KEY (memory, version, kind, other),
    FOREIGN KEY (memory, version) REFERENCES memory_versions (memory, version)
) STRICT, WITHOUT ROWID;
CREATE TABLE source_changes (
    source INTEGER NOT NULL REFERENCES sources (num),
    revision INTEGER NOT NULL,
    withdrawn INTEGER NOT NULL,
    PRIMARY KEY (source, revision)
) STRICT, WITHOUT ROWID;
CREATE TABLE proposals (
    num INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    scope INTEGER NOT NULL REFERENCES scopes (num),
    write_id TEXT NOT NULL,
    body TEXT NOT NULL,
    at TEXT NOT NULL,
    moment INTEGER NOT NULL,
    settled_by TEXT
) STRICT;
CREATE INDEX proposals_in_order ON proposals (scope, settled_by);
CREATE INDEX proposals_by_write ON proposals (write_id);
"""

FILL = """
UPDATE writes SET moment = num;
UPDATE facts SET moment = coalesce((SELECT w.num FROM writes w WHERE w.id = facts.write_id), 0);
UPDATE messages SET moment = coalesce((
    SELECT min(w.num) FROM writes w, json_each(w.input, '$.messages') said
    WHERE w.scope = messages.scope AND w.conversation_id = messages.conversation_id
    AND json_extract(said.value, '$.id') = messages.id), 0);
INSERT INTO meta (key, value) SELECT 'moment', CAST(coalesce(max(num), 0) AS TEXT) FROM writes;
"""


def moment_of(db: Database) -> int:
    """The moment that this transaction sees; 0 for a new store."""
    return int(select(db, "SELECT value FROM meta WHERE key = 'moment'")[0]["value"])


def next_moment(db: Database) -> int:
    """Move on by one, in a write transaction."""
    moment = moment_of(db) + 1
    db.execute("UPDATE meta SET value = ? WHERE key = 'moment'", [str(moment)])
    return moment


def moment_at(db: Database, scope: int, time: str) -> int:
    """The moment of the scope's last write recorded at or before `time`, an ISO datetime with zone; 0 for none."""
    sql = "SELECT max(moment) AS moment FROM writes WHERE scope = ? AND julianday(at) <= julianday(?)"
    return int(select(db, sql, scope, time)[0]["moment"] or 0)


def revision_at(db: Database, scope: int, moment: int) -> int:
    """The scope's revision after all that happened up to a moment."""
    sql = "SELECT revision FROM writes WHERE scope = ? AND moment <= ? ORDER BY moment DESC LIMIT 1"
    rows = select(db, sql, scope, moment)
    return int(rows[0]["revision"]) if rows else 0
