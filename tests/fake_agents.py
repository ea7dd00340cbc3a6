"""Parents for the memory graphs: small agents of each kind, and the savers that they are tried with."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import START, MessagesState, StateGraph

from scrubjay import Memory

SYNC = ("none", "memory", "sqlite")
ASYNC = ("none", "memory", "async sqlite")


@contextmanager
def saver(kind: str, folder: Path) -> Iterator[Any]:
    if kind != "sqlite":
        yield InMemorySaver() if kind == "memory" else None
        return
    with SqliteSaver.from_conn_string(str(folder / "parent.db")) as opened:
        yield opened


@asynccontextmanager
async def async_saver(kind: str, folder: Path) -> AsyncIterator[Any]:
    if kind != "async sqlite":
        yield InMemorySaver() if kind == "memory" else None
        return
    async with AsyncSqliteSaver.from_conn_string(str(folder / "parent.db")) as opened:
        yield opened


def parent(node: Any, state: Any = MessagesState, **compiled: Any) -> Any:
    """A graph with one node, "remember"."""
    graph = StateGraph(state)
    graph.add_node("remember", node)
    graph.add_edge(START, "remember")
    return graph.compile(**compiled)


def calling(memory: Memory) -> Callable[[Any, RunnableConfig], dict[str, Any]]:
    """The other way: a function node that invokes the write graph on a thread of its own."""

    def remember(state: Any, config: RunnableConfig) -> dict[str, Any]:
        own = {"thread_id": "memory", "user_id": config["configurable"]["user_id"]}
        out = memory.write_graph.invoke({"messages": state["messages"]}, {"configurable": own})
        return {"memory_changes": out["memory_changes"]}

    return remember


def on(user: str | None = "ana", thread: str = "t") -> Any:
    return {"configurable": {"thread_id": thread, **({} if user is None else {"user_id": user})}}


def say(text: str, id: str | None = None) -> Any:
    return {"messages": [HumanMessage(text, id=id)]}


def texts(memory: Memory, user: str = "ana") -> list[str]:
    return [m.text for m in memory.list(user_id=user)]


def writes(memory: Memory) -> int:
    found: int = memory.store.meta()["counts"]["writes"]
    return found
