"""The recall graph: search → context, to stand before the model in an agent."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from langchain_core.runnables import RunnableConfig
from langgraph.channels import EphemeralValue
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from scrubjay.nodes.messages import plain_messages
from scrubjay.nodes.recalling import context_block, hybrid_search
from scrubjay.nodes.settings import WriteContext, configured
from scrubjay.nodes.state import Json
from scrubjay.nodes.tools import Tools
from scrubjay.stores.names import check_name
from scrubjay.stores.records import Scope

LIMIT = 5


class RecallInput(TypedDict, total=False):
    """The conversation so far; the newest user message is what is searched for."""

    messages: Annotated[list[Any], EphemeralValue]
    memory_recall: Json
    """user_id, agent_id, limit"""


class RecallOutput(TypedDict, total=False):
    """What an agent puts before its model."""

    memory_context: str
    """a marked block of text, "" when nothing is remembered"""


class Recall(TypedDict, total=False):
    """All channels of the recall graph."""

    messages: Annotated[list[Any], EphemeralValue]
    memory_recall: Json
    recalled: list[str]
    """memory ids, best first"""
    memory_context: str


RecallGraph = StateGraph[Recall, WriteContext, RecallInput, RecallOutput]


def build_recall_graph(tools: Tools) -> RecallGraph:
    """Uncompiled, as build_write_graph."""
    graph = StateGraph(Recall, WriteContext, input_schema=RecallInput, output_schema=RecallOutput)
    graph.add_node("search", partial(search, tools=tools))
    graph.add_node("context", partial(context, tools=tools))
    graph.add_edge(START, "search")
    graph.add_edge("search", "context")
    graph.add_edge("context", END)
    return graph


def search(state: Recall, config: RunnableConfig, runtime: Runtime[WriteContext], *, tools: Tools) -> Recall:
    """The memories nearest to what the user said last; raises InvalidScope without a user_id."""
    given = runtime.context.model_dump(exclude_unset=True) if isinstance(runtime.context, WriteContext) else {}
    asked = {**tools.bound, **configured(config), **given, **(state.get("memory_recall") or {})}
    user_id = check_name("user_id", asked.get("user_id"))
    scope = Scope(user_id, check_name("agent_id", asked.get("agent_id") or ""))
    said, _ = plain_messages(state.get("messages") or [], at=tools.clock().isoformat(), write_id="")
    query = next((m["text"] for m in reversed(said) if m["role"] == "user"), "")
    limit = int(asked.get("limit") or LIMIT)
    return {"recalled": [h.memory.id for h in hybrid_search(tools.store, tools.vectors, scope, query, limit=limit)]}


def context(state: Recall, *, tools: Tools) -> Recall:
    """The block of text."""
    return {"memory_context": context_block(tools.store.get_many(state["recalled"]))}
