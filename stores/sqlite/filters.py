"""Filters as conditions of the query itself, so that what they leave out never takes a place among the k best."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

from scrubjay.stores.errors import InvalidFilter
from scrubjay.stores.records import Filters
from scrubjay.stores.sqlite.rows import as_array

_KEY = re.compile(r"[A-Za-z0-9_-]{1,64}")
_ANY_REVISION = 2**62
COUNTS = (
    "coalesce((SELECT c.withdrawn FROM source_changes c WHERE c.source = s.num AND c.revision <= ?"
    " ORDER BY c.revision DESC LIMIT 1), 0) = 0"
)
"""SQL over `s` (sources): it was not withdrawn up to a revision"""


@dataclass(frozen=True, slots=True)
class Condition:
    """SQL over `m` (memories) and `v` (memory_versions), and its parameters."""

    sql: str = ""
    """empty, or begins with AND"""
    params: tuple[Any, ...] = ()

    def __add__(self, other: Condition) -> Condition:
        return Condition(self.sql + other.sql, self.params + other.params)


def condition(filters: Filters, revision: int | None = None) -> Condition:
    """All of the filters at once; provenance counts as far as `revision`. Raises InvalidFilter."""
    found = Condition()
    if filters.types:
        found += Condition(" AND v.type IN (SELECT value FROM json_each(?))", (as_array(filters.types),))
    if filters.subject is not None:
        found += Condition(" AND v.subject = ?", (filters.subject,))
    if filters.conversation_id is not None or filters.run_id is not None:
        found += _said_in(filters, _ANY_REVISION if revision is None else revision)
    for key, value in filters.metadata:
        found += _metadata(key, value)
    return found


def _said_in(filters: Filters, revision: int) -> Condition:
    """One source that fits both the conversation and the run."""
    wanted = {"conversation_id": filters.conversation_id, "run_id": filters.run_id}
    given = {column: value for column, value in wanted.items() if value is not None}
    return Condition(
        " AND EXISTS (SELECT 1 FROM memory_facts mf JOIN sources s ON s.fact_id = mf.fact_id"
        " WHERE mf.memory = v.memory AND mf.version = v.version AND mf.revision <= ? AND s.revision <= ?"
        f" AND {COUNTS}" + "".join(f" AND s.{column} = ?" for column in given) + ")",
        (revision, revision, revision, *given.values()),
    )


def _metadata(key: str, value: object) -> Condition:
    """A top-level key equal to a plain value; JSON's types count: true is not 1, null is not a missing key."""
    if not isinstance(key, str) or not _KEY.fullmatch(key):
        raise InvalidFilter(f"metadata key {key!r}: use 1 to 64 ASCII letters, digits, _ or -")
    path = f'$."{key}"'
    if value is None or isinstance(value, bool):
        word = {None: "null", True: "true", False: "false"}[value]
        return Condition(" AND json_type(v.metadata, ?) = ?", (path, word))
    types = _json_types(key, value)
    return Condition(
        " AND json_type(v.metadata, ?) IN (SELECT value FROM json_each(?)) AND json_extract(v.metadata, ?) = ?",
        (path, as_array(types), path, value),
    )


def _json_types(key: str, value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return ("text",)
    if isinstance(value, int) and -(2**63) <= value < 2**63:
        return ("integer", "real")
    if isinstance(value, float) and math.isfinite(value):
        return ("integer", "real")
    raise InvalidFilter(
        f"metadata {key}={value!r}: compare with text, a 64-bit integer, a finite number, a bool or None"
    )
