"""What-if: a write is run again with one thing changed, against the store as it was, and nothing is written.

Up to the node that is named, everything is as recorded: settings, replies, edits by hand. From it on the other settings
hold and the model is asked. Where no node is named, the other settings hold from the start and only questions that the
record does not answer are asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from scrubjay.graph.deciders.replies import Heard, Mode, Replies
from scrubjay.graph.replaying.differences import STAGES, Difference, differences, settings
from scrubjay.graph.replaying.made import Made
from scrubjay.graph.replaying.player import Playing, Stop
from scrubjay.graph.replaying.recorded import check_whole, edits, known_write, readable
from scrubjay.graph.replaying.scene import Scene
from scrubjay.graph.strategies import STRATEGIES
from scrubjay.nodes.decider import Decider
from scrubjay.nodes.settings import Strategy, choose_strategy, validated
from scrubjay.nodes.vectors import TextVectors
from scrubjay.prompts.request import Request
from scrubjay.stores.errors import NotReplayable, UnknownName
from scrubjay.stores.records import Decision, Json, Memory, WriteRow
from scrubjay.stores.sqlite import SqliteStore

BEFORE = {
    "extract": "load_context", "surprisal_gate": "extract", "retrieve": "surprisal_gate", "judge": "retrieve",
    "merge": "judge", "replace": "judge", "delete": "judge",
}  # fmt: skip
"""node → the one after which other settings are put into the state, so that they hold from the node on"""
ASKED_AT = {"extract": "extract", "judge": "judge", "merge": "merge"}
"""tag → the first node that asks such a question"""
Way = Literal["recorded", "live"]


@dataclass(frozen=True)
class Change:
    """What is to be otherwise."""

    from_node: str | None = None
    settings: Json | None = None
    """strategy, detector, resolver, threshold, top_k"""
    model: Decider | None = None
    """who is asked live; None only where nobody needs to be"""
    anew: bool = False
    """the model was named: without a node, it is asked from the extraction on"""

    @property
    def overrides(self) -> Json:
        return {name: value for name, value in (self.settings or {}).items() if value is not None}

    @property
    def start(self) -> str | None:
        """The node from which on things are otherwise; None: wherever questions change."""
        if self.from_node is None and self.anew and not self.overrides:
            return "extract"
        return None if self.from_node == "load_context" else self.from_node

    def mode(self, request: Request[Any]) -> Mode:
        if self.from_node is None and self.start is None:
            return "same"
        asked = STAGES.index(ASKED_AT.get(request.tag, "judge"))
        return (
            "then" if asked < STAGES.index(self.start or "load_context") and not live_merge(self, request) else "live"
        )


def live_merge(change: Change, request: Request[Any]) -> bool:
    """Merges are asked by `merge` and `replace`, which stand side by side."""
    return request.tag == "merge" and change.start in ("merge", "replace")


@dataclass(frozen=True)
class DecisionPair:
    """One fact's decision as recorded and as it would be; None where there is no such fact."""

    fact: int
    recorded: Decision | None
    alternative: Decision | None


@dataclass(frozen=True)
class MemoryPair:
    """The newest version of a memory after the write as recorded and as it would be; None where there is none."""

    memory_id: str
    recorded: Memory | None
    alternative: Memory | None


@dataclass(frozen=True)
class WhatIf:
    """A write beside what it would have been."""

    write_id: str
    from_node: str | None
    changed: dict[str, tuple[Any, Any]]
    """setting → (as recorded, as it would be)"""
    differences: tuple[Difference, ...]
    decisions: tuple[DecisionPair, ...]
    memories: tuple[MemoryPair, ...]
    """those that either touches"""
    calls: dict[str, dict[Way, int]]
    """tag → questions answered from the record, and asked live"""
    recorded: Made
    alternative: Made
    applied: str | None = None
    """the write that carried it out"""

    @property
    def same(self) -> bool:
        """The same decisions and the same memories."""
        return not any(d.stage != "load_context" and "question" not in d.what for d in self.differences)


