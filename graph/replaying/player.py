"""The write graph, set up once to run recorded writes: the record gives messages, settings, time, ids and replies."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextvars import Context
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver

from scrubjay.graph.deciders.replies import Replies
from scrubjay.graph.engine import STEPS
from scrubjay.graph.write_graph import build_write_graph
from scrubjay.nodes.load_context import begin, settle
from scrubjay.nodes.settings import Settings, Strategy, WriteContext
from scrubjay.nodes.state import Write
from scrubjay.nodes.tools import Limits, Tools
from scrubjay.nodes.vectors import TextVectors
from scrubjay.prompts.request import Request
from scrubjay.stores.protocol import Store
from scrubjay.stores.records import Json, WriteRow


@dataclass(frozen=True)
class Stop:
    """Where the run stands still once, and what is then changed in its state, as a person would in Studio."""

    after: str
    change: Callable[[Write], Write]
    settles: bool = False
    """the settings are other ones from here on"""


@dataclass
class Playing:
    """The write that is on, and who answers for its model."""

    row: WriteRow
    replies: Replies
    overrides: Json = field(default_factory=dict)
    """settings that are not as recorded, from the start"""
    stops: tuple[Stop, ...] = ()
    at: str | None = None
    """when it is recorded; None: as it was"""


class Current:
    """A decider that hands on to the replies of the write that is on."""

    name = "replies"

    def __init__(self, player: Player) -> None:
        self._player = player

    def decide(self, request: Request[Any], config: RunnableConfig) -> Any:
        return self._player.playing.replies.decide(request, config)

    async def adecide(self, request: Request[Any], config: RunnableConfig) -> Any:
        return await self._player.playing.replies.adecide(request, config)


class Player(ABC):
    """Runs one recorded write after the other against the store that it is given."""

    playing: Playing

    def __init__(self, strategies: Mapping[str, Strategy]) -> None:
        self.strategies = strategies

    @property
    @abstractmethod
    def copy(self) -> Store:
        """What the graph reads and commits to."""

    @property
    @abstractmethod
    def vectors(self) -> TextVectors: ...

    @abstractmethod
    def recall(self) -> float:
        """What a preset without a threshold of its own has now."""

    def run(self, playing: Playing) -> None:
        """To the end; raises what the nodes raise."""
        self.playing = playing
        # a context of its own: whoever replays inside a graph must not lend this run its stream, saver or thread
        Context().run(run_with_stops, self._built(), playing.stops)

    def _built(self) -> Any:
        """Standing still needs a saver."""
        return self.graph.compile(checkpointer=InMemorySaver()) if self.playing.stops else self.compiled

    def forget_graph(self) -> None:
        """It is set up again, with another copy."""
        for name in ("compiled", "graph", "tools"):
            self.__dict__.pop(name, None)

    @cached_property
    def compiled(self) -> Any:
        return self.graph.compile()

    @cached_property
    def graph(self) -> Any:
        return build_write_graph(self.tools, load=self.load)

    @cached_property
    def tools(self) -> Tools:
        return Tools(
            store=self.copy, decider=Current(self), vectors=self.vectors, limits=self._limits, clock=self._clock,
            new_id=_no_id, timer=lambda: 0.0, strategies=self.strategies,
        )  # fmt: skip

    def settings(self, overrides: Json) -> Settings:
        """Of the write that is on, as they are resolved today."""
        context = WriteContext.model_validate(self.playing.row.settings["context"] | overrides)
        return settle(context, self.tools, now_id=_no_id)

    def load(self, state: Write, *, tools: Tools) -> Write:
        """load_context from a record: only the messages that were new are kept, so no history is looked through."""
        row = self.playing.row
        settings, batch = self.settings(self.playing.overrides), row.input["messages"]
        problems, today = row.input.get("problems", []), row.input.get("today", row.at[:10])
        fresh = tools.store.picture(lambda view: begin(settings, batch, problems, today, view))
        answered: Any = row.result.get("answered", [])
        return {**fresh, "timings": {}, "answered": answered, "began": self._began(fresh["began"])}

    def _began(self, fresh: Json) -> Json:
        """With what no run can find out again: where in its thread the write began."""
        return {**{k: v for k, v in self.playing.row.input.items() if k != "messages"}, **fresh}

    def _limits(self) -> Limits:
        kept = self.playing.row.settings
        return Limits(recall=self.recall(), near=kept["near"], veto=kept["veto"])

    def _clock(self) -> datetime:
        return datetime.fromisoformat(self.playing.at or self.playing.row.at)


def run_with_stops(graph: Any, stops: Sequence[Stop]) -> None:
    """To the end, standing still at each stop, in order. Tasks ask one after the other, so that places are sure."""
    config: Any = {"recursion_limit": STEPS, "max_concurrency": 1, "configurable": {"thread_id": "replay"}}
    given: Any = {"messages": []}
    for stop in stops:
        graph.invoke(given, config, interrupt_after=[stop.after])
        if not (now := graph.get_state(config)).next:
            return  # the run took another way
        graph.update_state(config, stop.change(now.values), as_node=stop.after)
        given = None
    graph.invoke(given, config)


def _no_id(*_: object) -> str:
    raise AssertionError("a recorded write has its id")
