"""Ids may be shortened to any part that only one of them has: best the end, since ids of one time begin alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, Protocol

from scrubjay.stores.errors import InvalidInput, UnknownName
from scrubjay.stores.records import Memory, WriteRow

Kind = Literal["memory", "write"]

SHORTEST = 4
"""characters of a part: fewer are a guess"""
SHOWN = 8
"""ids listed when a part fits several"""
PAGE = 500
WAYS_OUT = {
    "memory": "`scrubjay list` shows the ids of active ones",
    "write": "`scrubjay history ID` shows the writes that made a memory",
}
ANY_PART = f"any part that only one id has works, best its end ({SHORTEST} characters or more), since all begin alike"


class Records(Protocol):
    """What is needed of a store."""

    def get(self, memory_id: str, *, version: int | None = None) -> Memory | None: ...
    def write(self, write_id: str) -> WriteRow | None: ...
    def writes(self, *, limit: int = 100, offset: int = 0) -> list[WriteRow]: ...


def full_id(store: Records, asked: str, kinds: tuple[Kind, ...] = ("memory",)) -> tuple[Kind, str]:
    """What `asked` names, an id or a part of one; raises UnknownName, and InvalidInput for a part of several."""
    for kind in kinds:
        if (store.get(asked) if kind == "memory" else store.write(asked)) is not None:
            return kind, asked
    fitting = among(asked, known_ids(store, kinds)) if len(asked) >= SHORTEST else []
    if not fitting:
        raise UnknownName(" or ".join(kinds), asked, f"{WAYS_OUT[kinds[0]]}; {ANY_PART}")
    if len(fitting) > 1:
        raise InvalidInput(f"{asked!r} is part of several ids: {listed([i for _, i in fitting])}; {ANY_PART}")
    return fitting[0]


def among(asked: str, ids: Iterable[tuple[Kind, str]]) -> list[tuple[Kind, str]]:
    """Those that have the part. One memory is meant before the write that made it; else an id that ends with it."""
    found = [known for known in ids if asked in known[1]]
    memories = [known for known in found if known[0] == "memory"]
    return memories if len(memories) == 1 else [known for known in found if known[1].endswith(asked)] or found


def known_ids(store: Records, kinds: tuple[Kind, ...]) -> Iterator[tuple[Kind, str]]:
    """Every memory stands in the changes of the write that made it, so the writes name all ids there are."""
    seen: set[str] = set()
    for row in every_write(store):
        if "write" in kinds:
            yield "write", row.id
        for change in row.result["changes"] if "memory" in kinds else ():
            fresh = {change["memory_id"], *change["retired"]} - seen
            seen |= fresh
            yield from (("memory", memory_id) for memory_id in sorted(fresh))


def every_write(store: Records) -> Iterator[WriteRow]:
    """Page by page, newest first."""
    offset = 0
    while page := store.writes(limit=PAGE, offset=offset):
        yield from page
        offset += len(page)


def listed(ids: list[str]) -> str:
    more = f" and {len(ids) - SHOWN} more" if len(ids) > SHOWN else ""
    return ", ".join(ids[:SHOWN]) + more
