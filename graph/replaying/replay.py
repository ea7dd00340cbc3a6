"""Replay: a write is run again from its own record, against the store as it was, without model, embedder or change.

Only records are read, never checkpoints, so it makes no difference whether the write ran alone or inside somebody's
graph, and with which saver.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from scrubjay.graph.deciders.replies import Replies
from scrubjay.graph.replaying.differences import Difference, differences
from scrubjay.graph.replaying.kinds import derivation
from scrubjay.graph.replaying.made import Made
from scrubjay.graph.replaying.player import Playing
from scrubjay.graph.replaying.recorded import check_whole, edits, known_write, readable, write_ids
from scrubjay.graph.replaying.scene import Scene
from scrubjay.graph.strategies import STRATEGIES
from scrubjay.nodes.settings import Strategy
from scrubjay.stores.errors import NotReplayable, ScrubjayError, StoreBusy, UnknownName
from scrubjay.stores.records import Json, Scope, WriteRow
from scrubjay.stores.sqlite import SqliteStore


@dataclass(frozen=True)
class Replay:
    """What came out when a write was run again."""

    write_id: str
    kind: str
    differences: tuple[Difference, ...] = ()
    """in the order of the stages; none: identical"""
    refused: str | None = None
    """why it could not be run again, where several writes were asked for"""

    @property
    def identical(self) -> bool:
        return not self.differences and self.refused is None

    def as_json(self) -> Json:
        return {
            "write_id": self.write_id, "kind": self.kind, "identical": self.identical, "refused": self.refused,
            "differences": [d.as_json() for d in self.differences],
        }  # fmt: skip


def replay(store: SqliteStore, write_id: str, *, strategies: Mapping[str, Strategy] = STRATEGIES) -> Replay:
    """One write. Raises UnknownName, and NotReplayable where its record is not whole."""
    row = known_write(store, write_id)
    with readable(row), Scene(store, row.scope, strategies=strategies) as scene:
        return run_again(scene, row)


def replay_all(
    store: SqliteStore, scope: Scope, *, strategies: Mapping[str, Strategy] = STRATEGIES
) -> Iterator[Replay]:
    """Every write of a scope, oldest first; one that cannot be run again says why. Raises UnknownName for nobody."""
    ids = write_ids(store, scope)
    if not ids:
        raise UnknownName("user", scope.user_id, "nothing was ever written for them, or they were forgotten")
    scene = Scene(store, scope, strategies=strategies)
    try:
        for write_id in ids:
            row = known_write(store, write_id)
            try:
                with readable(row):
                    if not scene.reaches(row):
                        scene.close()
                        scene = Scene(store, scope, strategies=strategies)
                    done = run_again(scene, row)
            except NotReplayable as error:
                done = Replay(row.id, row.kind, refused=str(error))
            yield done
    finally:
        scene.close()


def run_again(scene: Scene, row: WriteRow) -> Replay:
    check_whole(row)
    if row.kind != "add":
        derivation(row, scene.store)
    if (name := row.settings.get("context", {}).get("strategy")) not in scene.strategies and row.kind == "add":
        return Replay(row.id, row.kind, (Difference("load_context", "strategy", name, None),))
    replies = Replies(row.calls if row.kind == "add" else [])
    recorded = scene.recorded(row)
    try:
        replayed = played(scene, row, replies)
    except ScrubjayError as error:  # what the code of today refuses, the code of then did
        refused = Difference("commit", "refused", row.outcome, f"{type(error).__name__}: {error}")
        return Replay(row.id, row.kind, (refused,))
    return Replay(row.id, row.kind, tuple(differences(recorded, replayed, replies.heard, replies.left)))


def played(scene: Scene, row: WriteRow, replies: Replies) -> Made:
    """Raises what the nodes raise, and StoreBusy where the commit was refused for good."""
    if row.kind != "add":
        made = scene.rehearse(row, derivation(row, scene.store))
    else:
        made = scene.play(Playing(row, replies, stops=edits(row)))
    if made is None:
        raise StoreBusy(f"write {row.id}: the store is not as it was, and the commit was refused")
    return made
