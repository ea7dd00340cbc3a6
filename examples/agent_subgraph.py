"""A chat agent with memory, the graph way: recall before the model, remember after it.

    python examples/agent_subgraph.py

Runs offline with a small stand-in for a model; with OPENAI_API_KEY set, OPENAI_MODEL (default gpt-4o-mini) answers and
decides what is remembered.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, BaseMessage, SystemMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.graph.state import CompiledStateGraph

from scrubjay import Memory

SAID = ("I live in Lisbon. I drink oolong.", "I moved to Porto last month.", "Where do I live?")


class Agent(MessagesState):
    """The two keys by which the memory graphs talk to this one."""

    memory_context: str
    """from recall: a block of text for the prompt"""
    memory_changes: list[dict[str, Any]]
    """from remember: what was added, changed, retired"""


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


def build(memory: Memory, *, checkpointer: Any = None) -> CompiledStateGraph[Agent, Any, Any, Any]:
    """recall → answer → remember; the user's id comes with the run's `configurable`."""
    model = chat_model()

    def answer(state: Agent) -> dict[str, Any]:
        return {"messages": [model.invoke(prompt(state))]}

    graph = StateGraph(Agent)
    graph.add_node("recall", memory.recall_graph)
    graph.add_node("answer", answer)
    graph.add_node("remember", memory.write_graph)
    graph.add_edge(START, "recall")
    graph.add_edge("recall", "answer")
    graph.add_edge("answer", "remember")
    return graph.compile(checkpointer=checkpointer, name="agent")


def prompt(state: Agent) -> Sequence[BaseMessage]:
    """The block goes before the conversation and into no state: it is made anew each turn."""
    block = state.get("memory_context")
    return [*([SystemMessage(block)] if block else []), *state["messages"]]


def told(event: dict[str, Any]) -> str:
    """A change in one line."""
    if event["before"] and event["after"]:
        return f"{event['before']} → {event['after']}"
    return f"+ {event['after']}" if event["after"] else f"- {event['before']}"


def main() -> None:
    with Memory.open(":memory:", model=model_spec(), checkpoints=False) as memory:
        agent = build(memory, checkpointer=InMemorySaver())
        for text in SAID:
            print(f"> {text}")
            talk(agent, text)


def talk(agent: CompiledStateGraph[Agent, Any, Any, Any], text: str) -> None:
    """One turn, streamed: what is recalled, what is answered, what changes."""
    given: Any = {"messages": [("user", text)]}
    config: Any = {"configurable": {"thread_id": "t1", "user_id": "ana"}}
    stream: Any = agent.stream(given, config, stream_mode=["updates", "custom"])
    for mode, chunk in stream:
        if mode == "custom" and chunk.get("scrubjay") == "memory_change":
            print(f"  changed: {told(chunk)}")
        elif mode == "updates" and "recall" in chunk:
            recalled = chunk["recall"]["memory_context"].splitlines()
            print(*(f"  recalled: {line.removeprefix('- ')}\n" for line in recalled[2:-1]), sep="", end="")
        elif mode == "updates" and "answer" in chunk:
            print(f"  answered: {chunk['answer']['messages'][-1].content}")


if __name__ == "__main__":
    main()
