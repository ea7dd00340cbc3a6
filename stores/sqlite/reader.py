"""Everything that is read from the file: each method is one look at it, alone or within a picture."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TypeVar

from sqlite_utils import Database

from scrubjay.stores.protocol import NO_FILTERS, Vectors
from scrubjay.stores.records import Decision, Fact, Filters, Hit, Memory, Message, Proposal, Scope, Touch, WriteRow
from scrubjay.stores.sqlite import entries, log, memories, moments, proposals, touches, words
from scrubjay.stores.sqlite.filters import condition
from scrubjay.stores.sqlite.rows import select
from scrubjay.stores.sqlite.scopes import UNSEEN, find_scope
from scrubjay.stores.vectors import IndexCache, Slot

Result = TypeVar("Result")


class Reads(ABC):
    """The reading half of the store protocol, over whatever `_read` gives."""

    _indexes: IndexCache

    @abstractmethod
    def _read(self, look: Callable[[Database], Result]) -> Result: ...

    @abstractmethod
    def _read_index(self, slot: Slot, look: Callable[[Database], Result]) -> Result:
        """The same, while nobody else uses the slot."""

    # -- moments
    def moment(self) -> int:
        return self._read(moments.moment_of)

    def moment_at(self, scope: Scope, time: str) -> int:
        return self._read(lambda db: moments.moment_at(db, find_scope(db, scope).num, time))

    def revision_at(self, scope: Scope, moment: int) -> int:
        return self._read(lambda db: moments.revision_at(db, find_scope(db, scope).num, moment))

    # -- reading memories
    def revision(self, scope: Scope) -> int:
        return self._read(lambda db: find_scope(db, scope).revision)

    def get(self, memory_id: str, *, version: int | None = None) -> Memory | None:
        return self._read(lambda db: memories.one(db, memory_id, version))

    def get_many(self, memory_ids: Sequence[str], *, provenance: bool = True) -> list[Memory]:
        return self._read(lambda db: memories.many(db, memory_ids, provenance=provenance))

    def texts(self, memory_ids: Sequence[str]) -> list[str]:
        return self._read(lambda db: memories.texts(db, memory_ids))

    def active(
        self,
        scope: Scope,
        *,
        filters: Filters = NO_FILTERS,
        revision: int | None = None,
        limit: int | None = None,
        offset: int = 0,
    ) -> list[Memory]:
        return self._read(lambda db: memories.active(db, find_scope(db, scope).num, filters, revision, limit, offset))

    def count_active(self, scope: Scope) -> int:
        sql = "SELECT count(*) AS n FROM memories WHERE scope = ? AND status = 'active'"
        return self._read(lambda db: int(select(db, sql, find_scope(db, scope).num)[0]["n"]))

    def history(self, memory_id: str) -> list[Memory]:
        return self._read(lambda db: memories.history(db, memory_id))

    def stood(self, memory_ids: Sequence[str], revision: int | None = None) -> dict[str, Memory]:
        return self._read(lambda db: memories.stood(db, memory_ids, revision))

    def touches(self, scope: Scope, since: int) -> list[Touch]:
        return self._read(lambda db: touches.touches(db, find_scope(db, scope).num, since))

    def stating(self, scope: Scope, texts: Sequence[str]) -> list[list[tuple[str, Fact]]]:
        return self._read(lambda db: memories.stating(db, find_scope(db, scope).num, texts))

    # -- searching
    def nearest(self, scope: Scope, query: Vectors, k: int, *, filters: Filters = NO_FILTERS) -> list[list[Hit]]:
        """Raises EmbedderError for a query that is not made of unit vectors of the store's dimension."""
        slot = self._indexes.slot(scope)

        def look(db: Database) -> list[list[Hit]]:
            number = find_scope(db, scope).num
            if number == UNSEEN:
                return [[] for _ in query]
            entries.catch_up(db, slot, number)
            return entries.nearest(db, slot, number, query, k, filters)

        return self._read_index(slot, look)

    def lexical(self, scope: Scope, text: str, k: int, *, filters: Filters = NO_FILTERS) -> list[Hit]:
        narrowed = condition(filters)
        return self._read(lambda db: words.search(db, find_scope(db, scope).num, text, k, narrowed))

    # -- vectors
    def vectors(self, texts: Sequence[str]) -> list[bytes | None]:
        return self._read(lambda db: entries.vectors(db, texts))

    def pending_texts(self, scope: Scope, limit: int) -> list[str]:
        return self._read(lambda db: entries.pending_texts(db, find_scope(db, scope).num, limit))

    # -- records
    def write(self, write_id: str) -> WriteRow | None:
        return self._read(lambda db: log.write(db, write_id))

    def write_by_key(self, scope: Scope, key: str) -> WriteRow | None:
        return self._read(lambda db: log.write_by_key(db, find_scope(db, scope).num, key))

    def writes(self, scope: Scope | None = None, *, limit: int = 100, offset: int = 0) -> list[WriteRow]:
        return self._read(
            lambda db: log.writes(db, None if scope is None else find_scope(db, scope).num, limit, offset)
        )

    def reversals(self, scope: Scope) -> list[WriteRow]:
        return self._read(lambda db: log.reversals(db, find_scope(db, scope).num))

    def decisions(self, *, write_id: str | None = None, memory_id: str | None = None) -> list[Decision]:
        return self._read(lambda db: log.decisions(db, write_id, memory_id))

    def fact(self, fact_id: str) -> Fact | None:
        return self._read(lambda db: log.fact(db, fact_id))

    def recent_facts(self, scope: Scope, conversation_id: str, limit: int) -> list[Fact]:
        return self._read(lambda db: log.recent_facts(db, find_scope(db, scope).num, conversation_id, limit))

    def recent_messages(self, scope: Scope, conversation_id: str, limit: int) -> list[Message]:
        return self._read(lambda db: log.recent_messages(db, find_scope(db, scope).num, conversation_id, limit))

    def read_messages(self, scope: Scope, conversation_id: str, ids: Sequence[str]) -> dict[str, str]:
        return self._read(lambda db: log.read_messages(db, find_scope(db, scope).num, conversation_id, ids))

    def proposal(self, proposal_id: str) -> Proposal | None:
        return self._read(lambda db: proposals.one(db, proposal_id))

    def proposals(
        self, scope: Scope | None = None, *, write_id: str | None = None, settled: bool = False
    ) -> list[Proposal]:
        return self._read(
            lambda db: proposals.proposals(
                db, None if scope is None else find_scope(db, scope).num, write_id, settled=settled
            )
        )


class Picture(Reads):
    """All that is read through it was true at the same moment."""

    def __init__(self, db: Database, indexes: IndexCache) -> None:
        self._db, self._indexes = db, indexes

    def _read(self, look: Callable[[Database], Result]) -> Result:
        return look(self._db)

    def _read_index(self, slot: Slot, look: Callable[[Database], Result]) -> Result:
        """The picture was taken before the lock: the index may be ahead of it, and is then built anew."""
        with slot.lock:
            return look(self._db)
