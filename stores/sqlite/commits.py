"""Writing: one Commit is one transaction, checked first and then carried out in the order that foreign keys ask for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlite_utils import Database

from scrubjay.stores.errors import InvalidInput
from scrubjay.stores.records import Commit, Committed, Conflict, Link, NewVersion, Source, WriteRow
from scrubjay.stores.sqlite import entries, log, proposals, words
from scrubjay.stores.sqlite.moments import next_moment
from scrubjay.stores.sqlite.rows import (
    as_array,
    decision_row,
    fact_row,
    insert,
    message_row,
    select,
    source_row,
    text_hash,
    to_json,
    write_row,
)
from scrubjay.stores.sqlite.scopes import ScopeState, ensure_scope, find_scope


@dataclass(frozen=True, slots=True)
class Head:
    """Where a memory stands before the commit."""

    num: int
    scope: int
    version: int


def commit(db: Database, plan: Commit) -> Committed | Conflict:
    """See the protocol. The caller holds the write transaction and rolls it back on any error."""
    if not plan.write.key:
        raise InvalidInput("a write needs a key: two writes without one would be taken for the same")
    state = find_scope(db, plan.write.scope)
    first = log.write_by_key(db, state.num, plan.write.key)
    if first is not None and _complete(first):
        return Committed(first, first=False)
    heads = _heads(db, plan)
    conflict = _conflict(db, plan, state, heads)
    return conflict or Committed(_carry_out(db, plan, state, heads, first), first=True)


def _complete(write: WriteRow) -> bool:
    return write.outcome != "failed" and not write.incomplete


def _heads(db: Database, plan: Commit) -> dict[str, Head]:
    """All memories that the plan names, also those at the other end of a link."""
    named = {v.memory_id for v in plan.versions} | {a.memory_id for a in plan.absorptions}
    named |= {link.memory_id for version in plan.versions for link in (*version.links, *version.ended_links)}
    sql = "SELECT id, num, scope, version FROM memories WHERE id IN (SELECT value FROM json_each(?))"
    rows = select(db, sql, as_array(sorted(named)))
    return {row["id"]: Head(row["num"], row["scope"], row["version"]) for row in rows}


def _conflict(db: Database, plan: Commit, state: ScopeState, heads: dict[str, Head]) -> Conflict | None:
    if plan.expected_revision is not None and plan.expected_revision != state.revision:
        sql = "SELECT id FROM memories WHERE scope = ? AND revision > ? ORDER BY num"
        newer = select(db, sql, state.num, plan.expected_revision)
        return Conflict(state.revision, tuple(row["id"] for row in newer))
    moved = _moved(plan, heads)
    return Conflict(state.revision, moved) if moved else None


def _moved(plan: Commit, heads: dict[str, Head]) -> tuple[str, ...]:
    """Memories whose newest version is not the one that the plan goes on from."""
    newest = {memory_id: head.version for memory_id, head in heads.items()}
    moved: list[str] = []
    for version in plan.versions:
        if newest.get(version.memory_id, 0) != version.version - 1:
            moved.append(version.memory_id)
        newest[version.memory_id] = version.version
    moved += [a.memory_id for a in plan.absorptions if newest.get(a.memory_id) != a.version]
    return tuple(dict.fromkeys(moved))


def _carry_out(
    db: Database, plan: Commit, state: ScopeState, heads: dict[str, Head], first: WriteRow | None
) -> WriteRow:
    scope, revision = ensure_scope(db, plan.write.scope), state.revision + 1
    moment = next_moment(db)
    _refuse_strangers(plan, scope, heads)
    insert(db, "messages", [message_row(scope, moment, message) for message in plan.messages], known="IGNORE")
    _insert_facts(db, plan, scope, moment)
    moved = bool(plan.versions)
    moved |= _insert_sources(db, plan, scope, revision) > 0
    numbers = _insert_heads(db, plan, scope, revision, heads)
    _insert_versions(db, plan, numbers, revision)
    moved |= _absorb(db, plan, numbers, revision) > 0
    entries.store_vectors(db, plan.embedded, moment)
    proposals.propose(db, scope, moment, plan.proposals)
    proposals.settle(db, scope, plan.settles, plan.write.id)
    _refresh(db, plan.versions, scope, numbers)
    _insert_decisions(db, plan, scope)
    if first is not None:
        _give_up_key(db, first.id, plan.write.id)
    return _insert_write(db, plan.write, scope, revision if moved else state.revision, moment)


def _refuse_strangers(plan: Commit, scope: int, heads: dict[str, Head]) -> None:
    made = {version.memory_id for version in plan.versions}
    linked = {link.memory_id for version in plan.versions for link in (*version.links, *version.ended_links)}
    for memory_id in sorted(linked - made - heads.keys()):
        raise InvalidInput(f"a link names memory {memory_id}, which does not exist")
    for memory_id, head in heads.items():
        if head.scope != scope:
            raise InvalidInput(f"memory {memory_id} belongs to another scope")


def _insert_sources(db: Database, plan: Commit, scope: int, revision: int) -> int:
    """How many came, went, or count again."""
    changed = insert(db, "sources", [source_row(scope, revision, s) for s in plan.sources], known="IGNORE")
    back = [_change_source(db, s, revision, withdrawn=False) for s in plan.sources]
    gone = [_change_source(db, s, revision, withdrawn=True) for s in plan.withdrawn]
    return changed + sum(back) + sum(gone)


def _change_source(db: Database, source: Source, revision: int, *, withdrawn: bool) -> int:
    """1 where the source did not stand like this before."""
    sql = (
        "INSERT OR REPLACE INTO source_changes (source, revision, withdrawn) SELECT s.num, ?, ? FROM sources s"
        " WHERE s.fact_id = ? AND s.conversation_id = ? AND s.message_id = ? AND s.quote = ? AND coalesce((SELECT"
        " c.withdrawn FROM source_changes c WHERE c.source = s.num ORDER BY c.revision DESC LIMIT 1), 0) <> ?"
    )
    where = [source.fact_id, source.conversation_id, source.message_id, source.quote]
    return db.execute(sql, [revision, int(withdrawn), *where, int(withdrawn)]).rowcount


def _insert_facts(db: Database, plan: Commit, scope: int, moment: int) -> None:
    """Facts, and the check that every fact named is this scope's own."""
    insert(db, "facts", [fact_row(scope, moment, plan.write.conversation_id, f) for f in plan.facts], known="IGNORE")
    named = {fact.id for fact in plan.facts} | {source.fact_id for source in plan.sources}
    named |= {fact_id for version in plan.versions for fact_id, _ in version.standings}
    named |= {absorption.fact_id for absorption in plan.absorptions}
    sql = "SELECT id, scope FROM facts WHERE id IN (SELECT value FROM json_each(?))"
    known = {row["id"] for row in select(db, sql, as_array(sorted(named))) if row["scope"] == scope}
    for fact_id in sorted(named - known):
        raise InvalidInput(f"fact {fact_id} does not exist in this scope")


