"""The write graph as a node of somebody's agent: two users at once, one thread for many writes, a parent's saver."""

from __future__ import annotations

import asyncio
from operator import add
from typing import Annotated, Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.prebuilt import ToolNode
from langgraph.types import Send
from typing_extensions import TypedDict

from scrubjay.graph.deciders.scripted import ScriptedDecider
from tests.fakes import ANA, Teller, fact, teller


class Chat(TypedDict, total=False):
    messages: Annotated[list[Any], add_messages]
    memory_changes: list[dict[str, Any]]
    settings: str
    """a name that the write graph uses too, and for something else"""


def echo(request: Any) -> dict[str, Any]:
    """A model that takes each message for a fact."""
    return {"facts": [fact(m.text, quote=m.text) for m in request.messages if m.new and m.role == "user"]}


def echoing(t: Teller, judge: Any = None) -> Teller:
    """Answers any number of requests."""
    nothing: Any = lambda request: {"groups": []}  # noqa: E731
    t.cast.script = ScriptedDecider({"extract": [echo] * 40, "judge": [judge or nothing] * 40}, repairs=False)
    return t


@pytest.fixture
def told() -> Teller:
    return echoing(teller())


def as_node(told: Teller) -> Any:
    """The write graph as a node: the parent's saver is used."""
    parent = StateGraph(Chat)
    parent.add_node("remember", told.memory.write_graph)
    parent.add_edge(START, "remember")
    parent.add_edge("remember", END)
    return parent.compile(checkpointer=InMemorySaver())


def on(thread: str, user: str = ANA) -> Any:
    return {"configurable": {"thread_id": thread, "user_id": user}}


def say(text: str, id: str) -> Any:
    return {"messages": [HumanMessage(text, id=id)]}


def test_a_parent_gets_the_changes_of_each_turn(told: Teller) -> None:
    graph = as_node(told)
    out = graph.invoke(say("User owns a boat", "1"), on("t"))
    assert [c["after"] for c in out["memory_changes"]] == ["User owns a boat"]


def test_a_parents_own_key_of_the_same_name_is_left_alone(told: Teller) -> None:
    out = as_node(told).invoke(say("User owns a boat", "1") | {"settings": "mine"}, on("t"))
    assert out["settings"] == "mine" and told.texts() == ["User owns a boat"]


def test_a_thread_with_many_turns_writes_each_message_once(told: Teller) -> None:
    graph = as_node(told)
    for i, text in enumerate(["User owns a boat", "Ida paints kilns", "Oskar rows"]):
        graph.invoke(say(text, str(i)), on("t"))
    assert told.texts() == ["User owns a boat", "Ida paints kilns", "Oskar rows"]


def test_the_steps_of_a_write_are_found_in_the_parents_thread(told: Teller) -> None:
    graph = as_node(told)
    graph.invoke(say("User owns a boat", "1"), on("t"))
    where = told.memory.write(told.memory.list(user_id=ANA)[0].write_id).result["where"]
    inside = {"configurable": {"thread_id": where["thread_id"], "checkpoint_ns": where["checkpoint_ns"]}}
    steps = [state.next for state in graph.get_state_history(inside)]
    assert where["thread_id"] == "t" and ("extract",) in steps and ("commit",) in steps


async def two_at_once(told: Teller) -> None:
    """C33: a node that writes for two users with gather."""

    async def both(state: Chat) -> Chat:
        texts = {user: f"{user} owns a boat" for user in ("ana", "ben")}
        runs = (told.memory.write_graph.ainvoke(say(t, u), {"configurable": {"user_id": u}}) for u, t in texts.items())
        await asyncio.gather(*runs)
        return {}

    parent = StateGraph(Chat)
    parent.add_node("both", both)
    parent.add_edge(START, "both")
    graph = parent.compile(checkpointer=InMemorySaver())
    await graph.ainvoke({"messages": []}, {"configurable": {"thread_id": "t"}})
    await graph.ainvoke({"messages": []}, {"configurable": {"thread_id": "t"}})


def test_two_users_written_for_at_once_never_meet(told: Teller) -> None:
    asyncio.run(two_at_once(told))
    assert (told.texts("ana"), told.texts("ben")) == (["ana owns a boat"], ["ben owns a boat"])
    assert told.memory.store.meta()["counts"]["writes"] == 2  # the second turn brought the same message ids


class Fan(TypedDict, total=False):
    messages: Annotated[list[Any], add_messages]
    memory_changes: Annotated[list[dict[str, Any]], add]
    """of several writes at once: such a parent needs a reducer"""


def for_each_user(state: Fan) -> list[Send]:
    return [Send("remember", say(f"{u} owns a boat", u) | {"memory_write": {"user_id": u}}) for u in ("ana", "ben")]


def test_users_fanned_out_with_send_never_meet(told: Teller) -> None:
    """C33 c."""
    parent = StateGraph(Fan)
    parent.add_node("remember", told.memory.write_graph)
    parent.add_conditional_edges(START, for_each_user, ["remember"])
    graph = parent.compile(checkpointer=InMemorySaver())
    out = graph.invoke({"messages": []}, {"configurable": {"thread_id": "t"}})
    assert (told.texts("ana"), told.texts("ben")) == (["ana owns a boat"], ["ben owns a boat"])
    assert len(out["memory_changes"]) == 2


async def called_in_parallel(told: Teller) -> list[str]:
    """C33 b: a tool that writes, called twice by one message of the model."""

    @tool
    async def remember(text: str, user: str) -> str:
        """Remember a text."""
        await told.memory.aadd(text, user_id=user)
        return "done"

    calls = [{"name": "remember", "args": {"text": f"{u} owns a boat", "user": u}, "id": u} for u in ("ana", "ben")]
    agent = StateGraph(Chat)
    agent.add_node("tools", ToolNode([remember]))
    agent.add_edge(START, "tools")
    out = await agent.compile(checkpointer=InMemorySaver()).ainvoke(
        {"messages": [AIMessage("", tool_calls=calls)]}, {"configurable": {"thread_id": "t"}}
    )
    return [str(message.content) for message in out["messages"][1:]]


def test_a_tool_called_twice_at_once_writes_for_each_user(told: Teller) -> None:
    assert asyncio.run(called_in_parallel(told)) == ["done", "done"]
    assert (told.texts("ana"), told.texts("ben")) == (["ana owns a boat"], ["ben owns a boat"])
