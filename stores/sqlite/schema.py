"""The tables, as a list of migrations; a function's name is its record in the file."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlite_utils import Database

from scrubjay.stores.sqlite import moments

Migration = Callable[[Database], None]

_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE scopes (
    num INTEGER PRIMARY KEY,
    user_id TEXT NOT NULL CHECK (user_id <> ''),
    agent_id TEXT NOT NULL,
    revision INTEGER NOT NULL DEFAULT 0,
    stamp INTEGER NOT NULL DEFAULT 0,
    entries INTEGER NOT NULL DEFAULT 0,
    worded INTEGER NOT NULL DEFAULT 0,
    tokens INTEGER NOT NULL DEFAULT 0,
    UNIQUE (user_id, agent_id)
) STRICT;
CREATE TABLE messages (
    num INTEGER PRIMARY KEY,
    scope INTEGER NOT NULL REFERENCES scopes (num),
    conversation_id TEXT NOT NULL,
    id TEXT NOT NULL,
    role TEXT NOT NULL,
    text TEXT NOT NULL,
    at TEXT NOT NULL,
    name TEXT,
    run_id TEXT,
    UNIQUE (scope, conversation_id, id)
) STRICT;
CREATE INDEX messages_by_conversation ON messages (scope, conversation_id, num);
CREATE TABLE facts (
    num INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    scope INTEGER NOT NULL REFERENCES scopes (num),
    conversation_id TEXT NOT NULL,
    write_id TEXT NOT NULL,
    text TEXT NOT NULL,
    normal TEXT NOT NULL,
    type TEXT NOT NULL,
    subject TEXT NOT NULL,
    attributes TEXT NOT NULL,
    modality TEXT NOT NULL,
    valid_from TEXT,
    valid_to TEXT,
    derived_from TEXT,
    retraction INTEGER NOT NULL,
    key TEXT NOT NULL,
    recorded_at TEXT NOT NULL
) STRICT;
CREATE INDEX facts_by_text ON facts (scope, normal);
CREATE INDEX facts_by_conversation ON facts (scope, conversation_id, num);
CREATE TABLE sources (
    num INTEGER PRIMARY KEY,
    scope INTEGER NOT NULL REFERENCES scopes (num),
    fact_id TEXT NOT NULL REFERENCES facts (id),
    message_id TEXT NOT NULL,
    quote TEXT NOT NULL,
    at TEXT NOT NULL,
    write_id TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    run_id TEXT,
    revision INTEGER NOT NULL,
    UNIQUE (fact_id, conversation_id, message_id, quote)
) STRICT;
CREATE TABLE memories (
    num INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    scope INTEGER NOT NULL REFERENCES scopes (num),
    version INTEGER NOT NULL,
    status TEXT NOT NULL,
    revision INTEGER NOT NULL,
    stamp INTEGER NOT NULL,
    tokens INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL
) STRICT;
CREATE INDEX memories_in_order ON memories (scope);
CREATE INDEX memories_by_status ON memories (scope, status, num);
CREATE INDEX memories_by_stamp ON memories (scope, stamp);
CREATE INDEX memories_by_revision ON memories (scope, revision);
CREATE TABLE memory_versions (
    memory INTEGER NOT NULL REFERENCES memories (num),
    version INTEGER NOT NULL CHECK (version > 0),
    text TEXT NOT NULL,
    hash TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('active', 'superseded', 'deleted', 'pending')),
    type TEXT NOT NULL,
    subject TEXT NOT NULL,
    attributes TEXT NOT NULL,
    valid_from TEXT,
    valid_to TEXT,
    metadata TEXT NOT NULL,
    recorded_at TEXT NOT NULL,
    write_id TEXT NOT NULL,
    revision INTEGER NOT NULL,
    PRIMARY KEY (memory, version)
) STRICT, WITHOUT ROWID;
CREATE TABLE memory_facts (
    memory INTEGER NOT NULL,
    version INTEGER NOT NULL,
    fact_id TEXT NOT NULL REFERENCES facts (id),
    standing TEXT NOT NULL CHECK (standing IN ('current', 'past', 'absorbed')),
    revision INTEGER NOT NULL,
    PRIMARY KEY (memory, version, fact_id),
    FOREIGN KEY (memory, version) REFERENCES memory_versions (memory, version)
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_facts_by_fact ON memory_facts (fact_id);
CREATE TABLE links (
    memory INTEGER NOT NULL,
    version INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('merged_into', 'supersedes', 'contradicts', 'related')),
    other INTEGER NOT NULL REFERENCES memories (num),
    revision INTEGER NOT NULL,
    PRIMARY KEY (memory, version, kind, other),
    FOREIGN KEY (memory, version) REFERENCES memory_versions (memory, version)
) STRICT, WITHOUT ROWID;
CREATE INDEX links_by_other ON links (other);
CREATE TABLE writes (
    num INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    scope INTEGER NOT NULL REFERENCES scopes (num),
    key TEXT NOT NULL CHECK (key <> ''),
    conversation_id TEXT NOT NULL,
    run_id TEXT,
    at TEXT NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('applied', 'dropped', 'empty', 'pending_review', 'failed')),
    incomplete TEXT NOT NULL,
    input TEXT NOT NULL,
    settings TEXT NOT NULL,
    calls TEXT NOT NULL,
    result TEXT NOT NULL,
    revision_read INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    UNIQUE (scope, key)
) STRICT;
CREATE TABLE decisions (
    num INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    scope INTEGER NOT NULL REFERENCES scopes (num),
    write_id TEXT NOT NULL,
    fact_number INTEGER,
    fact_id TEXT,
    action TEXT NOT NULL,
    outcome TEXT NOT NULL,
    body TEXT NOT NULL,
    at TEXT NOT NULL
) STRICT;
CREATE INDEX decisions_by_write ON decisions (write_id);
CREATE TABLE decision_memories (
    decision INTEGER NOT NULL REFERENCES decisions (num),
    position INTEGER NOT NULL,
    memory_id TEXT NOT NULL,
    part TEXT NOT NULL,
    PRIMARY KEY (decision, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX decision_memories_by_memory ON decision_memories (memory_id);
CREATE TABLE vectors (hash TEXT PRIMARY KEY, vector BLOB NOT NULL) STRICT;
CREATE TABLE memory_texts (
    memory INTEGER NOT NULL REFERENCES memories (num),
    hash TEXT NOT NULL,
    PRIMARY KEY (memory, hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_texts_by_hash ON memory_texts (hash);
CREATE TABLE terms (term TEXT PRIMARY KEY, memories INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE forgetting (scope INTEGER PRIMARY KEY REFERENCES scopes (num)) STRICT;
CREATE VIRTUAL TABLE words USING fts5 (
    body, tokenize = "ascii tokenchars '!""#$%&()*+,-./:;<=>?@[\\]^_`{|}~'''"
);
CREATE VIRTUAL TABLE word_places USING fts5vocab (words, instance);
"""

