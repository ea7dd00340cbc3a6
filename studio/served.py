"""The graphs that `langgraph dev` serves, see langgraph.json: imported by the server, told by the environment.

The server brings its own checkpointer, so the graphs have none. Importing opens the store; the process closes it.
"""

from __future__ import annotations

import os
from dataclasses import replace

from langchain_core.language_models import BaseChatModel

from scrubjay.graph.memory import Memory
from scrubjay.graph.models import chat_model
from scrubjay.graph.recall_graph import build_recall_graph
from scrubjay.graph.strategies import DEFAULT
from scrubjay.graph.write_graph import build_write_graph, context_of
from scrubjay.nodes.state import Write
from scrubjay.studio.agent import Parrot, build_agent
from scrubjay.studio.options import STORE, USER
from scrubjay.studio.serving import setting

CHAT_MODEL = "openai:gpt-4o-mini"
"""who answers in the agent where OPENAI_API_KEY is set and no model is named"""


def answering() -> BaseChatModel:
    """The model that is named for memory, else OpenAI's where its key is set, else the parrot."""
    spec = setting("MODEL")
    if spec is None or spec == "rules":
        return chat_model(CHAT_MODEL) if os.environ.get("OPENAI_API_KEY") else Parrot()
    return chat_model(spec, base_url=setting("BASE_URL"))


memory = Memory.open(
    setting("STORE") or STORE,
    model=setting("MODEL"),
    base_url=setting("BASE_URL"),
    strategy=setting("STRATEGY") or DEFAULT,
    checkpoints=False,
)
tools = replace(memory.engine.tools, bound={"user_id": setting("USER") or USER, **memory.engine.tools.bound})
write = build_write_graph(tools, output=Write).compile(name="scrubjay")
recall = build_recall_graph(tools).compile(name="scrubjay_recall")
remember = build_write_graph(tools).compile(name="scrubjay")
agent = build_agent(remember, recall, answering(), context_of(tools.strategies))
