"""Changes that wait for an approval, and who settled them."""

from __future__ import annotations

from collections.abc import Sequence

from sqlite_utils import Database

from scrubjay.stores.errors import InvalidInput
from scrubjay.stores.records import Proposal
from scrubjay.stores.sqlite.rows import insert, proposal_of, proposal_row, select

_PROPOSALS = "SELECT p.*, sc.user_id, sc.agent_id FROM proposals p JOIN scopes sc ON sc.num = p.scope"


def propose(db: Database, scope: int, moment: int, made: Sequence[Proposal]) -> None:
    insert(db, "proposals", [proposal_row(scope, moment, proposal) for proposal in made])


def settle(db: Database, scope: int, ids: Sequence[str], write_id: str) -> None:
    """Raises InvalidInput for one that is settled already, or that is not this scope's."""
    for proposal_id in ids:
        sql = "UPDATE proposals SET settled_by = ? WHERE id = ? AND scope = ? AND settled_by IS NULL"
        if db.execute(sql, [write_id, proposal_id, scope]).rowcount != 1:
            found = one(db, proposal_id)
            why = "does not exist" if found is None else f"was settled by write {found.settled_by}"
            raise InvalidInput(f"proposal {proposal_id} {why}: `scrubjay review` shows what is open")


def one(db: Database, proposal_id: str) -> Proposal | None:
    return next((proposal_of(row) for row in select(db, f"{_PROPOSALS} WHERE p.id = ?", proposal_id)), None)


def proposals(db: Database, scope: int | None, write_id: str | None, *, settled: bool) -> list[Proposal]:
    """Oldest first; those that are still open, or all."""
    where, params = ["1"], list[object]()
    if scope is not None:
        where.append("p.scope = ?")
        params.append(scope)
    if write_id is not None:
        where.append("p.write_id = ?")
        params.append(write_id)
    if not settled:
        where.append("p.settled_by IS NULL")
    rows = select(db, f"{_PROPOSALS} WHERE {' AND '.join(where)} ORDER BY p.num", *params)
    return [proposal_of(row) for row in rows]