def what_if(
    store: SqliteStore,
    write_id: str,
    change: Change,
    *,
    live: TextVectors | None = None,
    strategies: Mapping[str, Strategy] = STRATEGIES,
) -> WhatIf:
    """Raises UnknownName, InvalidInput, NotReplayable; nothing is written."""
    row = changeable(known_write(store, write_id), change, strategies)
    with readable(row), Scene(store, row.scope, strategies=strategies, live=live) as scene:
        recorded = scene.recorded(row)
        alternative, heard = tried(scene, row, change)
    return WhatIf(
        row.id, change.from_node, settings_changed(recorded.row, alternative.row),
        tuple(d for d in differences(recorded, alternative, heard, ()) if d.what != "live"),
        tuple(decision_pairs(recorded, alternative)), tuple(memory_pairs(recorded, alternative)), counted(heard),
        recorded, alternative,
    )  # fmt: skip


def changeable(row: WriteRow, change: Change, strategies: Mapping[str, Strategy]) -> WriteRow:
    """The write, if it can be run again like this; before anything is asked."""
    if row.kind != "add":
        raise NotReplayable(row.id, f"a write of kind {row.kind} decides nothing anew: name the write that it is about")
    check_whole(row)
    if change.from_node is not None and change.from_node not in STAGES:
        raise UnknownName("node", change.from_node, f"choose one of {', '.join(STAGES)}")
    choose_strategy(change.overrides.get("strategy", row.settings["context"]["strategy"]), strategies)
    validated(row.settings["context"] | change.overrides)
    return row


def tried(scene: Scene, row: WriteRow, change: Change) -> tuple[Made, list[Heard]]:
    """The write as it would be. A run that would stop to ask a person leaves the question open instead."""
    for more in ({}, {"how": "queue"}):
        playing = playing_of(scene, row, change, Replies(row.calls, live=change.model, mode=change.mode), more)
        made = scene.play(playing)
        if made is not None:
            return made, playing.replies.heard
        scene.rewind()
    raise NotReplayable(row.id, "its commit was refused: the store is not as it was")


def playing_of(scene: Scene, row: WriteRow, change: Change, replies: Replies, more: Json) -> Playing:
    """`more`: settings that hold from the start, whatever the node."""
    changed = overrides_of(row, change) | more
    return Playing(row, replies, changed if change.start is None else more, stops_of(scene, row, change, changed))


def overrides_of(row: WriteRow, change: Change) -> Json:
    """A preset that is asked for brings its own detector, resolver, threshold and k; what is named beside it wins."""
    fresh: Json = (
        dict.fromkeys(("detector", "resolver", "threshold", "top_k")) if "strategy" in change.overrides else {}
    )
    return fresh | change.overrides


def stops_of(scene: Scene, row: WriteRow, change: Change, overrides: Json) -> tuple[Stop, ...]:
    """Edits by hand hold where the judge is as recorded; other settings hold from their node on."""
    start = change.start
    stops = edits(row) if start is not None and STAGES.index(start) > STAGES.index("judge") else ()
    if start not in BEFORE or not overrides:
        return stops
    settled = Stop(BEFORE[start], lambda state: {"settings": scene.settings(overrides).plain()}, settles=True)
    return (*stops, settled)


def settings_changed(old: WriteRow, new: WriteRow) -> dict[str, tuple[Any, Any]]:
    before, after = settings(old), settings(new)
    return {name: (before.get(name), after[name]) for name in after if before.get(name) != after[name]}


def decision_pairs(recorded: Made, alternative: Made) -> list[DecisionPair]:
    old, new = recorded.by_fact, alternative.by_fact
    return [DecisionPair(n, old.get(n), new.get(n)) for n in sorted(old | new)]


def memory_pairs(recorded: Made, alternative: Made) -> list[MemoryPair]:
    """Memories that either of the two made a version of."""
    old, new = newest(recorded), newest(alternative)
    mine = {recorded.row.id, alternative.row.id}
    pairs = [MemoryPair(i, old.get(i), new.get(i)) for i in sorted(old | new)]
    return [p for p in pairs if {m.write_id for m in (p.recorded, p.alternative) if m} & mine]


def newest(made: Made) -> dict[str, Memory]:
    return {i: versions[-1] for i, versions in made.memories.items() if versions}


def counted(heard: Sequence[Heard]) -> dict[str, dict[Way, int]]:
    """By tag; a question that nobody answered counts as neither."""
    found: dict[str, dict[Way, int]] = {}
    ways: dict[str, Way] = {"recorded": "recorded", "prompt changed": "recorded", "question changed": "recorded"}
    told = Counter((one.tag, ways.get(one.how, "live")) for one in heard if one.how != "new question")
    for (tag, way), count in sorted(told.items()):
        found.setdefault(tag, {"recorded": 0, "live": 0})[way] += count
    return found
