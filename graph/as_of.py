"""A scope as it was remembered at some moment, and what held on a date as far as was known then.

Two times, as in a bitemporal table: *recorded* time says what the store held, *valid* time what was so in the user's
life. "What did it believe in March" is the first, "where did she live in March" the second, and both may be given.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING

from scrubjay.stores.errors import InvalidInput, UnknownName
from scrubjay.stores.protocol import NO_FILTERS, Store
from scrubjay.stores.records import Fact, Filters, Memory, Scope
from scrubjay.stores.text import compare_dates

if TYPE_CHECKING:
    from scrubjay.nodes.recalling import SearchHit
    from scrubjay.nodes.vectors import TextVectors


@dataclass(frozen=True)
class Held:
    """A fact that held on the date asked for."""

    fact: Fact
    memory_id: str
    since: str
    """its valid_from, else when it was said"""
    until: str | None
    """its valid_to, else when the fact that ended it began; None while nothing ended it"""


def zoned(when: datetime | str) -> str | None:
    """A time as ISO text, None for what is no time (a write's id); raises InvalidInput for a time without zone."""
    try:
        time = when if isinstance(when, datetime) else datetime.fromisoformat(when)
    except (TypeError, ValueError):
        return None
    if time.tzinfo is None:
        raise InvalidInput(f"time {when!r} has no zone: append one, such as +00:00")
    try:
        return time.astimezone(UTC).isoformat(timespec="milliseconds")
    except OverflowError:  # the first or the last day that there is, in a zone beyond it
        return (datetime.max if time.year > 1 else datetime.min).replace(tzinfo=UTC).isoformat(timespec="milliseconds")


class AsOf:
    """Reads the past; nothing that it does changes the store. Close it, or use `with`, to free its copy."""

    def __init__(self, store: Store, scope: Scope, moment: int, vectors: Callable[[Store], TextVectors]) -> None:
        self.scope, self.moment = scope, moment
        self._store, self._vectors = store, vectors

    def __enter__(self) -> AsOf:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if "_copy" in self.__dict__:
            self._copy.close()

    @cached_property
    def revision(self) -> int:
        """The scope's revision then."""
        return self._store.revision_at(self.scope, self.moment)

    @cached_property
    def _copy(self) -> Store:
        """Made when something is searched for; a list is read from the store itself."""
        return self._store.as_of(self.scope, self.moment)

    def list(self, *, limit: int | None = None, offset: int = 0) -> Sequence[Memory]:
        """The memories that were active, oldest first, with texts, facts, sources and links as they were."""
        return self._store.active(self.scope, revision=self.revision, limit=limit, offset=offset)

    def search(self, query: str, *, limit: int = 5, filters: Filters = NO_FILTERS) -> Sequence[SearchHit]:
        """What a search would have found; raises InvalidInput, InvalidFilter."""
        from scrubjay.nodes.recalling import hybrid_search  # noqa: PLC0415  numpy and the embedder, for who searches

        if not isinstance(query, str) or type(limit) is not int or limit < 1:
            raise InvalidInput(f"query {query!r} with limit {limit!r}: give text and a whole number from 1 on")
        copy = self._copy
        return hybrid_search(copy, self._vectors(copy), self.scope, query, limit=limit, filters=filters)

    def get(self, memory_id: str) -> Memory:
        """The version that was newest; raises UnknownName for what was not there yet, or is somebody else's."""
        found = self._copy.get(memory_id)
        if found is None:
            raise UnknownName("memory", memory_id, f"user {self.scope.user_id} had none of that id then")
        return found

    def history(self, memory_id: str) -> Sequence[Memory]:
        """Every version until then, oldest first; raises UnknownName."""
        self.get(memory_id)
        return self._copy.history(memory_id)

    def held(self, date: str) -> Sequence[Held]:
        """The facts that held on `date` (ISO date, zoned datetime, "2026-08" or "2026"), by when they began.

        Facts that have ended since are among them; what the user wanted forgotten is not. Where the start is not
        known, a fact holds from when it was said. Raises InvalidInput for what is no date.
        """
        if not isinstance(date, str) or compare_dates(date, "0001") == compare_dates(date, "9999-12-31") == 0:
            raise InvalidInput(f"date {date!r}: give one such as 2026-05-12, 2026-05 or 2026")
        spans = [span for memory in self.list() for span in spans_of(memory)]
        found = [s for s in spans if compare_dates(s.since, date) <= 0 and not _over(s.until, date)]
        return sorted(found, key=lambda s: (s.since, s.fact.id))


def _over(until: str | None, date: str) -> bool:
    return until is not None and compare_dates(until, date) < 0


def spans_of(memory: Memory) -> list[Held]:
    """From when to when each fact of a memory held."""
    said: dict[str, str] = {}
    for source in memory.sources:
        if source.at and (source.fact_id not in said or compare_dates(source.at, said[source.fact_id]) < 0):
            said[source.fact_id] = source.at
    starts = {f.fact.id: f.fact.valid_from or said.get(f.fact.id) or f.fact.recorded_at for f in memory.facts}
    current = [starts[f.id] for f in memory.current]
    spans: list[Held] = []
    for fact in memory.current:
        spans.append(Held(fact, memory.id, starts[fact.id], fact.valid_to))
    for fact in memory.past:
        later = [start for start in current if compare_dates(start, starts[fact.id]) >= 0]
        spans.append(Held(fact, memory.id, starts[fact.id], fact.valid_to or min(later, default=starts[fact.id])))
    return spans
