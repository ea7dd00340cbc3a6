"""The write graph, on one page. Every write to memory is one run of it; the names are what people see in Studio."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Literal

from langgraph.graph import END, START
from pydantic import Field, create_model

from scrubjay.graph.embeddable import EmbeddableGraph
from scrubjay.nodes.commit import commit
from scrubjay.nodes.delete import delete
from scrubjay.nodes.extract import extract
from scrubjay.nodes.judge import judge
from scrubjay.nodes.load_context import load_context
from scrubjay.nodes.merge import merge
from scrubjay.nodes.nonsense import reads_state
from scrubjay.nodes.replace import replace
from scrubjay.nodes.retrieve import retrieve
from scrubjay.nodes.review import review
from scrubjay.nodes.settings import Strategy, WriteContext
from scrubjay.nodes.state import Write, WriteInput, WriteOutput
from scrubjay.nodes.surprisal_gate import surprisal_gate
from scrubjay.nodes.tasks import tasks
from scrubjay.nodes.tools import Tools
from scrubjay.nodes.vocabulary import passing

WriteGraph = EmbeddableGraph[Write, WriteContext, WriteInput, WriteOutput]


def build_write_graph(
    tools: Tools, *, output: type[WriteOutput] = WriteOutput, load: Callable[..., Write] = load_context
) -> WriteGraph:
    """Uncompiled: compile it with a saver of yours, or without one to embed it in a parent graph.

    output: Write where every channel is to be streamed and returned, as in Studio; it would fill a parent's keys.
    load: what load_context does, where a write starts from a record instead of messages.
    """
    context = context_of(tools.strategies)
    graph: WriteGraph = EmbeddableGraph(Write, context, input_schema=WriteInput, output_schema=output)
    graph.add_node("load_context", partial(load, tools=tools))
    graph.add_node("extract", extract(tools))
    graph.add_node("surprisal_gate", partial(surprisal_gate, tools=tools))
    graph.add_node("retrieve", partial(retrieve, tools=tools))
    graph.add_node("judge", judge(tools))
    graph.add_node("merge", merge(tools))
    graph.add_node("replace", replace(tools))
    graph.add_node("delete", delete(tools))
    graph.add_node("review", partial(review, tools=tools))
    graph.add_node("commit", partial(commit, tools=tools))

    graph.add_edge(START, "load_context")
    graph.add_conditional_edges("load_context", anything_new, {"new messages": "extract", "nothing new": "commit"})
    graph.add_conditional_edges("extract", any_fact, {"facts": "surprisal_gate", "no facts": "commit"})
    graph.add_conditional_edges("surprisal_gate", any_left, {"new facts": "retrieve", "all dropped": "commit"})
    graph.add_conditional_edges("retrieve", any_candidate, {"candidates": "judge", "no candidate": "commit"})
    graph.add_conditional_edges("judge", partial(tasks, tools=tools), ["merge", "replace", "delete", "review"])
    graph.add_edge("merge", "review")
    graph.add_edge("replace", "review")
    graph.add_edge("delete", "review")
    graph.add_edge("review", "commit")
    graph.add_conditional_edges("commit", any_conflict, {"the store moved": "retrieve", "done": END})
    return graph


@reads_state
def anything_new(state: Write) -> Literal["new messages", "nothing new"]:
    return "new messages" if state["batch"] else "nothing new"


@reads_state
def any_fact(state: Write) -> Literal["facts", "no facts"]:
    return "facts" if state["facts"] else "no facts"


@reads_state
def any_left(state: Write) -> Literal["new facts", "all dropped"]:
    return "new facts" if passing(state["facts"]) else "all dropped"


@reads_state
def any_candidate(state: Write) -> Literal["candidates", "no candidate"]:
    return "candidates" if any(state["candidates"].values()) else "no candidate"


@reads_state
def any_conflict(state: Write) -> Literal["the store moved", "done"]:
    return "the store moved" if state["conflicts"] else "done"


def context_of(strategies: Mapping[str, Strategy]) -> type[WriteContext]:
    """The settings with the presets that there are, so that Studio offers them by name.

    Only shown as an enum, not checked as one: load_context refuses an unknown name with the names that exist.
    """
    known = WriteContext.model_fields["strategy"]
    named = Field(default=known.default, description=known.description, json_schema_extra={"enum": list(strategies)})
    return create_model("WriteContext", __base__=WriteContext, __module__=__name__, strategy=(str, named))
