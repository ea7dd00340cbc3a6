"""One scope's writes, run again one after the other: graph, copy and recorded answers, set up once."""

from __future__ import annotations

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
from scrubjay.graph.replaying.made import Made, look, planned, touched
from scrubjay.graph.replaying.stage import Embedded, KeptVectors, Stage, Timeline
from scrubjay.graph.strategies import STRATEGIES
from scrubjay.graph.write_graph import build_write_graph
from scrubjay.nodes.load_context import begin, settle
from scrubjay.nodes.settings import Strategy, WriteContext
from scrubjay.nodes.state import Write
from scrubjay.nodes.tools import Limits, Tools
from scrubjay.nodes.vectors import TextVectors
from scrubjay.prompts.request import Request
from scrubjay.stores.protocol import Reader
from scrubjay.stores.records import Commit, Committed, Json, Scope, WriteRow
from scrubjay.stores.sqlite import SqliteStore

EMBEDDER = "embedder"
"""code of what the gate was told of the embedder"""


@dataclass(frozen=True)
class Stop:
    """Where the run stands still once, and what is then changed in its state, as a person would in Studio."""

    after: str
    change: Callable[[Write], Write]


@dataclass
class Playing:
    """The write that is on, and who answers for its model."""

    row: WriteRow
    replies: Replies
    overrides: Json = field(default_factory=dict)
    """settings that are not as recorded"""
    stops: tuple[Stop, ...] = ()


class Current:
    """A decider that hands on to the replies of the write that is on."""

    name = "replies"

    def __init__(self, scene: Scene) -> None:
        self._scene = scene

    def decide(self, request: Request[Any], config: RunnableConfig) -> Any:
        return self._scene.playing.replies.decide(request, config)

    async def adecide(self, request: Request[Any], config: RunnableConfig) -> Any:
        return await self._scene.playing.replies.adecide(request, config)


class Scene:
    """Replays writes of one scope in the order of their moments. Close it, or use `with`, to free its two copies."""

    playing: Playing

    def __init__(
        self,
        store: SqliteStore,
        scope: Scope,
        *,
        strategies: Mapping[str, Strategy] = STRATEGIES,
        live: TextVectors | None = None,
    ) -> None:
        self.store, self.scope, self.strategies = store, scope, strategies
        self.stage = Stage.open(":memory:")
        self.stage.source, self.stage.scope = store, scope
        self.then = SqliteStore.open(":memory:")
        self.vectors = KeptVectors(self.then, live)

    def __enter__(self) -> Scene:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.stage.close()
        self.then.close()

    def reaches(self, row: WriteRow) -> bool:
        """Copies move forward only: a write that began before the last one ended needs another scene."""
        return self.stage.moment() <= Timeline.of(row).first and self.then.moment() <= row.moment

    def recorded(self, row: WriteRow) -> Made:
        """What the write left, as of its end. The memories it touched are the ones that a run is asked for too."""
        self.store.bring(self.then, self.scope, row.moment)
        return look(self.then, row.id, touched(self.then, row.id))

    def play(self, playing: Playing) -> Made | None:
        """Run the write; None where its commit met a store that had moved for good."""
        self._set(playing)
        # a context of its own: whoever replays inside a graph must not lend this run its stream, saver or thread
        Context().run(run, self._built(), playing.stops)
        return self._made()

    def rehearse(self, row: WriteRow, derive: Callable[[Reader, WriteRow], Commit]) -> Made | None:
        """The same for a write that no messages went through."""
        self._set(Playing(row, Replies([])))
        self.stage.come(row.moment - 1)
        self.stage.commit(derive(self.stage, row))
        return self._made()

    def _built(self) -> Any:
        """Standing still needs a saver."""
        if not self.playing.stops:
            return self.compiled
        return self.graph.compile(checkpointer=InMemorySaver())

    @cached_property
    def compiled(self) -> Any:
        return self.graph.compile()

    def _made(self) -> Made | None:
        made = self.stage.made
        assert made is None or isinstance(made, Made)
        return made

    def _set(self, playing: Playing) -> None:
        self.playing, row = playing, playing.row
        timeline = Timeline.of(row)
        problems = [p["text"] for p in row.result.get("problems", []) if p["code"] == EMBEDDER]
        self.stage.timeline, self.stage.made = timeline, None
        self.vectors.embedded = Embedded(timeline, problems)
        known = touched(self.then, row.id)

        def seen(view: Reader, commit: Commit, done: Committed) -> Made:
            return look(view, done.write.id, known | planned(commit))

        self.stage.look = seen

    @cached_property
    def graph(self) -> Any:
        return build_write_graph(self.tools, load=load_record(self))

    @cached_property
    def tools(self) -> Tools:
        return Tools(
            store=self.stage, decider=Current(self), vectors=self.vectors, limits=self._limits, clock=self._clock,
            new_id=_no_id, timer=lambda: 0.0, strategies=self.strategies,
        )  # fmt: skip

    def began(self, fresh: Json) -> Json:
        """With what no run can find out again: where in its thread the write began."""
        return {**{k: v for k, v in self.playing.row.input.items() if k != "messages"}, **fresh}

    def _limits(self) -> Limits:
        kept = self.playing.row.settings
        return Limits(recall=kept["recall"], near=kept["near"], veto=kept["veto"])

    def _clock(self) -> datetime:
        return datetime.fromisoformat(self.playing.row.at)


def run(graph: Any, stops: Sequence[Stop]) -> None:
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


def load_record(scene: Scene) -> Callable[..., Write]:
    """load_context from a record: only the messages that were new are kept, so no history is looked through."""

    def load(state: Write, *, tools: Tools) -> Write:
        row = scene.playing.row
        context = WriteContext.model_validate(row.settings["context"] | scene.playing.overrides)
        settings = settle(context, tools, now_id=_no_id)
        problems, today = row.input.get("problems", []), row.input.get("today", row.at[:10])
        fresh = tools.store.picture(lambda view: begin(settings, row.input["messages"], problems, today, view))
        answered: Any = row.result.get("answered", [])
        return {**fresh, "timings": {}, "answered": answered, "began": scene.began(fresh["began"])}

    return load


def _no_id(*_: object) -> str:
    raise AssertionError("a recorded write has its id")
