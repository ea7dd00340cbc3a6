"""Records to rows and back; JSON for what is never searched by column."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from sqlite_utils import Database

from scrubjay.stores.errors import InvalidInput
from scrubjay.stores.records import Decision, Fact, Message, Proposal, Scope, Source, WriteRow
from scrubjay.stores.text import normalise

Row = Mapping[str, Any]


def to_json(value: Any) -> str:
    """Compact JSON in the order given; raises InvalidInput for what JSON has no word for (NaN, objects)."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"this cannot be kept as JSON: {error}") from error


def text_hash(text: str) -> str:
    """What a vector is filed under: 16 bytes of the exact text, as hexadecimal."""
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def normal_hash(text: str) -> str:
    """Equal for texts that say the same but for case, spaces and the final stop."""
    return text_hash(normalise(text))


@lru_cache(4096)
def names_of(array: str) -> tuple[str, ...]:
    """A JSON array of texts; few differ, so a long list of memories parses each only once."""
    return tuple(json.loads(array))


def insert(db: Database, table: str, rows: Sequence[Row], *, known: str = "ABORT") -> int:
    """Insert rows of the same columns and return how many were new; `known` may be IGNORE."""
    if not rows:
        return 0
    columns = list(rows[0])
    names, values = ", ".join(columns), ", ".join(f":{column}" for column in columns)
    sql = f"INSERT OR {known} INTO {table} ({names}) VALUES ({values})"
    return db.conn.executemany(sql, rows).rowcount


def select(db: Database, sql: str, *params: Any) -> list[dict[str, Any]]:
    """All rows of a query, by column name (without the savepoint that `db.query` sets around each).

    Fetched at once: a statement that an interrupt leaves half read keeps the connection at its old picture, even after
    ROLLBACK, for as long as somebody holds the traceback.
    """
    cursor = db.execute(sql, params)
    found = cursor.fetchall()
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in found]


def as_array(values: Iterable[Any]) -> str:
    """A list as one parameter, for `json_each(?)`: no limit on its length, one statement for any length."""
    return json.dumps(list(values))


def message_row(scope: int, moment: int, message: Message) -> Row:
    return {
        "moment": moment,
        "scope": scope,
        "conversation_id": message.conversation_id,
        "id": message.id,
        "role": message.role,
        "text": message.text,
        "at": message.at,
        "name": message.name,
        "run_id": message.run_id,
    }


def message_of(row: Row) -> Message:
    names = ("id", "conversation_id", "role", "text", "at", "name", "run_id")
    return Message(**{name: row[name] for name in names})


def fact_row(scope: int, moment: int, conversation_id: str, fact: Fact) -> Row:
    return {
        "moment": moment,
        "id": fact.id,
        "scope": scope,
        "conversation_id": conversation_id,
        "write_id": fact.write_id,
        "text": fact.text,
        "normal": normal_hash(fact.text),
        "type": fact.type,
        "subject": fact.subject,
        "attributes": to_json(fact.attributes),
        "modality": fact.modality,
        "valid_from": fact.valid_from,
        "valid_to": fact.valid_to,
        "derived_from": fact.derived_from,
        "retraction": fact.retraction,
        "key": fact.key,
        "recorded_at": fact.recorded_at,
    }


def fact_of(row: Row) -> Fact:
    return Fact(
        id=row["id"],
        write_id=row["write_id"],
        text=row["text"],
        type=row["type"],
        subject=row["subject"],
        attributes=names_of(row["attributes"]),
        modality=row["modality"],
        valid_from=row["valid_from"],
        valid_to=row["valid_to"],
        derived_from=row["derived_from"],
        retraction=bool(row["retraction"]),
        key=row["key"],
        recorded_at=row["recorded_at"],
    )


def source_row(scope: int, revision: int, source: Source) -> Row:
    return {
        "scope": scope,
        "fact_id": source.fact_id,
        "message_id": source.message_id,
        "quote": source.quote,
        "at": source.at,
        "write_id": source.write_id,
        "conversation_id": source.conversation_id,
        "run_id": source.run_id,
        "revision": revision,
    }


def source_of(row: Row) -> Source:
    names = ("fact_id", "message_id", "quote", "at", "write_id", "conversation_id", "run_id")
    return Source(**{name: row[name] for name in names})


def decision_row(scope: int, decision: Decision) -> Row:
    return {
        "id": decision.id,
        "scope": scope,
        "write_id": decision.write_id,
        "fact_number": decision.fact_number,
        "fact_id": decision.fact_id,
        "action": decision.action,
        "outcome": decision.outcome,
        "body": to_json(decision.body),
        "at": decision.at,
    }


def decision_of(row: Row, memory_ids: Sequence[tuple[str, str]]) -> Decision:
    return Decision(
        id=row["id"],
        write_id=row["write_id"],
        fact_number=row["fact_number"],
        fact_id=row["fact_id"],
        action=row["action"],
        outcome=row["outcome"],
        memory_ids=tuple(memory_ids),
        body=json.loads(row["body"]),
        at=row["at"],
    )


def write_row(scope: int, revision: int, moment: int, write: WriteRow) -> Row:
    return {
        "moment": moment,
        "kind": write.kind,
        "about": to_json(write.about),
        "id": write.id,
        "scope": scope,
        "key": write.key,
        "conversation_id": write.conversation_id,
        "run_id": write.run_id,
        "at": write.at,
        "outcome": write.outcome,
        "incomplete": to_json(write.incomplete),
        "input": to_json(write.input),
        "settings": to_json(write.settings),
        "calls": to_json(write.calls),
        "result": to_json(write.result),
        "revision_read": write.revision_read,
        "revision": revision,
    }


def write_of(row: Row) -> WriteRow:
    """From a row of `writes` joined with its scope's user_id and agent_id."""
    return WriteRow(
        id=row["id"],
        key=row["key"],
        scope=Scope(row["user_id"], row["agent_id"]),
        conversation_id=row["conversation_id"],
        run_id=row["run_id"],
        at=row["at"],
        outcome=row["outcome"],
        incomplete=tuple(json.loads(row["incomplete"])),
        input=json.loads(row["input"]),
        settings=json.loads(row["settings"]),
        calls=tuple(json.loads(row["calls"])),
        result=json.loads(row["result"]),
        revision_read=row["revision_read"],
        revision=row["revision"],
        resumed_by=row["resumed_by"],
        kind=row["kind"],
        about=tuple(json.loads(row["about"])),
        moment=row["moment"],
    )


def proposal_row(scope: int, moment: int, proposal: Proposal) -> Row:
    return {
        "id": proposal.id,
        "scope": scope,
        "write_id": proposal.write_id,
        "body": to_json(proposal.body),
        "at": proposal.at,
        "moment": moment,
    }


def proposal_of(row: Row) -> Proposal:
    """From a row of `proposals` joined with its scope's user_id and agent_id."""
    return Proposal(
        id=row["id"],
        write_id=row["write_id"],
        scope=Scope(row["user_id"], row["agent_id"]),
        body=json.loads(row["body"]),
        at=row["at"],
        settled_by=row["settled_by"],
    )
