"""A scope's row: its number in the file and the revision that its memories are at."""

from __future__ import annotations

from dataclasses import dataclass

from sqlite_utils import Database

from scrubjay.stores.errors import InvalidScope
from scrubjay.stores.records import Scope
from scrubjay.stores.sqlite.rows import insert, select

UNSEEN = -1
"""the number of a scope that nothing was written to: no row has it"""


@dataclass(frozen=True, slots=True)
class ScopeState:
    """What the file knows of a scope."""

    num: int
    revision: int


def find_scope(db: Database, scope: Scope) -> ScopeState:
    """The scope's state, UNSEEN at revision 0 if it has none yet; raises InvalidScope.

    Ids are compared byte for byte: "Ann" is not "ann", and no character in them is special.
    """
    check_scope(scope)
    sql = "SELECT num, revision FROM scopes WHERE user_id = ? AND agent_id = ?"
    rows = select(db, sql, scope.user_id, scope.agent_id)
    return ScopeState(rows[0]["num"], rows[0]["revision"]) if rows else ScopeState(UNSEEN, 0)


def ensure_scope(db: Database, scope: Scope) -> int:
    """The scope's number, made at its first write."""
    row = {"user_id": scope.user_id, "agent_id": scope.agent_id}
    insert(db, "scopes", [row], known="IGNORE")
    return find_scope(db, scope).num


def check_scope(scope: Scope) -> None:
    """Raise InvalidScope unless both ids are text and user_id says something."""
    if not isinstance(scope.user_id, str) or not scope.user_id.strip():
        raise InvalidScope(f"user_id {scope.user_id!r}: give the id of the person whose memory this is")
    if not isinstance(scope.agent_id, str):
        raise InvalidScope(f"agent_id {scope.agent_id!r}: give text, or leave it out")
