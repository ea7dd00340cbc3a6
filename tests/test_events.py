"""Custom stream events: an agent's screen hears of each change once it is in the store, however it runs the write."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import MessagesState

from scrubjay import Memory
from tests.fake_agents import calling, on, parent, say

FIELDS = {"scrubjay", "write_id", "memory_id", "action", "before", "after", "retired", "outcome"}


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory.open(":memory:", checkpoints=False) as opened:
        opened.add("I live in Lisbon.", user_id="ana")
        yield opened


MOVE = "I moved to Porto."


def events(chunks: list[Any]) -> list[dict[str, Any]]:
    """What is ours among the chunks, whatever LangGraph wraps around it."""
    parts = (chunk[-1] if isinstance(chunk, tuple) else chunk for chunk in chunks)
    return [part for part in parts if isinstance(part, dict) and part.get("scrubjay") == "memory_change"]


def streamed(graph: Any, given: Any = None, config: Any = None, **asked: Any) -> list[dict[str, Any]]:
    return events(list(graph.stream(given or say(MOVE), config or on(), **asked)))


async def astreamed(graph: Any, **asked: Any) -> list[dict[str, Any]]:
    return events([chunk async for chunk in graph.astream(say(MOVE), on(), **asked)])


def own_thread(memory: Memory) -> Any:
    async def remember(state: MessagesState) -> dict[str, Any]:
        await memory.write_graph.ainvoke({"messages": state["messages"]}, on(thread="memory"))
        return {}

    return remember


def adding(memory: Memory) -> Any:
    def remember(state: MessagesState) -> dict[str, Any]:
        memory.add(state["messages"], user_id="ana")
        return {}

    return remember


def forwarding(memory: Memory) -> Any:
    """A host that reads the events itself and keeps them to itself."""

    def remember(state: MessagesState, config: RunnableConfig) -> dict[str, Any]:
        list(memory.write_graph.stream({"messages": state["messages"]}, config, stream_mode="custom"))
        return {}

    return remember


MODES: tuple[Any, ...] = ("custom", ["custom"], ["updates", "custom"])


@pytest.mark.parametrize("subgraphs", [False, True])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("way", [lambda m: m.write_graph, calling, adding])
def test_a_parents_stream_hears_of_a_change_once(memory: Memory, way: Any, mode: Any, subgraphs: bool) -> None:
    found = streamed(parent(way(memory)), stream_mode=mode, subgraphs=subgraphs)
    assert [(e["action"], e["before"]) for e in found] == [("replace", "User lives in Lisbon")]


@pytest.mark.parametrize("subgraphs", [False, True])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("way", [lambda m: m.write_graph, own_thread, adding])
def test_a_parents_stream_that_is_awaited_hears_it_too(memory: Memory, way: Any, mode: Any, subgraphs: bool) -> None:
    graph = parent(way(memory), checkpointer=InMemorySaver())
    found = asyncio.run(astreamed(graph, stream_mode=mode, subgraphs=subgraphs))
    assert [(e["action"], e["before"]) for e in found] == [("replace", "User lives in Lisbon")]


@pytest.mark.parametrize("mode", MODES)
def test_the_write_graph_alone_streams_its_changes(memory: Memory, mode: Any) -> None:
    assert [e["action"] for e in streamed(memory.write_graph, stream_mode=mode)] == ["replace"]


def test_an_event_is_plain_json_with_what_a_screen_needs(memory: Memory) -> None:
    (event,) = streamed(memory.write_graph, stream_mode="custom")
    written = json.loads(json.dumps(event))
    assert written == event and set(event) == FIELDS
    assert event["after"].startswith("User moved to Porto") and event["outcome"] == "applied"


def test_the_event_tells_what_the_record_tells(memory: Memory) -> None:
    (event,) = streamed(memory.write_graph, stream_mode="custom")
    (change,) = memory.write(event["write_id"]).result["changes"]
    assert {k: v for k, v in event.items() if k != "scrubjay"} == change


def test_an_event_comes_when_the_change_is_in_the_store(memory: Memory) -> None:
    for event in memory.write_graph.stream(say(MOVE), on(), stream_mode="custom"):
        assert memory.get(event["memory_id"]).text == event["after"]
        break
    else:
        pytest.fail("no event")


def test_one_write_with_two_changes_tells_both(memory: Memory) -> None:
    found = streamed(memory.write_graph, say("I own a boat. I drink oolong."), stream_mode="custom")
    assert [e["after"] for e in found] == ["User owns a boat", "User drinks oolong"]


def test_a_key_that_was_seen_before_tells_nothing(memory: Memory) -> None:
    keyed = say("I own a boat.", "1") | {"memory_write": {"key": "k"}}
    assert len(streamed(memory.write_graph, keyed, stream_mode="custom")) == 1
    assert streamed(memory.write_graph, keyed, stream_mode="custom") == []


def test_a_write_without_a_change_tells_nothing(memory: Memory) -> None:
    assert streamed(memory.write_graph, say("I live in Lisbon."), stream_mode="custom") == []


def test_nobody_who_did_not_ask_for_events_gets_any(memory: Memory) -> None:
    assert streamed(parent(memory.write_graph), stream_mode="updates", subgraphs=True) == []


def test_a_host_that_streams_the_write_itself_keeps_the_events(memory: Memory) -> None:
    assert streamed(parent(forwarding(memory)), stream_mode="custom") == []


def test_the_listener_is_in_no_checkpoint(memory: Memory) -> None:
    saver = InMemorySaver()
    streamed(parent(memory.write_graph, checkpointer=saver), stream_mode="custom")
    kept = [key for item in saver.list(on()) for key in item.metadata]
    assert kept and [key for key in kept if "listener" in key] == []
