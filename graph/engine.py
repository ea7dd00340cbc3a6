"""The engine of a Memory: tools, compiled graph and saver; imported with the first write, since LangGraph takes 2 s."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from time import perf_counter
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.graph.state import CompiledStateGraph

from scrubjay.graph.models import resolve_model
from scrubjay.graph.recall_graph import Recall, RecallInput, RecallOutput, build_recall_graph
from scrubjay.graph.saver import TwoWaySaver, open_saver
from scrubjay.graph.strategies import STRATEGIES
from scrubjay.graph.write_graph import build_write_graph
from scrubjay.nodes.load_context import finished
from scrubjay.nodes.recall_settings import RecallContext
from scrubjay.nodes.settings import WriteContext
from scrubjay.nodes.state import Write, WriteInput, WriteOutput
from scrubjay.nodes.tools import Limits, Tools
from scrubjay.nodes.vectors import TextVectors
from scrubjay.stores.errors import CheckpointError
from scrubjay.stores.protocol import Store
from scrubjay.stores.records import Json, Scope

Compiled = CompiledStateGraph[Write, WriteContext, WriteInput, WriteOutput]
CompiledRecall = CompiledStateGraph[Recall, RecallContext, RecallInput, RecallOutput]
STEPS = 60
"""LangGraph's recursion limit: ten nodes, three rounds, room to spare"""


@dataclass(frozen=True)
class Ran:
    """How a run ended."""

    write_id: str
    """this one's, or the first one's under the same key"""
    problems: tuple[Json, ...] = ()
    """what the write's own record cannot know"""


@dataclass
class Engine:
    """Runs writes, each on a thread of its own."""

    store: Store
    model: Any
    base_url: str | None
    vectors: TextVectors
    limits: Callable[[], Limits]
    clock: Callable[[], datetime]
    new_id: Callable[[datetime], str]
    saver_path: str | None
    """None: no checkpoints"""
    bound: Json
    timer: Callable[[], float] = perf_counter

    @cached_property
    def tools(self) -> Tools:
        decider = resolve_model(self.model, base_url=self.base_url)
        return Tools(
            store=self.store, decider=decider, vectors=self.vectors, limits=self.limits, clock=self.clock,
            new_id=self.new_id, timer=self.timer, strategies=STRATEGIES, bound=self.bound,
        )  # fmt: skip

    @cached_property
    def saver(self) -> TwoWaySaver | None:
        return open_saver(self.saver_path) if self.saver_path is not None else None

    @cached_property
    def graph(self) -> Compiled:
        """With our own saver."""
        return build_write_graph(self.tools).compile(checkpointer=self.saver, name="scrubjay")

    @cached_property
    def subgraph(self) -> Compiled:
        """Without a saver: a parent's is used where there is one."""
        return build_write_graph(self.tools).compile(name="scrubjay")

    @cached_property
    def recall(self) -> CompiledRecall:
        return build_recall_graph(self.tools).compile(name="scrubjay_recall")

    def write(self, messages: Any, asked: Json) -> Ran:
        try:
            out = self.graph.invoke(self._input(messages, asked), self._config(asked))
        except CheckpointError as error:
            return self._in_the_store(asked, error)
        return Ran(str(out["memory_write_id"]))

    async def awrite(self, messages: Any, asked: Json) -> Ran:
        try:
            out = await self.graph.ainvoke(self._input(messages, asked), self._config(asked))
        except CheckpointError as error:
            return await asyncio.to_thread(self._in_the_store, asked, error)
        return Ran(str(out["memory_write_id"]))

    def _in_the_store(self, asked: Json, error: CheckpointError) -> Ran:
        """A write whose row is there was applied, whatever became of its checkpoints; else raises CheckpointError."""
        row = self.store.write(asked["write_id"])
        if row is None and "key" in asked:
            held = self.store.write_by_key(Scope(asked["user_id"], asked["agent_id"]), asked["key"])
            row = held if held is not None and finished(held) else None
        if row is None:
            way_out = "nothing was written; free space or move the file away, or open with checkpoints=False"
            raise CheckpointError(f"write {asked['write_id']} stopped, {error}: {way_out}") from error
        return Ran(row.id, ({"code": "checkpoint", "text": f"written, but {error}"},))

    def _input(self, messages: Any, asked: Json) -> WriteInput:
        return {"messages": messages, "memory_write": asked}

    def _config(self, asked: Json) -> RunnableConfig:
        """user_id stands in the metadata of every checkpoint, so that `forget` finds them."""
        configurable = {"thread_id": asked["write_id"], "user_id": asked["user_id"]}
        return cast(RunnableConfig, {"configurable": configurable, "recursion_limit": STEPS})

    def close(self) -> None:
        if "saver" in self.__dict__ and self.saver is not None:
            self.saver.conn.close()
