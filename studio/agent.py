"""The example agent that Studio serves: recall before the model, write after it, both as nodes."""

from __future__ import annotations

from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, SystemMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.graph.state import CompiledStateGraph

from scrubjay.nodes.settings import WriteContext
from scrubjay.nodes.state import Json

AgentGraph = CompiledStateGraph[Any, WriteContext, Any, Any]


class Agent(MessagesState):
    """The conversation, and the two keys by which the memory graphs talk to it."""

    memory_context: str
    """from recall: a marked block of text, "" when nothing is remembered"""
    memory_changes: list[Json]
    """from remember: what this turn added, changed and retired"""


class Parrot(BaseChatModel):
    """A chat model for who has none: it answers with what it was told to remember."""

    @property
    def _llm_type(self) -> str:
        return "parrot"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        told = [line for m in messages if isinstance(m, SystemMessage) for line in m.text.splitlines()]
        known = "\n".join(line for line in told if line.startswith("- "))
        said = f"What I remember:\n{known}" if known else "I remember nothing yet."
        return ChatResult(generations=[ChatGeneration(message=AIMessage(f"No chat model is set. {said}"))])


def build_agent(write: Any, recall: Any, model: BaseChatModel, context: type[WriteContext]) -> AgentGraph:
    """`write` and `recall` are compiled without a saver: the server's, or the parent's, is used."""

    def answer(state: Agent) -> Json:
        remembered = [SystemMessage(state["memory_context"])] if state.get("memory_context") else []
        return {"messages": [model.invoke([*remembered, *state["messages"]])]}

    graph = StateGraph(Agent, context)
    graph.add_node("recall", recall)
    graph.add_node("answer", answer)
    graph.add_node("remember", write)
    graph.add_edge(START, "recall")
    graph.add_edge("recall", "answer")
    graph.add_edge("answer", "remember")
    graph.add_edge("remember", END)
    return graph.compile(name="scrubjay_agent")