def _insert_heads(db: Database, plan: Commit, scope: int, revision: int, heads: dict[str, Head]) -> dict[str, int]:
    """Make or move each memory's head row; returns the number of every memory named."""
    numbers = {memory_id: head.num for memory_id, head in heads.items()}
    for version in plan.versions:
        row: dict[str, object] = {"version": version.version, "status": version.status, "revision": revision}
        if version.memory_id in numbers:
            sql = "UPDATE memories SET version = :version, status = :status, revision = :revision WHERE num = :num"
            db.execute(sql, {**row, "num": numbers[version.memory_id]})
            continue
        row |= {"id": version.memory_id, "scope": scope, "stamp": 0, "created_at": plan.write.at}
        insert(db, "memories", [row])
        numbers[version.memory_id] = _last_number(db)
    return numbers


def _last_number(db: Database) -> int:
    return int(db.execute("SELECT last_insert_rowid()").fetchone()[0])


def _insert_versions(db: Database, plan: Commit, numbers: dict[str, int], revision: int) -> None:
    versions = [_version_row(numbers[v.memory_id], revision, plan.write, v) for v in plan.versions]
    insert(db, "memory_versions", versions)
    standings = [
        _standing_row(numbers[v.memory_id], v.version, fact_id, standing, revision)
        for v in plan.versions
        for fact_id, standing in v.standings
    ]
    insert(db, "memory_facts", standings)
    links = [_link_row(numbers, v, link, revision) for v in plan.versions for link in v.links]
    insert(db, "links", links, known="IGNORE")
    ends = [_link_row(numbers, v, link, revision) for v in plan.versions for link in v.ended_links]
    insert(db, "link_ends", ends, known="IGNORE")


