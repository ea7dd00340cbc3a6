"""A whole history run anew into an empty copy: what would the store look like under other settings or another model?

Each write's extraction is as recorded, since what was said does not depend on what was remembered; gate, search, judge
and texts are done anew, each write against what the ones before it left in the copy. Nothing is written to the store.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scrubjay.graph.deciders.replies import Heard, Mode, Replies
from scrubjay.graph.replaying.kinds import derivation
from scrubjay.graph.replaying.player import Player, Playing
from scrubjay.graph.replaying.recorded import check_whole, known_write, readable, write_ids
from scrubjay.graph.replaying.stage import KeptVectors
from scrubjay.graph.replaying.what_if import Change, Way, counted, overrides_of
from scrubjay.graph.strategies import STRATEGIES
from scrubjay.nodes.settings import Strategy, choose_strategy
from scrubjay.nodes.vectors import TextVectors
from scrubjay.prompts.request import Request
from scrubjay.stores.errors import NotReplayable, ScrubjayError, UnknownName
from scrubjay.stores.records import Json, Memory, Scope, WriteRow
from scrubjay.stores.sqlite import SqliteStore


@dataclass(frozen=True)
class WhatIfAll:
    """A store beside what it would be."""

    scope: Scope
    since: int
    """the moment up to which the history is as it was; 0: all of it was run anew"""
    writes: int
    """run anew"""
    left_out: tuple[tuple[str, str], ...]
    """(write, why) of those that could not be: what they changed is missing in the alternative"""
    calls: dict[str, dict[Way, int]]
    """tag → questions answered from the record, and asked live"""
    calls_then: dict[str, int]
    """tag → questions of the same writes as recorded"""
    actions: dict[str, int]
    """what was done with facts in the alternative"""
    actions_then: dict[str, int]
    only_here: tuple[Memory, ...]
    """active in the store, and nothing in the alternative says the same"""
    only_there: tuple[Memory, ...]
    same: tuple[Memory, ...]


class Anew(Player):
    """Runs writes into a copy that keeps them."""

    def __init__(
        self, store: SqliteStore, copy: SqliteStore, live: TextVectors | None, strategies: Mapping[str, Strategy]
    ) -> None:
        super().__init__(strategies)
        self.store, self._copy = store, copy
        self._vectors = KeptVectors(store, live)

    @property
    def copy(self) -> SqliteStore:
        return self._copy

    @property
    def vectors(self) -> KeptVectors:
        return self._vectors

    def recall(self) -> float:
        return float(self.store.meta()["thresholds"].get("recall", self.playing.row.settings["recall"]))

    def play(self, row: WriteRow, change: Change) -> list[Heard]:
        """One write; raises what the nodes raise, or what an undo or review says that cannot be done here."""
        if row.kind != "add":
            self._copy.commit(derivation(row, self._copy)(self._copy, row))
            return []
        check_whole(row)
        replies = Replies(row.calls, live=change.model, mode=lambda request: mode(request, change))
        stops = row.settings["context"].get("how") == "interrupt"
        nobody: Json = {"approve": []} if stops else {}  # no run can stop here
        self.run(Playing(row, replies, nobody | overrides_of(row, change)))
        if self._copy.write(row.id) is None:
            raise NotReplayable(row.id, "it made nothing in the copy")
        return replies.heard


def mode(request: Request[Any], change: Change) -> Mode:
    """What was extracted stays; of the rest a named model is asked everything, else only what is not on record."""
    if request.tag == "extract":
        return "place"
    return "live" if change.anew else "same"


def what_if_all(
    store: SqliteStore,
    scope: Scope,
    change: Change,
    *,
    since: str | None = None,
    live: TextVectors | None = None,
    strategies: Mapping[str, Strategy] = STRATEGIES,
) -> WhatIfAll:
    """since: ISO time with zone; what was written up to then is taken over. Raises UnknownName and InvalidInput."""
    if "strategy" in change.overrides:
        choose_strategy(change.overrides["strategy"], strategies)
    start = store.moment_at(scope, since) if since is not None else 0
    rows = list(later(store, scope, start))
    if not rows and not start:
        raise UnknownName("user", scope.user_id, "nothing was ever written for them, or they were forgotten")
    copy = store.as_of(scope, start)
    try:
        return told(store, copy, Anew(store, copy, live, strategies), scope, rows, start, change)
    finally:
        copy.close()


def later(store: SqliteStore, scope: Scope, start: int) -> Iterator[WriteRow]:
    """Writes after a moment, oldest first."""
    rows = (known_write(store, write_id) for write_id in write_ids(store, scope))
    yield from (row for row in rows if row.moment > start)


def told(
    store: SqliteStore, copy: SqliteStore, anew: Anew, scope: Scope, rows: Sequence[WriteRow], start: int,
    change: Change,
) -> WhatIfAll:  # fmt: skip
    heard: list[Heard] = []
    left_out: list[tuple[str, str]] = []
    for row in rows:
        try:
            with readable(row):
                heard += anew.play(row, change)
        except ScrubjayError as error:
            left_out.append((row.id, str(error)))
    here, there = store.active(scope), copy.active(scope)
    only_here, only_there = without(here, there), without(there, here)
    return WhatIfAll(
        scope, start, len(rows) - len(left_out), tuple(left_out), counted(heard), tags(rows),
        actions(copy, rows), actions(store, rows), tuple(only_here), tuple(only_there),
        tuple(m for m in here if m not in only_here),
    )  # fmt: skip


def tags(rows: Sequence[WriteRow]) -> dict[str, int]:
    return dict(sorted(Counter(call["tag"] for row in rows for call in row.calls).items()))


def actions(store: SqliteStore, rows: Sequence[WriteRow]) -> dict[str, int]:
    """How often each was done, drops and failures under their own names."""
    found = [d for row in rows for d in store.decisions(write_id=row.id) if d.fact_id is not None]
    return dict(sorted(Counter(d.action if d.outcome == "applied" else d.outcome for d in found).items()))


def without(memories: Sequence[Memory], others: Sequence[Memory]) -> list[Memory]:
    """Those whose text does not stand among the others, as often as it does there."""
    left = Counter(m.text for m in others)
    found: list[Memory] = []
    for memory in memories:
        left[memory.text] -= 1
        if left[memory.text] < 0:
            found.append(memory)
    return found
