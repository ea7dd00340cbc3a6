"""Where a write is run again: a copy of its scope that moves on as the store did while the write was under way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from scrubjay.graph.replaying.made import Made
from scrubjay.nodes.backfill import Lookout
from scrubjay.nodes.vectors import TextVectors
from scrubjay.stores.errors import EmbedderError
from scrubjay.stores.protocol import Vectors
from scrubjay.stores.records import Commit, Committed, Conflict, Json, Scope, WriteRow
from scrubjay.stores.sqlite import SqliteStore
from scrubjay.stores.sqlite.reader import Picture
from scrubjay.stores.sqlite.rehearsing import Rehearsal

T = TypeVar("T")


@dataclass
class Timeline:
    """The looks at the store that a write took, and how many of them were taken again."""

    reads: list[Json]
    last: int
    """moment before the write's own"""
    taken: int = 0

    @classmethod
    def of(cls, row: WriteRow) -> Timeline:
        return cls(row.result.get("reads", []), row.moment - 1)

    @property
    def next(self) -> Json | None:
        """The look that is due; None once the record has no more."""
        return self.reads[self.taken] if self.taken < len(self.reads) else None

    @property
    def moment(self) -> int:
        """Of the look that is due; a commit that another look follows met a store that had moved."""
        due = self.next
        return self.last if due is None else int(due["moment"])

    @property
    def first(self) -> int:
        return int(self.reads[0]["moment"]) if self.reads else self.last


class Stage(Rehearsal):
    """The copy; its commit is a rehearsal, and what was made there stays in `made`."""

    source: SqliteStore
    scope: Scope
    timeline: Timeline
    look: Callable[[Picture, Commit, Committed], Made]
    made: Made | None = None

    def picture(self, look: Callable[[Picture], T]) -> T:
        self.come(self.timeline.moment)
        self.timeline.taken += 1
        return super().picture(look)

    def commit(self, commit: Commit) -> Committed | Conflict:
        self.come(self.timeline.moment)
        done, seen = self.rehearse(commit, lambda view, done: self.look(view, commit, done))
        self.made = seen if isinstance(done, Committed) else None
        return done

    def come(self, moment: int) -> None:
        """Move on to a moment; never back."""
        if moment > self.moment():
            self.source.bring(self, self.scope, moment)


class NoLookout(Lookout):
    """Nothing that waits for its vector is looked for."""

    def due(self, scope: Scope) -> bool:
        return False


class NoEmbedder:
    """Stands where an embedder would: a replay looks vectors up, and makes none."""

    name, dimension = "none", 0

    def encode(self, texts: Any) -> Vectors:
        raise EmbedderError("a replay embeds nothing")


@dataclass
class Embedded:
    """What the embedder gave and did not give during one write."""

    timeline: Timeline
    failures: list[str] = field(default_factory=list)
    """what the gate was told"""

    def missing(self) -> set[str]:
        """Texts that had no vector at the look that is due."""
        return set((self.timeline.next or {}).get("not_embedded", ()))

    def told(self) -> list[str]:
        return self.failures if (self.timeline.next or {}).get("node") == "surprisal_gate" else []


class KeptVectors(TextVectors):
    """Vectors that were there when the write was done, and none that it lacked; `live` embeds what is unknown."""

    def __init__(self, then: SqliteStore, live: TextVectors | None = None) -> None:
        super().__init__(then, NoEmbedder())
        self.lookout = NoLookout()
        self.live = live
        self.embedded = Embedded(Timeline([], 0))

    def of(self, texts: Any) -> tuple[dict[str, bytes], list[str]]:
        missing = self.embedded.missing()
        wanted = [t for t in dict.fromkeys(texts) if t not in missing]
        kept = zip(wanted, self.store.vectors(wanted), strict=True)
        found = {t: v for t, v in kept if v is not None}
        rest = [t for t in wanted if t not in found]
        if self.live is None or not rest:
            return found, list(self.embedded.told())
        fresh, problems = self.live.of(rest)
        return found | fresh, [*self.embedded.told(), *problems]
