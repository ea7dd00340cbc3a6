"""The write graph in parents of every kind: both ways of embedding, each saver, any state and context, many users."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from operator import add
from pathlib import Path
from typing import Annotated, Any

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.graph.message import add_messages
from langgraph.runtime import Runtime
from langgraph.store.memory import InMemoryStore
from langgraph.types import Send
from pydantic import BaseModel
from typing_extensions import TypedDict

from scrubjay import Memory
from scrubjay.nodes.settings import WriteContext
from tests.fake_agents import ASYNC, SYNC, async_saver, calling, on, parent, saver, say, texts, writes

WAYS = ("node", "function")


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory.open(":memory:", checkpoints=False) as opened:
        yield opened


class Chat(MessagesState):
    memory_changes: list[dict[str, Any]]


def node(memory: Memory, way: str) -> Any:
    return memory.write_graph if way == "node" else calling(memory)


@pytest.mark.parametrize("kind", SYNC)
@pytest.mark.parametrize("way", WAYS)
def test_a_messages_state_parent_remembers_each_turn_once(memory: Memory, way: str, kind: str, tmp_path: Path) -> None:
    with saver(kind, tmp_path) as checkpointer:
        graph = parent(node(memory, way), Chat, checkpointer=checkpointer)
        graph.invoke(say("I live in Porto.", "1"), on())
        out = graph.invoke(say("I own a boat.", "2"), on())
    assert [c["after"] for c in out["memory_changes"]] == ["User owns a boat"]
    assert texts(memory) == ["User lives in Porto", "User owns a boat"]


@pytest.mark.parametrize("kind", ASYNC)
def test_a_parent_that_is_awaited_remembers_too(memory: Memory, kind: str, tmp_path: Path) -> None:
    async def turns() -> Any:
        async with async_saver(kind, tmp_path) as checkpointer:
            graph = parent(memory.write_graph, Chat, checkpointer=checkpointer)
            await graph.ainvoke(say("I live in Porto.", "1"), on())
            return await graph.ainvoke(say("I own a boat.", "2"), on())

    assert [c["after"] for c in asyncio.run(turns())["memory_changes"]] == ["User owns a boat"]
    assert texts(memory) == ["User lives in Porto", "User owns a boat"]


def test_a_parent_without_our_keys_gets_nothing_and_we_remember(memory: Memory) -> None:
    out = parent(memory.write_graph).invoke(say("I own a boat."), on())
    assert set(out) == {"messages"} and texts(memory) == ["User owns a boat"]


def test_the_user_may_come_with_the_mapped_input(memory: Memory) -> None:
    class Mapped(MessagesState):
        memory_write: dict[str, Any]

    parent(memory.write_graph, Mapped).invoke(say("I own a boat.") | {"memory_write": {"user_id": "ben"}}, on(None))
    assert (texts(memory, "ben"), texts(memory)) == (["User owns a boat"], [])


def test_settings_of_one_invocation_do_not_stay_on_its_thread(memory: Memory) -> None:
    graph = memory.engine.graph.builder.compile(checkpointer=InMemorySaver())
    graph.invoke(say("I own a boat.", "1") | {"memory_write": {"user_id": "ben"}}, on(None))
    graph.invoke(say("I own a car.", "2"), on("ana"))
    assert (texts(memory, "ben"), texts(memory)) == (["User owns a boat"], ["User owns a car"])


# -- the parent's own state, store and context
def clashing(value: Any) -> dict[str, Any]:
    """Keys named as our channels, and used for something else."""
    names = ("settings", "facts", "context", "plan", "known", "problems", "batch", "resolved", "groups", "round")
    return dict.fromkeys(names, value)


Clashing = TypedDict("Clashing", {"messages": Annotated[list[Any], add_messages], **dict.fromkeys(clashing(0), Any)})  # type: ignore[misc]


@pytest.mark.parametrize("value", ["mine", 7, None, ["a"], {"x": 1}])
def test_a_parents_keys_with_our_names_neither_crash_nor_leak(memory: Memory, value: Any) -> None:
    out = parent(memory.write_graph, Clashing).invoke(say("I own a boat.") | clashing(value), on())
    assert {k: out[k] for k in clashing(value)} == clashing(value)
    assert texts(memory) == ["User owns a boat"]


def test_nothing_of_ours_appears_in_a_parent_that_has_the_keys_but_no_values(memory: Memory) -> None:
    assert set(parent(memory.write_graph, Clashing).invoke(say("I own a boat."), on())) == {"messages"}


@dataclass
class DataclassState:
    messages: Annotated[list[Any], add_messages] = field(default_factory=list)
    plan: str = "mine"


class ModelState(BaseModel):
    messages: Annotated[list[Any], add_messages] = []
    facts: int = 3


@pytest.mark.parametrize("state", [DataclassState, ModelState])
def test_a_parents_state_may_be_of_any_kind(memory: Memory, state: Any) -> None:
    parent(memory.write_graph, state).invoke(say("I own a boat."), on())
    assert texts(memory) == ["User owns a boat"]


@dataclass
class Theirs:
    user_id: str = "somebody else"
    threshold: str = "high"


class TheirModel(BaseModel):
    user_id: int = 3


@pytest.mark.parametrize("context", [None, {"user_id": "somebody else", "detector": 7}, Theirs(), TheirModel()])
def test_a_parents_context_is_its_own_affair(memory: Memory, context: Any) -> None:
    parent(memory.write_graph).invoke(say("I own a boat."), on(), context=context)
    assert texts(memory) == ["User owns a boat"]


def test_a_parent_may_hand_on_our_own_context(memory: Memory) -> None:
    graph = StateGraph(MessagesState, WriteContext)
    graph.add_node("remember", memory.write_graph)
    graph.add_edge(START, "remember")
    graph.compile().invoke(say("I own a boat."), context=WriteContext(user_id="ben"))
    assert texts(memory, "ben") == ["User owns a boat"]


def test_the_parents_store_stays_the_parents(memory: Memory) -> None:
    seen: list[Any] = []

    def look(state: MessagesState, runtime: Runtime[None]) -> dict[str, Any]:
        assert runtime.store is not None
        seen.extend(item.value for item in runtime.store.search(("mine",)))
        return {}

    store = InMemoryStore()
    store.put(("mine",), "k", {"v": 1})
    graph = StateGraph(MessagesState)
    graph.add_node("remember", memory.write_graph)
    graph.add_node("look", look)
    graph.add_edge(START, "remember")
    graph.add_edge("remember", "look")
    graph.compile(store=store).invoke(say("I own a boat."), on())
    assert seen == [{"v": 1}] and store.list_namespaces() == [("mine",)]


# -- several users at once (C33)
class Fan(TypedDict, total=False):
    messages: Annotated[list[Any], add_messages]
    memory_changes: Annotated[list[dict[str, Any]], add]


USERS = ("ana", "ben", "chi")


def fan_out(state: Fan) -> list[Send]:
    """Each user's own words."""
    words = state["messages"][-1].content
    return [
        Send("remember", say(f"I own a {words} of {user}.", f"{user} {words}") | {"memory_write": {"user_id": user}})
        for user in USERS
    ]


