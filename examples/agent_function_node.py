"""A chat agent with memory, the function way: a node of your own calls the memory graphs.

    python examples/agent_function_node.py

For agents whose state has no room for our keys, or that want memory on a thread of its own. A graph that is invoked
with its own thread_id inherits nothing, so the node hands the user on. Runs offline; with OPENAI_API_KEY set,
OPENAI_MODEL (default gpt-4o-mini) answers and decides what is remembered.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, SystemMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.graph.state import CompiledStateGraph

from scrubjay import Memory

SAID = ("I live in Lisbon. I own a boat.", "I moved to Porto last month.", "Where do I live?")


def model_spec() -> str | None:
    """None: the embedded rules decide what is remembered."""
    name = os.environ.get("OPENAI_MODEL", "gpt-4o-mini")
    return f"openai:{name}" if os.environ.get("OPENAI_API_KEY") else None


def chat_model() -> BaseChatModel:
    """A real model where there is a key, else one that says a fixed thing."""
    if spec := model_spec():
        from langchain_openai import ChatOpenAI  # noqa: PLC0415  takes 3 s, and is not needed offline

        return ChatOpenAI(model=spec.removeprefix("openai:"))
    return GenericFakeChatModel(messages=same_answer())


def same_answer() -> Iterator[AIMessage]:
    while True:
        yield AIMessage("(a model's answer, given what is recalled)")


def build(memory: Memory, *, checkpointer: Any = None) -> CompiledStateGraph[MessagesState, Any, Any, Any]:
    """answer → remember, on a state that knows nothing of memory."""
    model = chat_model()

    def answer(state: MessagesState, config: RunnableConfig) -> dict[str, Any]:
        found = memory.recall_graph.invoke({"messages": state["messages"]}, own_thread(config))
        block = found["memory_context"]
        print(*(f"  recalled: {line.removeprefix('- ')}\n" for line in block.splitlines()[2:-1]), sep="", end="")
        return {"messages": [model.invoke([*([SystemMessage(block)] if block else []), *state["messages"]])]}

    def remember(state: MessagesState, config: RunnableConfig) -> dict[str, Any]:
        done = memory.write_graph.invoke({"messages": state["messages"]}, own_thread(config))
        for change in done["memory_changes"]:
            print(f"  changed: {change['before'] or 'nothing'} → {change['after'] or 'nothing'}")
        return {}

    graph = StateGraph(MessagesState)
    graph.add_node("answer", answer)
    graph.add_node("remember", remember)
    graph.add_edge(START, "answer")
    graph.add_edge("answer", "remember")
    return graph.compile(checkpointer=checkpointer, name="agent")


def own_thread(config: RunnableConfig) -> RunnableConfig:
    """Whose memory it is must be said again."""
    user, thread = config["configurable"]["user_id"], config["configurable"]["thread_id"]
    return {"configurable": {"thread_id": f"memory of {user}", "user_id": user, "conversation_id": thread}}


def main() -> None:
    with Memory.open(":memory:", model=model_spec(), checkpoints=False) as memory:
        agent = build(memory, checkpointer=InMemorySaver())
        for text in SAID:
            print(f"> {text}")
            given: Any = {"messages": [("user", text)]}
            agent.invoke(given, {"configurable": {"thread_id": "t1", "user_id": "ana"}})


if __name__ == "__main__":
    main()
