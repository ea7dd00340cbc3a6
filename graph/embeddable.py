"""A compiled graph that behaves in somebody else's graph: its events are heard there, a sync-only saver is named."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.config import get_config, get_stream_writer
from langgraph.graph import StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.typing import ContextT, InputT, OutputT, StateT

from scrubjay.nodes.events import LISTENER
from scrubjay.nodes.given import SAVER
from scrubjay.stores.errors import GraphError


class Embeddable(CompiledStateGraph[StateT, ContextT, InputT, OutputT]):
    """As compiled by LangGraph but for two things, both at the start of a run.

    A parent that streams "custom" without `subgraphs=True`, or runs this graph on a thread of its own, would not hear
    of changes: LangGraph cuts that wire, so the parent's writer is handed on. And a saver that cannot be awaited is
    refused with GraphError.
    """

    def stream(self, input: Any, config: RunnableConfig | None = None, **asked: Any) -> Iterator[Any]:
        return super().stream(input, heard(config, asked), **asked)

    def astream(self, input: Any, config: RunnableConfig | None = None, **asked: Any) -> AsyncIterator[Any]:
        refuse_sync_saver(self.checkpointer or parents_saver(config))
        return super().astream(input, heard(config, asked), **asked)


def embeddable(
    compiled: CompiledStateGraph[StateT, ContextT, InputT, OutputT],
) -> Embeddable[StateT, ContextT, InputT, OutputT]:
    """The same graph; all that compiling set is kept, which `copy` would not do."""
    made: Embeddable[StateT, ContextT, InputT, OutputT] = Embeddable.__new__(Embeddable)
    made.__dict__.update(compiled.__dict__)
    return made


class EmbeddableGraph(StateGraph[StateT, ContextT, InputT, OutputT]):
    """A graph that compiles to Embeddable."""

    def compile(self, *asked: Any, **named: Any) -> Embeddable[StateT, ContextT, InputT, OutputT]:
        """With LangGraph's own parameters."""
        return embeddable(super().compile(*asked, **named))


def heard(config: RunnableConfig | None, asked: dict[str, Any]) -> RunnableConfig | None:
    """The config with the parent's writer; as it is where no parent runs us or the caller streams our events."""
    modes = asked.get("stream_mode") or ()
    if "custom" in ((modes,) if isinstance(modes, str) else modes):
        return config
    try:
        writer = get_stream_writer()
    except RuntimeError:  # no graph around this one
        return config
    given: RunnableConfig = config or {}
    return {**given, "configurable": {**(given.get("configurable") or {}), LISTENER: writer}}


def parents_saver(config: RunnableConfig | None) -> Any:
    """The saver that LangGraph would take from the parent; None outside of one."""
    given = (config or {}).get("configurable") or {}
    if SAVER in given or given.get("thread_id"):
        return given.get(SAVER)
    try:
        return (get_config().get("configurable") or {}).get(SAVER)
    except RuntimeError:
        return None


def refuse_sync_saver(saver: Any) -> None:
    """Before any node runs: raises GraphError for a saver without async methods."""
    without: Sequence[Any] = (BaseCheckpointSaver.aget_tuple, SqliteSaver.aget_tuple)
    if isinstance(saver, BaseCheckpointSaver) and type(saver).aget_tuple in without:
        raise GraphError(
            f"{type(saver).__name__} cannot be awaited, so nothing was run or written: compile with AsyncSqliteSaver "
            "(langgraph.checkpoint.sqlite.aio) for ainvoke and astream, or use invoke and stream"
        )