_BY_MEMORY = "(SELECT scope FROM memories WHERE num = OLD.memory)"
_IMMUTABLE = {
    "facts": "OLD.scope",
    "sources": "OLD.scope",
    "memory_versions": _BY_MEMORY,
    "memory_facts": _BY_MEMORY,
    "links": _BY_MEMORY,
    "decisions": "OLD.scope",
    "decision_memories": "(SELECT scope FROM decisions WHERE num = OLD.decision)",
}
"""table → where a row's scope is found"""


def create_first_tables(db: Database) -> None:
    """Everything of version 1.

    `scopes.stamp` counts changes of what the vector index of a scope holds and `scopes.entries` its rows;
    `memory_texts` are the texts by which an active memory is found. For BM25: `terms` says in how many memories a word
    stands, `scopes.worded` how many memories have words, `tokens` how many words a memory has, or all of a scope's.
    """
    db.executescript(_TABLES)
    for table, scope in _IMMUTABLE.items():
        _forbid_changes(db, table, scope)


def _forbid_changes(db: Database, table: str, scope: str) -> None:
    """No UPDATE ever; DELETE only while the scope has a row in `forgetting`, the way in for a hard delete."""
    _forbid_updates(db, table)
    db.execute(
        f"CREATE TRIGGER {table}_never_vanish BEFORE DELETE ON {table} "
        f"WHEN NOT EXISTS (SELECT 1 FROM forgetting WHERE forgetting.scope = {scope}) "
        f"BEGIN SELECT RAISE(ABORT, '{table} are kept for ever'); END"
    )


def _forbid_updates(db: Database, table: str) -> None:
    db.execute(
        f"CREATE TRIGGER {table}_never_change BEFORE UPDATE ON {table} "
        f"BEGIN SELECT RAISE(ABORT, '{table} are kept as they were written'); END"
    )


_WRITES = """
CREATE TABLE writes_anew (
    num INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    scope INTEGER NOT NULL REFERENCES scopes (num),
    key TEXT NOT NULL CHECK (key <> ''),
    conversation_id TEXT NOT NULL,
    run_id TEXT,
    at TEXT NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('applied', 'dropped', 'empty', 'pending_review', 'failed')),
    incomplete TEXT NOT NULL,
    input TEXT NOT NULL,
    settings TEXT NOT NULL,
    calls TEXT NOT NULL,
    result TEXT NOT NULL,
    revision_read INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    resumed_by TEXT
) STRICT;
INSERT INTO writes_anew SELECT *, NULL FROM writes;
DROP TABLE writes;
ALTER TABLE writes_anew RENAME TO writes;
CREATE UNIQUE INDEX writes_by_key ON writes (scope, key) WHERE resumed_by IS NULL;
CREATE INDEX writes_in_order ON writes (scope);
"""


def keep_resumed_writes(db: Database) -> None:
    """`writes.resumed_by`: a failed or incomplete write gives its key up to the next one and stays readable."""
    _run(db, _WRITES)


def keep_moments(db: Database) -> None:
    """When everything came in, ends of links and sources, and plans that wait for an approval."""
    _run(db, moments.TABLES)
    db.execute("DROP TRIGGER facts_never_change")
    _run(db, moments.FILL)
    _forbid_updates(db, "facts")
    _forbid_changes(db, "link_ends", _BY_MEMORY)
    _forbid_changes(db, "source_changes", "(SELECT scope FROM sources WHERE num = OLD.source)")


def _run(db: Database, script: str) -> None:
    """One by one: `executescript` would end the caller's transaction."""
    for statement in filter(str.strip, script.split(";")):
        db.execute(statement)


MIGRATIONS: tuple[Migration, ...] = (create_first_tables, keep_resumed_writes, keep_moments)
"""Append only; `PRAGMA user_version` is how many of them a file has seen. Never `table.transform()`: triggers go."""


def migrate(db: Database, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Run what the file has not seen yet. The caller holds the transaction, so all of it happens or nothing."""
    db.execute("CREATE TABLE IF NOT EXISTS migrations (position INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT")
    for position, migration in list(enumerate(migrations, 1))[version_of(db) :]:
        migration(db)
        db.execute("INSERT INTO migrations (position, name) VALUES (?, ?)", [position, migration.__name__])
        db.execute(f"PRAGMA user_version = {position}")


def version_of(db: Database) -> int:
    """How many migrations the file has seen."""
    return int(db.execute("PRAGMA user_version").fetchone()[0])
