"""What a store must do. Synchronous and free of SQL words; the conformance suite in tests holds every backend to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from scrubjay.stores.records import (
    Commit,
    Committed,
    Conflict,
    Decision,
    Fact,
    Filters,
    Hit,
    Json,
    Memory,
    Message,
    Proposal,
    Scope,
    Touch,
    WriteRow,
)

Vectors = NDArray[np.float32]
"""shape (n, dimension), rows of length one"""

NO_FILTERS = Filters()

T = TypeVar("T")


class Reader(Protocol):
    """What can be read. A store gives each look its newest state, a picture gives all looks the same one."""

    # -- moments
    def moment(self) -> int:
        """How many commits there were, of all scopes, vectors that came late counted too."""
        ...

    def moment_at(self, scope: Scope, time: str) -> int:
        """The moment of the scope's last write recorded at or before an ISO datetime with zone; 0 for none."""
        ...

    def revision_at(self, scope: Scope, moment: int) -> int:
        """The scope's revision once all up to that moment had happened."""
        ...

    # -- reading memories
    def revision(self, scope: Scope) -> int:
        """How many writes changed memories, standings, sources or links of the scope; 0 for a scope never seen."""
        ...

    def get(self, memory_id: str, *, version: int | None = None) -> Memory | None:
        """Any memory by id, whatever its status; the newest version unless told otherwise."""
        ...

    def get_many(self, memory_ids: Sequence[str], *, provenance: bool = True) -> list[Memory]:
        """Newest versions, in the order asked for; ids that name nothing are left out.

        `provenance` False: for who needs neither sources nor links, which are then empty.
        """
        ...

    def texts(self, memory_ids: Sequence[str]) -> list[str]:
        """Of the newest versions, in the order asked for; ids that name nothing are left out."""
        ...

    def active(
        self,
        scope: Scope,
        *,
        filters: Filters = NO_FILTERS,
        revision: int | None = None,
        limit: int | None = None,
        offset: int = 0,
    ) -> list[Memory]:
        """Active memories, oldest first; as of the end of the write that made `revision` when that is given."""
        ...

    def count_active(self, scope: Scope) -> int: ...

    def history(self, memory_id: str) -> list[Memory]:
        """Every version, oldest first."""
        ...

    def stood(self, memory_ids: Sequence[str], revision: int | None = None) -> dict[str, Memory]:
        """Memories by id as they stood at the end of a revision, now for None; those not yet made are left out.

        `links` holds only those of its own, since those are what a version of the memory can make and end.
        """
        ...

    def touches(self, scope: Scope, since: int) -> list[Touch]:
        """What the scope's writes changed after revision `since`, in that order."""
        ...

    def stating(self, scope: Scope, texts: Sequence[str]) -> list[list[tuple[str, Fact]]]:
        """For each text the (memory id, fact) pairs whose fact is current in an active memory and has that very text.

        Texts are compared as stores.text.normalise leaves them (an indexed column, no scan); oldest first.
        """
        ...

    # -- searching
    def nearest(self, scope: Scope, query: Vectors, k: int, *, filters: Filters = NO_FILTERS) -> list[list[Hit]]:
        """For each row of `query` the k active memories with the best cosine, best first.

        A memory's cosine is the best over its text and its current facts. Memories without a vector are not found.
        """
        ...

    def lexical(self, scope: Scope, text: str, k: int, *, filters: Filters = NO_FILTERS) -> list[Hit]:
        """The k active memories with the best BM25 over stems and CJK bigrams; any text is only text."""
        ...

    # -- vectors
    def vectors(self, texts: Sequence[str]) -> list[bytes | None]:
        """Stored vectors by text (float32 little-endian), None where there is none."""
        ...

    def pending_texts(self, scope: Scope, limit: int) -> list[str]:
        """Texts of active memories, and of their current facts, without a vector; of the oldest memories first."""
        ...

    # -- records
    def write(self, write_id: str) -> WriteRow | None: ...

    def write_by_key(self, scope: Scope, key: str) -> WriteRow | None:
        """The write that holds the key; never one that was resumed by another."""
        ...

    def writes(self, scope: Scope | None = None, *, limit: int = 100, offset: int = 0) -> list[WriteRow]:
        """Newest first."""
        ...

    def reversals(self, scope: Scope) -> list[WriteRow]:
        """Undos and redos, oldest first."""
        ...

    def decisions(self, *, write_id: str | None = None, memory_id: str | None = None) -> list[Decision]:
        """Oldest first; those of a write, or all that ever considered a memory."""
        ...

    def fact(self, fact_id: str) -> Fact | None: ...

    def recent_facts(self, scope: Scope, conversation_id: str, limit: int) -> list[Fact]:
        """The last facts taken from a conversation, oldest first."""
        ...

    def recent_messages(self, scope: Scope, conversation_id: str, limit: int) -> list[Message]:
        """The last messages read in a conversation, oldest first."""
        ...

    def read_messages(self, scope: Scope, conversation_id: str, ids: Sequence[str]) -> dict[str, str]:
        """Text by message id, for those of `ids` that the conversation's log holds."""
        ...

    def proposal(self, proposal_id: str) -> Proposal | None: ...

    def proposals(
        self, scope: Scope | None = None, *, write_id: str | None = None, settled: bool = False
    ) -> list[Proposal]:
        """Oldest first; `settled`: those that somebody decided on too."""
        ...


class Store(Reader, Protocol):
    """Memories, the facts that they rest on, and the record of every decision."""

    # -- writing
    def commit(self, commit: Commit) -> Committed | Conflict:
        """All of it or nothing.

        In this order: the key is looked up (a complete write with that key is returned as the first result, a failed
        or incomplete one gives its key up to the new row and stays readable, `resumed_by` the new one); the scope's
        revision is compared; the newest version of every memory touched is compared; then rows, versions, words,
        vectors, decisions and the write. The revision moves by one when memories, standings, sources or links changed.
        Raises StoreBusy when another process holds the store, StoreError when the disk is full.
        """
        ...

    def keep_vectors(self, embedded: Sequence[tuple[str, bytes]]) -> None:
        """Vectors that come late, as in Commit.embedded; no revision moves, since nothing new is remembered."""
        ...

    # -- pictures and copies
    def picture(self, look: Callable[[Reader], T]) -> T:
        """`look` at one unchanging state of the store, whatever others write meanwhile.

        It reads through what it is given alone and waits for nobody: no model, no embedder, no other store.
        """
        ...

    def as_of(self, scope: Scope, moment: int) -> Self:
        """A store of its own in memory that holds the scope as it was at that moment; writing to it changes no other.

        Everything that a write of the scope could have read then is in it, under the same ids, revisions and moments.
        """
        ...

    def bring(self, copy: Self, scope: Scope, moment: int) -> None:
        """Bring a copy that `as_of` gave, and that nobody wrote to, forward to a later moment: only news moves."""
        ...

    # -- the store itself
    def meta(self) -> Json:
        """Schema version, embedder name and dimension, calibrated thresholds, counts."""
        ...

    def bind_embedder(self, name: str, dimension: int, thresholds: Json) -> Json:
        """Keep the embedder with the store at first use and return the stored thresholds; raises WrongEmbedder."""
        ...

    def close(self) -> None: ...
