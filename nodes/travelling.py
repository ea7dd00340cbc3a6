"""LangGraph's time travel: a run that is sent back to an earlier checkpoint is the write that it was, not a new one.

A write is known by its key, and that by the ids of its messages. Messages without ids get none that would last: sent
back to before `load_context`, the same words would come as news, and under a parent even with fresh ids. So a write
remembers its place, and a run that was sent there with the same words is that write.
"""

from __future__ import annotations

from collections.abc import Iterator

from langchain_core.runnables import RunnableConfig

from scrubjay.nodes.state import Json, Write
from scrubjay.stores.protocol import Reader
from scrubjay.stores.records import Scope, WriteRow

PAGE = 50


def place_of(state: Write, given: int) -> Json:
    """How many messages came, and which write of the same thread came before."""
    return {"given": given, "after": state.get("memory_write_id")}


def sent_back(config: RunnableConfig) -> str | None:
    """The thread, where the caller named one of its checkpoints to go on from."""
    if not (config.get("metadata") or {}).get("checkpoint_id"):
        return None
    thread = (config.get("configurable") or {}).get("thread_id")
    return str(thread) if thread else None


def made_there(said: list[Json], place: Json, thread: str, scope: Scope, view: Reader) -> WriteRow | None:
    """The newest write of the thread that was made at this place of these words.

    `update_state` takes the messages away, which live for one step: without any, the place alone decides.
    """
    words = [m["text"] for m in said]
    for row in newest_first(scope, view):
        if row.result.get("where", {}).get("thread_id") == thread and same_place(row, place, words):
            return row
    return None


def same_place(row: WriteRow, place: Json, words: list[str]) -> bool:
    then, read = row.input.get("place", {}), [m["text"] for m in row.input["messages"]]
    if not place["given"]:
        return bool(then.get("after") == place["after"])
    return bool(then == place and read and words[-len(read) :] == read)


def newest_first(scope: Scope, view: Reader) -> Iterator[WriteRow]:
    """The scope's writes that messages were given to; a walk, for who travels in time."""
    offset = 0
    while rows := view.writes(scope, limit=PAGE, offset=offset):
        yield from (row for row in rows if row.kind == "add" and row.resumed_by is None)
        offset += PAGE
