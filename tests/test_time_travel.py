"""LangGraph's own time travel over our graphs: from whatever checkpoint, a committed write commits once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph

from scrubjay import Memory
from scrubjay.graph.write_graph import build_write_graph

CONFIG: RunnableConfig = {"configurable": {"thread_id": "chat", "user_id": "ana"}}
Graph = Any
"""a compiled graph"""


def alone(memory: Memory) -> Graph:
    return build_write_graph(memory.engine.tools).compile(checkpointer=InMemorySaver())


def in_a_parent(memory: Memory) -> Graph:
    graph = StateGraph(MessagesState)
    graph.add_node("remember", memory.write_graph)
    graph.add_edge(START, "remember")
    return graph.compile(checkpointer=InMemorySaver())


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory.open(":memory:", checkpoints=False) as opened:
        opened.add("I live in Porto.", user_id="ana")
        yield opened


def say(graph: Graph, text: str, config: RunnableConfig = CONFIG) -> Any:
    return graph.invoke({"messages": [{"role": "user", "content": text}]}, config)


def at(config: RunnableConfig) -> RunnableConfig:
    """The checkpoint, for the same user: LangGraph's own snapshots do not carry what was configured."""
    return {"configurable": {**config["configurable"], "user_id": "ana"}}


def again(graph: Graph, config: RunnableConfig) -> None:
    graph.invoke(None, at(config))


def edited_with_nothing(graph: Graph, config: RunnableConfig) -> None:
    graph.invoke(None, at(graph.update_state(at(config), {})))


@pytest.mark.parametrize("build", [alone, in_a_parent])
@pytest.mark.parametrize("travel", [again, edited_with_nothing])
def test_a_run_that_is_sent_back_leaves_the_store_as_it_is(
    build: Callable[[Memory], Graph], travel: Callable[[Graph, RunnableConfig], None], memory: Memory
) -> None:
    graph = build(memory)
    say(graph, "I moved to Bergen.")
    before = memory.store.dump()
    for _ in range(2):  # the second time over the forks that the first one made
        for snapshot in list(graph.get_state_history(CONFIG)):
            travel(graph, snapshot.config)
    assert memory.store.dump() == before


def test_a_write_of_memory_itself_commits_once_from_every_checkpoint(memory: Memory, tmp_path: Any) -> None:
    with Memory.open(tmp_path / "memory.db") as kept:
        result = kept.add("I moved to Bergen.", user_id="ana")
        before = kept.store.dump()
        config: RunnableConfig = {"configurable": {"thread_id": result.write_id}}
        for snapshot in list(kept.engine.graph.get_state_history(config)):
            again(kept.engine.graph, snapshot.config)
        assert kept.store.dump() == before


def test_a_run_that_is_sent_back_reports_the_first_result(memory: Memory) -> None:
    graph = alone(memory)
    first = say(graph, "I moved to Bergen.")
    start = list(graph.get_state_history(CONFIG))[-1]
    assert graph.invoke(None, at(start.config)) == first


def test_other_words_said_at_an_earlier_checkpoint_are_news(memory: Memory) -> None:
    graph = alone(memory)
    say(graph, "I moved to Bergen.")
    start = list(graph.get_state_history(CONFIG))[-1]
    say(graph, "I moved to Oslo.", at(start.config))
    assert len(memory.store.writes()) == 3


@pytest.mark.parametrize("build", [alone, in_a_parent])
def test_a_client_that_names_the_newest_checkpoint_may_say_the_same_again(
    build: Callable[[Memory], Graph], memory: Memory
) -> None:
    graph = build(memory)
    config = CONFIG
    for home in ("Bergen", "Oslo", "Bergen"):
        say(graph, f"I moved to {home}.", config)
        config = at(graph.get_state(CONFIG).config)
    homes = [m.text.split(" (")[0] for m in memory.list(user_id="ana")]
    assert homes == ["User moved to Bergen"]