def _link_row(numbers: dict[str, int], version: NewVersion, link: Link, revision: int) -> dict[str, object]:
    return {
        "memory": numbers[version.memory_id],
        "version": version.version,
        "kind": link.kind,
        "other": numbers[link.memory_id],
        "revision": revision,
    }


def _version_row(memory: int, revision: int, write: WriteRow, version: NewVersion) -> dict[str, object]:
    return {
        "memory": memory,
        "version": version.version,
        "text": version.text,
        "hash": text_hash(version.text),
        "status": version.status,
        "type": version.type,
        "subject": version.subject,
        "attributes": to_json(version.attributes),
        "valid_from": version.valid_from,
        "valid_to": version.valid_to,
        "metadata": to_json(version.metadata),
        "recorded_at": write.at,
        "write_id": write.id,
        "revision": revision,
    }


def _standing_row(memory: int, version: int, fact_id: str, standing: str, revision: int) -> dict[str, object]:
    return {"memory": memory, "version": version, "fact_id": fact_id, "standing": standing, "revision": revision}


def _absorb(db: Database, plan: Commit, numbers: dict[str, int], revision: int) -> int:
    rows = [_standing_row(numbers[a.memory_id], a.version, a.fact_id, "absorbed", revision) for a in plan.absorptions]
    return insert(db, "memory_facts", rows, known="IGNORE")


def _refresh(db: Database, versions: Sequence[NewVersion], scope: int, numbers: dict[str, int]) -> None:
    """Words and texts of each memory as its last version in this commit leaves it."""
    last = {numbers[version.memory_id]: version for version in versions}
    facts = _fact_texts(db, (fact_id for version in last.values() for fact_id in _current(version)))
    texts: dict[int, list[str]] = {}
    for memory, version in last.items():
        words.forget(db, scope, memory)
        texts[memory] = []
        if version.status == "active":
            of_facts = [facts[fact_id] for fact_id in _current(version)]
            words.learn(db, scope, memory, version.text, [*of_facts, *version.attributes])
            texts[memory] = [version.text, *of_facts]
    if texts:
        entries.replace_texts(db, scope, texts)


def _current(version: NewVersion) -> list[str]:
    return [fact_id for fact_id, standing in version.standings if standing == "current"]


def _fact_texts(db: Database, fact_ids: Iterable[str]) -> dict[str, str]:
    sql = "SELECT id, text FROM facts WHERE id IN (SELECT value FROM json_each(?))"
    return {row["id"]: row["text"] for row in select(db, sql, as_array(fact_ids))}


def _insert_decisions(db: Database, plan: Commit, scope: int) -> None:
    """A decision that is there already, from the same write's first attempt, stays as it was."""
    for decision in plan.decisions:
        if insert(db, "decisions", [decision_row(scope, decision)], known="IGNORE"):
            number = _last_number(db)
            rows = [
                {"decision": number, "position": position, "memory_id": memory_id, "part": part}
                for position, (memory_id, part) in enumerate(decision.memory_ids)
            ]
            insert(db, "decision_memories", rows)


def _give_up_key(db: Database, unfinished: str, write_id: str) -> None:
    """The unfinished write stays as it was, its input and calls too; the same write run again replaces its own row."""
    if unfinished == write_id:
        db.execute("DELETE FROM writes WHERE id = ?", [write_id])
    else:
        db.execute("UPDATE writes SET resumed_by = ? WHERE id = ?", [write_id, unfinished])


def _insert_write(db: Database, write: WriteRow, scope: int, revision: int, moment: int) -> WriteRow:
    insert(db, "writes", [write_row(scope, revision, moment, write)])
    db.execute("UPDATE scopes SET revision = ? WHERE num = ?", [revision, scope])
    stored = log.write(db, write.id)
    assert stored is not None
    return stored
