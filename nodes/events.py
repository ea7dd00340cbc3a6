"""Custom stream events: what a write changed, for an agent's screen ("Lisbon → Porto · undo")."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.runtime import Runtime

from scrubjay.nodes.settings import WriteContext
from scrubjay.nodes.state import Json
from scrubjay.stores.records import Committed

EVENT = "memory_change"
LISTENER = "__scrubjay_listener"
"""the key of `configurable` under which graph/embeddable.py hands on the writer of a parent that streams"""
FIELDS = ("write_id", "memory_id", "action", "before", "after", "retired", "outcome")

Writer = Callable[[Any], None]


def announce(done: Committed, config: RunnableConfig, runtime: Runtime[WriteContext]) -> None:
    """One event a change, once it is in the store; none for a write that was there before.

    Streamed with `stream_mode="custom"`; where nobody streams, nothing happens.
    """
    if not done.first:
        return
    for change in done.write.result["changes"]:
        for write in listeners(config, runtime):
            write(event(change))


def event(change: Json) -> Json:
    """Plain JSON; an outcome other than "applied" says that the change waits for a review."""
    return {"scrubjay": EVENT, **{name: change[name] for name in FIELDS}}


def listeners(config: RunnableConfig, runtime: Runtime[WriteContext]) -> list[Writer]:
    """This run's stream, and the parent's where LangGraph does not join the two: each is told once."""
    own = runtime.stream_writer
    parents: Writer | None = (config.get("configurable") or {}).get(LISTENER)
    return [own] if parents is None or parents is own else [own, parents]