def fanned(memory: Memory, **compiled: Any) -> Any:
    graph = StateGraph(Fan)
    graph.add_node("remember", memory.write_graph)
    graph.add_conditional_edges(START, fan_out, ["remember"])
    return graph.compile(**compiled)


def apart(memory: Memory, *things: str) -> bool:
    return all(texts(memory, user) == [f"User owns a {thing} of {user}" for thing in things] for user in USERS)


@pytest.mark.parametrize("kind", SYNC)
def test_users_fanned_out_stay_apart_for_two_turns(memory: Memory, kind: str, tmp_path: Path) -> None:
    with saver(kind, tmp_path) as checkpointer:
        graph = fanned(memory, checkpointer=checkpointer)
        for word in ("boat", "kiln"):
            out = graph.invoke(say(word), on(None))
    assert apart(memory, "boat", "kiln") and len(out["memory_changes"]) == (3 if kind == "none" else 6)


@pytest.mark.parametrize("kind", ASYNC)
def test_users_fanned_out_and_awaited_stay_apart(memory: Memory, kind: str, tmp_path: Path) -> None:
    async def turns() -> None:
        async with async_saver(kind, tmp_path) as checkpointer:
            graph = fanned(memory, checkpointer=checkpointer)
            for word in ("boat", "kiln"):
                await graph.ainvoke(say(word), on(None))

    asyncio.run(turns())
    assert apart(memory, "boat", "kiln")


@pytest.mark.parametrize("kind", ASYNC)
def test_users_gathered_in_one_node_stay_apart(memory: Memory, kind: str, tmp_path: Path) -> None:
    async def remember(state: MessagesState) -> dict[str, Any]:
        words = state["messages"][-1].content
        await asyncio.gather(*(
            memory.write_graph.ainvoke(
                say(f"I own a {words} of {user}.", f"{user} {words}"), {"configurable": {"user_id": user}}
            )
            for user in USERS
        ))  # fmt: skip
        return {}

    async def turns() -> None:
        async with async_saver(kind, tmp_path) as checkpointer:
            graph = parent(remember, checkpointer=checkpointer)
            for word in ("boat", "kiln"):
                await graph.ainvoke(say(word), on(None))

    asyncio.run(turns())
    assert apart(memory, "boat", "kiln") and writes(memory) == 6


FIFTY = [f"user{n}" for n in range(50)]


def test_fifty_users_on_one_graph_object_see_their_own_alone(memory: Memory) -> None:
    async def all_at_once() -> None:
        runs = (memory.write_graph.ainvoke(say(f"I own a boat of {u}."), on(u, u)) for u in FIFTY)
        await asyncio.gather(*runs)

    asyncio.run(all_at_once())
    assert {u: texts(memory, u) for u in FIFTY} == {u: [f"User owns a boat of {u}"] for u in FIFTY}


def test_fifty_threads_on_one_parent_see_their_own_alone(memory: Memory) -> None:
    graph = parent(memory.write_graph, Chat, checkpointer=InMemorySaver())
    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(lambda u: graph.invoke(say(f"I own a boat of {u}.", u), on(u, u)), FIFTY))
    assert [[c["after"] for c in out["memory_changes"]] for out in found] == [
        [f"User owns a boat of {u}"] for u in FIFTY
    ]
    assert {u: texts(memory, u) for u in FIFTY} == {u: [f"User owns a boat of {u}"] for u in FIFTY}


def test_a_thread_of_a_thousand_messages_still_remembers_the_newest(memory: Memory) -> None:
    graph = parent(memory.write_graph, Chat, checkpointer=InMemorySaver())
    for start in (0, 400, 800):
        graph.invoke({"messages": [HumanMessage("Well.", id=str(start + n)) for n in range(400)]}, on())
    graph.invoke(say("I own a boat."), on())
    assert texts(memory) == ["User owns a boat"]
