"""From a memory as it is to the memory as it is wanted: pure, and the same for undo, redo and a decision made anew."""

from __future__ import annotations

from dataclasses import dataclass, replace

from scrubjay.stores.records import Link, Memory, NewVersion, Source, Standing


@dataclass(frozen=True, slots=True)
class Restoration:
    """What a commit must hold for one memory; nothing at all where it is as wanted."""

    version: NewVersion | None = None
    withdrawn: tuple[Source, ...] = ()
    returned: tuple[Source, ...] = ()
    """for Commit.sources: they count again"""

    @property
    def anything(self) -> bool:
        return bool(self.version or self.withdrawn or self.returned)


def restore(now: Memory | None, wanted: Memory | None) -> Restoration:
    """`wanted` may be an older version, or one of another store; None: it is not to be, and becomes `deleted`.

    Links are compared as they are given: leave out those of other memories (Reader.stood does), which no version of
    this one can end. Text, standings and all the rest come from `wanted`; facts and old versions stay where they are.
    """
    if wanted is None:
        return _deleted(now)
    standings = tuple((s.fact.id, s.standing) for s in wanted.facts)
    come, gone = _difference(wanted.links, now.links if now else ())
    withdrawn, returned = _sources(now, wanted)
    if now is not None and content(now) == content(wanted):
        return Restoration(None, withdrawn, returned)
    return Restoration(_version(now, wanted, standings, come, gone), withdrawn, returned)


def content(memory: Memory) -> tuple[object, ...]:
    """All that a version says, but for its number and its time."""
    return (
        memory.text, memory.status, memory.type, memory.subject, memory.attributes, memory.valid_from, memory.valid_to,
        memory.metadata, frozenset((s.fact.id, s.standing) for s in memory.facts), frozenset(memory.links),
    )  # fmt: skip


def same(one: Memory | None, other: Memory | None) -> bool:
    """Equal in content and in what was said where."""
    if one is None or other is None:
        return one is other
    said = [{_place(s) for s in memory.sources} for memory in (one, other)]
    return content(one) == content(other) and said[0] == said[1]


def _deleted(now: Memory | None) -> Restoration:
    """It keeps its text and facts, as any deleted memory does, and lets go of its links."""
    if now is None or (now.status == "deleted" and not now.links):
        return Restoration()
    standings = tuple((s.fact.id, s.standing) for s in now.facts)
    return Restoration(replace(_version(now, now, standings, (), now.links), status="deleted"))


def _version(
    now: Memory | None, like: Memory, standings: tuple[tuple[str, Standing], ...], links: tuple[Link, ...],
    ended: tuple[Link, ...],
) -> NewVersion:  # fmt: skip
    return NewVersion(
        memory_id=like.id, version=now.version + 1 if now else 1, text=like.text, status=like.status, type=like.type,
        subject=like.subject, attributes=like.attributes, valid_from=like.valid_from, valid_to=like.valid_to,
        metadata=like.metadata, standings=standings, links=links, ended_links=ended,
    )  # fmt: skip


def _difference(wanted: tuple[Link, ...], now: tuple[Link, ...]) -> tuple[tuple[Link, ...], tuple[Link, ...]]:
    """(links to make, links to end)"""
    return tuple(link for link in wanted if link not in now), tuple(link for link in now if link not in wanted)


def _sources(now: Memory | None, wanted: Memory) -> tuple[tuple[Source, ...], tuple[Source, ...]]:
    """(those to withdraw, those to count again), of facts that both rest on.

    A fact that only one of the two rests on keeps its sources: other memories may rest on it as well.
    """
    before = now.facts if now else ()
    shared = {s.fact.id for s in before} & {s.fact.id for s in wanted.facts}
    mine = {_place(s): s for s in (now.sources if now else ()) if s.fact_id in shared}
    theirs = {_place(s): s for s in wanted.sources if s.fact_id in shared}
    gone = tuple(source for place, source in mine.items() if place not in theirs)
    return gone, tuple(source for place, source in theirs.items() if place not in mine)


def _place(source: Source) -> tuple[str, str, str, str]:
    """What makes it the same source in the store."""
    return source.fact_id, source.conversation_id, source.message_id, source.quote
