"""Carrying out an alternative: what the write did is taken back and what it would have done is put in its place.

Both in one recorded write of kind "what_if", about the old one, and only while the memories concerned are as the old
write left them. The alternative gets ids of its own; old facts and versions stay to be seen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from scrubjay.graph.deciders.replies import Replies
from scrubjay.graph.replaying.recorded import known_write
from scrubjay.graph.replaying.scene import Scene
from scrubjay.graph.replaying.stage import NoEmbedder
from scrubjay.graph.replaying.what_if import Change, WhatIf, playing_of
from scrubjay.graph.undoing.plan import Restored
from scrubjay.graph.undoing.record import Stamp, reported
from scrubjay.graph.undoing.restore import restore, same
from scrubjay.nodes.vectors import TextVectors
from scrubjay.stores.errors import InvalidInput, LaterWrites, NotReplayable
from scrubjay.stores.protocol import Reader
from scrubjay.stores.records import Commit, Committed, Conflict, Json, Memory, WriteRow
from scrubjay.stores.sqlite import SqliteStore

Memories = Mapping[str, Memory]


@dataclass(frozen=True)
class Alternative:
    """What the write would have left, under ids of its own, beside what it left."""

    old: WriteRow
    commit: Commit
    recorded: Memories
    """as the old write left them"""
    wanted: Memories
    """as the alternative leaves them"""


@dataclass(frozen=True)
class Asked:
    """What is to be carried out: from this, the replies and the store of then it can be derived again."""

    stamp: Stamp
    from_node: str | None
    settings: Json
    calls: tuple[Json, ...]


def apply(store: SqliteStore, found: WhatIf, change: Change, stamp: Stamp, live: TextVectors) -> Committed:
    """Raises InvalidInput where there is nothing to carry out, and LaterWrites where the memories have moved on."""
    if found.same:
        raise InvalidInput(f"write {found.write_id} would have been the same: there is nothing to carry out")
    if found.alternative.row.outcome == "failed" or found.alternative.row.incomplete:
        raise InvalidInput(f"the alternative to {found.write_id} failed or is incomplete: nothing is carried out")
    asked = Asked(stamp, change.start, change.overrides, found.alternative.row.calls)
    alternative = alternative_to(store, known_write(store, found.write_id), asked, live)
    done = store.commit(store.picture(lambda view: composed(view, alternative, asked)))
    if isinstance(done, Conflict):
        raise LaterWrites(found.write_id, "decide anew", {"that was under way": done.memory_ids})
    return done


def rederived(store: SqliteStore, view: Reader, row: WriteRow) -> Commit:
    """The commit of such a write once more, from its record: what a replay compares."""
    asked = Asked(Stamp(row.id, row.at), row.input["from"], row.input["settings"], row.calls)
    kept = TextVectors(store, NoEmbedder())
    return composed(view, alternative_to(store, known_write(store, row.about[0]), asked, kept), asked)


def alternative_to(store: SqliteStore, old: WriteRow, asked: Asked, live: TextVectors) -> Alternative:
    """The run once more, with the replies that it has heard and under ids of its own; nothing waits for approval."""
    own = {"write_id": asked.stamp.write_id, "key": asked.stamp.write_id, "approve": [], "how": "queue"}
    change = Change(asked.from_node, asked.settings)
    with Scene(store, old.scope, live=live) as scene:
        recorded = scene.recorded(old)
        playing = playing_of(scene, old, change, Replies(asked.calls), own)
        if scene.play(replace(playing, at=asked.stamp.at)) is None:
            raise NotReplayable(old.id, "its commit was refused: the store is not as it was")
        ids = sorted({*scene.after, *recorded.memories})
        return Alternative(old, scene.committed, scene.then.stood(ids), scene.after)


def composed(view: Reader, made: Alternative, asked: Asked) -> Commit:
    """From the store as it is to the alternative. Raises LaterWrites."""
    ids = sorted({*made.recorded, *made.wanted})
    now = view.stood(ids)
    check_unmoved(made, now, ids)
    changes = [Restored(now.get(i), made.wanted.get(i), restore(now.get(i), made.wanted.get(i))) for i in ids]
    own = {fact.id for fact in made.commit.facts}
    revision = view.revision(made.old.scope)
    waiting = view.proposals(made.old.scope, write_id=made.old.id)
    return replace(
        made.commit,
        write=row_of(made, asked, changes, revision),
        expected_revision=revision,
        messages=(),
        sources=(
            *(s for s in made.commit.sources if s.fact_id in own), *(s for c in changes for s in c.change.returned),
        ),
        versions=tuple(c.change.version for c in changes if c.change.version),
        absorptions=(),
        withdrawn=tuple(dict.fromkeys(s for c in changes for s in c.change.withdrawn)),
        settles=tuple(p.id for p in waiting),
    )  # fmt: skip


def check_unmoved(made: Alternative, now: Memories, ids: list[str]) -> None:
    """Contents are compared, not version numbers: what was changed and changed back stands in nobody's way."""
    later: dict[str, tuple[str, ...]] = {}
    for i in ids:
        if not same(now.get(i), made.recorded.get(i)):
            by = now[i].write_id if i in now else "that forgot it"
            later[by] = (*later.get(by, ()), i)
    if later:
        raise LaterWrites(made.old.id, "decide anew", later)


def row_of(made: Alternative, asked: Asked, changes: list[Restored], revision: int) -> WriteRow:
    """Its input says what was asked, so that it can be derived again."""
    alternative = made.commit.write
    given = {**alternative.input, "from": asked.from_node, "settings": asked.settings}
    return replace(
        alternative, kind="what_if", about=(made.old.id,), input=given, revision_read=revision,
        result={"changes": reported(changes, asked.stamp.write_id), "problems": alternative.result["problems"]},
    )  # fmt: skip
