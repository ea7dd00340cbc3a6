"""The recall graph: search → context, to stand before the model in an agent."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from langchain_core.runnables import RunnableConfig
from langgraph.channels import EphemeralValue
from langgraph.graph import END, START
from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from scrubjay.graph.embeddable import EmbeddableGraph
from scrubjay.nodes.given import given_messages, given_settings, layers
from scrubjay.nodes.messages import plain_messages
from scrubjay.nodes.recall_block import context_block, contradicted, opponents
from scrubjay.nodes.recall_settings import RecallContext, merge_recall
from scrubjay.nodes.recalling import hybrid_search
from scrubjay.nodes.settings import WriteContext, choose_strategy
from scrubjay.nodes.state import Given, Json, described
from scrubjay.nodes.tools import Tools
from scrubjay.stores.protocol import NO_FILTERS
from scrubjay.stores.records import Memory


@described
class RecallInput(TypedDict, total=False):
    """The conversation so far; the newest user message is what is searched for."""

    messages: Annotated[list[Given], EphemeralValue]
    """the conversation; only the newest message of the user's counts"""
    memory_recall: Annotated[Json, EphemeralValue]
    """user_id, agent_id, limit, budget_tokens, filters …: see RecallContext"""


@described
class RecallOutput(TypedDict, total=False):
    """What an agent puts before its model."""

    memory_context: str
    """a marked block of text, "" when nothing is remembered"""


@described
class Recall(TypedDict, total=False):
    """All channels of the recall graph."""

    messages: Annotated[list[Given], EphemeralValue]
    """the conversation; only the newest message of the user's counts"""
    memory_recall: Annotated[Json, EphemeralValue]
    """user_id, agent_id, limit, budget_tokens, filters …: see RecallContext"""
    settings: Json
    """as search resolved them"""
    recalled: list[str]
    """memory ids, best first, each followed by what it contradicts"""
    memory_context: str
    """a marked block of text, "" when nothing is remembered"""


RecallGraph = EmbeddableGraph[Recall, RecallContext, RecallInput, RecallOutput]


def build_recall_graph(tools: Tools) -> RecallGraph:
    """Uncompiled, as build_write_graph."""
    graph: RecallGraph = EmbeddableGraph(Recall, RecallContext, input_schema=RecallInput, output_schema=RecallOutput)
    graph.add_node("search", partial(search, tools=tools))
    graph.add_node("context", partial(context, tools=tools))
    graph.add_edge(START, "search")
    graph.add_edge("search", "context")
    graph.add_edge("context", END)
    return graph


def search(state: Recall, config: RunnableConfig, runtime: Runtime[RecallContext], *, tools: Tools) -> Recall:
    """The memories nearest to what the user said last. Raises InvalidScope, InvalidInput, InvalidFilter."""
    given = given_settings("memory_recall", state.get("memory_recall"), RecallContext.model_fields)
    asked = merge_recall(*layers(tools.bound, config, runtime, (RecallContext, WriteContext), given))
    recency = choose_strategy(asked.strategy, tools.strategies).recency
    query = last_words(given_messages(state.get("messages")), tools)
    filters = asked.filters.as_filters()
    hits = hybrid_search(
        tools.store, tools.vectors, asked.scope, query, limit=asked.limit, filters=filters, recency=recency
    )
    found = [h.memory for h in hits]
    # a filter is a wish not to see the rest, not even what contradicts
    shown = found if filters != NO_FILTERS else [m for hit in found for m in (hit, *contradicted([hit], tools.store))]
    return {"settings": asked.model_dump(), "recalled": list(dict.fromkeys(m.id for m in shown))}


def last_words(messages: Any, tools: Tools) -> str:
    """What the user said last, "" for nobody."""
    said, _ = plain_messages(messages, at=tools.clock().isoformat(), write_id="")
    return next((m["text"] for m in reversed(said) if m["role"] == "user"), "")


def context(state: Recall, *, tools: Tools) -> Recall:
    """The block of text."""
    memories = tools.store.get_many(state["recalled"])
    budget, today = state["settings"]["budget_tokens"], tools.clock().date().isoformat()
    return {"memory_context": context_block(memories, budget=budget, today=today, doubted=doubted(memories, tools))}


def doubted(memories: list[Memory], tools: Tools) -> set[str]:
    """Ids of those that an active memory contradicts."""
    active = {m.id for m in contradicted(memories, tools.store)}
    return {m.id for m in memories if active.intersection(opponents(m))}
